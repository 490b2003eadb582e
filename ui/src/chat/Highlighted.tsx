import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { common, createLowlight } from "lowlight";
import { Fragment, useMemo } from "react";
import { jsx, jsxs } from "react/jsx-runtime";

const lowlight = createLowlight(common);

/** Code in colours; a language that is not known stays plain. */
export default function Highlighted({ language, text }: { language: string; text: string }) {
  const tree = useMemo(() => (lowlight.registered(language) ? lowlight.highlight(language, text) : null), [language, text]);
  return <code>{tree ? toJsxRuntime(tree, { Fragment, jsx, jsxs }) : text}</code>;
}
