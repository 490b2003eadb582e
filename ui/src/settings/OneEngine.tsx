import { Button, Select, Switch } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, got, type Shapes } from "../api/client";
import { useWords } from "../words";

export function OneEngine({ engine }: { engine: Shapes["EngineItem"] }) {
  const { t, heard } = useWords();
  const queries = useQueryClient();
  const again = () => ["engines", "settings", "health"].forEach((key) => void queries.invalidateQueries({ queryKey: [key] }));
  const path = { params: { path: { engine: engine.id } } };
  const check = useMutation({ mutationFn: () => got(api.POST("/api/engines/{engine}/check", path)), onSettled: again });
  const act = useMutation({
    mutationFn: async (what: { use: string } | "disconnect") => {
      if (what === "disconnect") await got(api.DELETE("/api/engines/{engine}", path));
      else await got(api.POST("/api/engines/use", { body: { id: engine.id, model: what.use } }));
    },
    onSettled: again,
  });
  const set = useMutation({
    mutationFn: (body: Partial<Shapes["EngineChange"]>) => got(api.POST("/api/engines/{engine}/set", { ...path, body })),
    onSettled: again,
  });
  const models = [...new Set([engine.model, ...engine.models])].filter(Boolean);
  return (
    <div className="card">
      <div className="row">
        <span className="grow">{engine.name} <span className="soft">{[engine.local && t("settings.engine.local"), engine.default && t("settings.engine.default")].filter(Boolean).join(" · ")}</span></span>
        {!engine.default && <Button size="compact-xs" variant="light" onClick={() => act.mutate({ use: "" })}>{t("settings.engine.use")}</Button>}
        <Button size="compact-xs" variant="default" loading={check.isPending} onClick={() => check.mutate()}>{t("settings.engine.check")}</Button>
        {engine.id !== "practice" && <Button size="compact-xs" variant="subtle" onClick={() => act.mutate("disconnect")}>{t("settings.engine.disconnect")}</Button>}
      </div>
      {models.length > 1 && <Select mt={6} size="xs" label={t("settings.engine.model")} searchable allowDeselect={false} data={models} value={engine.model} onChange={(model) => model && act.mutate({ use: model })} />}
      {engine.id !== "practice" && (
        <>
          <Select mt={6} size="xs" label={t("settings.engine.learns")} searchable allowDeselect={false} value={engine.cheapest_chosen} onChange={(cheap_model) => cheap_model !== null && set.mutate({ cheap_model })}
            data={[{ value: "", label: t("settings.engine.cheapest") }, ...[...new Set([engine.cheapest_chosen, ...models])].filter(Boolean).map((one) => ({ value: one, label: one }))]} />
          <Switch mt={10} size="sm" label={t("settings.engine.images")} description={t("settings.engine.images.about")} checked={engine.sees_images} onChange={(event) => set.mutate({ images: event.currentTarget.checked })} />
        </>
      )}
      {engine.cheapest_model && <div className="soft" style={{ marginTop: 6 }}>{t("settings.engine.cheap", { model: engine.cheapest_model })}</div>}
      <div role="status" className={check.data && !check.data.ok ? "error" : "soft"}>{(check.data && heard(check.data.sentence)) ?? check.error?.message ?? act.error?.message ?? set.error?.message}</div>
    </div>
  );
}
