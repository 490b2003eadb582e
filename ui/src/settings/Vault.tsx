import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, got } from "../api/client";
import { useWords } from "../words";

/** Secrets for commands and apps, by name; what they stand for is shown nowhere. */
export function Vault() {
  const { t } = useWords();
  const queries = useQueryClient();
  const vault = useQuery({ queryKey: ["vault"], queryFn: () => got(api.GET("/api/vault")) });
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const again = () => void queries.invalidateQueries({ queryKey: ["vault"] });
  const keep = useMutation({
    mutationFn: () => got(api.POST("/api/vault", { body: { name, value } })),
    onSuccess: () => (setName(""), setValue(""), again()),
  });
  const remove = useMutation({ mutationFn: (name: string) => got(api.DELETE("/api/vault/{name}", { params: { path: { name } } })), onSettled: again });
  return (
    <section>
      <h2 id="vault">{t("vault.title")}</h2>
      <p className="soft">{t("vault.about")}</p>
      <div className="cards">
        {vault.data?.secrets.map((one) => (
          <div className="card row" key={one.name}>
            <span className="grow">{one.name} <span className="soft">${one.variable}</span></span>
            <Button size="compact-xs" variant="subtle" aria-label={t("vault.remove.one", { name: one.name })} onClick={() => remove.mutate(one.name)}>{t("vault.remove")}</Button>
          </div>
        ))}
        <div className="card">
          <form className="row" style={{ alignItems: "flex-end" }} onSubmit={(event) => (event.preventDefault(), keep.mutate())}>
            <TextInput className="grow" label={t("vault.name")} placeholder="github-token" maxLength={60} value={name} onChange={(event) => setName(event.currentTarget.value)} />
            <PasswordInput className="grow" label={t("vault.value")} autoComplete="off" value={value} onChange={(event) => setValue(event.currentTarget.value)} />
            <Button type="submit" variant="default" disabled={!name || !value} loading={keep.isPending}>{t("vault.keep")}</Button>
          </form>
          {(keep.error ?? remove.error) && <p className="error" role="alert">{(keep.error ?? remove.error)?.message}</p>}
        </div>
      </div>
    </section>
  );
}
