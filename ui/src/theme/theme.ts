import { createTheme, type MantineColorsTuple } from "@mantine/core";

const celadon: MantineColorsTuple = [
  "#eef4f2", "#dde9e6", "#bcd3ce", "#98bbb5", "#79a6a0", "#5f938c", "#4c817b", "#3d6b68", "#305653", "#234240",
];

export const theme = createTheme({
  primaryColor: "celadon",
  primaryShade: { light: 7, dark: 4 },
  colors: { celadon },
  autoContrast: true,
  defaultRadius: "md",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  headings: { fontFamily: "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Noto Serif', Georgia, serif", fontWeight: "500" },
  respectReducedMotion: true,
});
