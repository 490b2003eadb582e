import { Button } from "@mantine/core";
import { useWords } from "../words";

/** "Show more", while there is more. */
export function More({ more, reading }: { more: (() => void) | undefined; reading: boolean }) {
  const { t } = useWords();
  return more ? <Button mt="xs" size="xs" variant="subtle" loading={reading} onClick={more}>{t("app.more")}</Button> : null;
}
