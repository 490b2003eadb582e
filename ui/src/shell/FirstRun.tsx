import { Button, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, got } from "../api/client";
import { Connect } from "../settings/Connect";
import { useWords } from "../words";

/** Three calm screens: name, engine, done. */
export function FirstRun({ onBegun, onDone }: { onBegun: () => void; onDone: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [step, setStep] = useState(1);
  const [name, setName] = useState("");
  const engines = useQuery({ queryKey: ["engines"], queryFn: () => got(api.GET("/api/engines")) });
  useEffect(onBegun, []); // eslint-disable-line
  const named = useMutation({
    mutationFn: () => got(api.PATCH("/api/settings", { body: { name: name.trim() } })),
    onSuccess: () => setStep(2),
  });
  const practice = useMutation({
    mutationFn: () => got(api.POST("/api/engines/use", { body: { id: "practice", model: "" } })),
    onSuccess: () => setStep(3),
  });
  const finish = () => {
    void queries.invalidateQueries();
    onDone();
  };
  return (
    <div className="first">
      <main aria-live="polite">
        <p className="soft">{t("first.step", { n: step })}</p>
        {step === 1 && (
          <form onSubmit={(event) => (event.preventDefault(), name.trim() ? named.mutate() : setStep(2))}>
            <h1>{t("first.hello")}</h1>
            <p className="about">{t("first.about")}</p>
            <TextInput label={t("first.name")} value={name} maxLength={80} onChange={(event) => setName(event.currentTarget.value)} error={named.error?.message} data-autofocus />
            <Button type="submit" mt="lg" loading={named.isPending}>{t("first.next")}</Button>
          </form>
        )}
        {step === 2 && (
          <>
            <h1>{t("first.engine")}</h1>
            <p className="about">{t("first.engine.about")}</p>
            <Stack>
              <Button onClick={() => practice.mutate()} loading={practice.isPending}>{t("first.practice")}</Button>
              {practice.error && <p className="error" role="alert">{practice.error.message}</p>}
              <Connect known={engines.data?.known ?? []} onConnected={() => setStep(3)} />
            </Stack>
          </>
        )}
        {step === 3 && (
          <>
            <h1>{t("first.done")}</h1>
            <p className="about">{t("first.done.about")}</p>
            <Button onClick={finish}>{t("first.begin")}</Button>
          </>
        )}
      </main>
    </div>
  );
}
