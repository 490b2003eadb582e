import { Button, PasswordInput, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, got, type Shapes } from "../api/client";
import { useWords } from "../words";

/** Connects one of the known providers. */
export function Connect({ known, onConnected }: { known: Shapes["KnownProvider"][]; onConnected?: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [id, setId] = useState<string | null>(null);
  const [key, setKey] = useState("");
  const [url, setUrl] = useState("");
  const connect = useMutation({
    mutationFn: async () => {
      await got(api.POST("/api/engines/connect", { body: { id: id ?? "", key, url, model: "", check: true } }));
      return got(api.POST("/api/engines/use", { body: { id: id ?? "", model: "" } }));
    },
    onSuccess: () => {
      setKey("");
      void queries.invalidateQueries({ queryKey: ["engines"] });
      onConnected?.();
    },
  });
  const chosen = known.find((one) => one.id === id);
  return (
    <form onSubmit={(event) => (event.preventDefault(), connect.mutate())}>
      <Stack gap="xs">
        <Select label={t("settings.engine.add")} data={known.map((one) => ({ value: one.id, label: one.name }))} value={id} onChange={setId} />
        {chosen && (
          <>
            {chosen.needs_key && <PasswordInput label={t("settings.engine.key")} value={key} onChange={(event) => setKey(event.currentTarget.value)} autoComplete="off" />}
            <TextInput label={t("settings.engine.url")} value={url} onChange={(event) => setUrl(event.currentTarget.value)} />
            {connect.error && <p className="error" role="alert">{connect.error.message}</p>}
            <Button type="submit" variant="light" loading={connect.isPending}>{t("first.connect", { name: chosen.name })}</Button>
          </>
        )}
      </Stack>
    </form>
  );
}
