import { Button, NumberInput, Progress, SegmentedControl, Select, Switch, TextInput, useMantineColorScheme } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { api, got, type Shapes } from "../api/client";
import { Bar } from "../shell/Shell";
import { useWords } from "../words";
import { Connect } from "./Connect";
import { OneEngine } from "./OneEngine";
import { Vault } from "./Vault";

export default function SettingsPage() {
  const { t, usd, known } = useWords();
  const { hash } = useLocation();
  const queries = useQueryClient();
  const settings = useQuery({ queryKey: ["settings"], queryFn: () => got(api.GET("/api/settings")) });
  const engines = useQuery({ queryKey: ["engines"], queryFn: () => got(api.GET("/api/engines")) });
  const safety = useQuery({ queryKey: ["safety"], queryFn: () => got(api.GET("/api/safety")) });
  const change = useMutation({
    mutationFn: (body: Partial<Shapes["SettingsChange"]>) => got(api.PATCH("/api/settings", { body })),
    onSuccess: (after) => {
      queries.setQueryData(["settings"], after);
      ["safety", "health", "learning"].forEach((key) => void queries.invalidateQueries({ queryKey: [key] }));
    },
  });
  const there = settings.data && engines.data && safety.data;
  useEffect(() => {
    if (hash && there) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, there !== undefined]); // eslint-disable-line
  const leave = useMutation({ mutationFn: () => got(api.POST("/api/sign-out")), onSuccess: () => queries.invalidateQueries() });
  if (!settings.data) return <Bar plain title={t("nav.settings")} />;
  const now = settings.data;
  return (
    <>
      <Bar plain title={t("nav.settings")} />
      <div className="page"><div className="inner">
        <h1>{t("settings.title")}</h1>
        {change.error && <p className="error" role="alert">{change.error.message}</p>}
        <div className="sr" role="status">{change.isSuccess ? t("settings.saved") : ""}</div>
        <section>
          <h2 id="learning">{t("settings.learning")}</h2>
          <div className="cards">
            <div className="card"><Switch label={t("settings.learn")} description={t("settings.learn.about")} checked={now.learning} onChange={(event) => change.mutate({ learning: event.currentTarget.checked })} /></div>
            <Spend key={String(now.spending.cap_usd)} spending={now.spending} onCap={(learning_cap_usd) => change.mutate({ learning_cap_usd })} />
          </div>
          <p className="soft">{t("settings.month", { usd: usd(now.month.usd), answers: now.month.answers })}</p>
        </section>
        <section>
          <h2 id="engines">{t("settings.engines")}</h2>
          {now.practice && <p className="soft">{t("settings.practice")}</p>}
          <div className="cards">
            {engines.data?.engines.map((engine) => <OneEngine key={engine.id} engine={engine} />)}
            <div className="card"><Connect known={engines.data?.known ?? []} /></div>
          </div>
        </section>
        <section>
          <h2 id="safety">{t("settings.safety")}</h2>
          <div className="cards">
            <div className="card">
              <div id="mode" style={{ marginBottom: 6 }}>{t("settings.mode")}</div>
              <SegmentedControl size="xs" aria-labelledby="mode" value={now.mode} onChange={(mode) => change.mutate({ mode: mode as typeof now.mode })}
                data={(["ask", "accept_edits", "full_trust"] as const).map((value) => ({ value, label: t(`mode.${value}`) }))} />
              <div className="soft" style={{ marginTop: 4 }}>{t(`settings.mode.${now.mode}`)}</div>
            </div>
            {safety.data?.switches.map((one) => (
              <div className="card" key={one.id}>
                <Switch label={one.id === "learning" ? t("settings.learn") : one.id === "memory_check" ? t("settings.safety.memory_check") : one.name} description={t("settings.safety.off", { text: known(`off.${one.id}`, one.off_means) })} checked={one.on}
                  onChange={(event) => change.mutate(one.id === "learning" ? { learning: event.currentTarget.checked } : { memory_check: event.currentTarget.checked ? "ask_more" : "on" })} />
              </div>
            ))}
          </div>
        </section>
        <Vault />
        <Profile key={now.name} settings={now} onChange={(body) => change.mutate(body)} />
        <p className="soft">{t("settings.home", { home: now.home })} · Conch {now.version}</p>
        <Button size="xs" variant="default" onClick={() => leave.mutate()}>{t("settings.signout")}</Button>
      </div></div>
    </>
  );
}

function Spend({ spending, onCap }: { spending: Shapes["Spending"]; onCap: (cap: number | null) => void }) {
  const { t, usd, day } = useWords();
  const [cap, setCap] = useState<number | string>(spending.cap_usd ?? "");
  const { cap_usd, spent_usd } = spending;
  return (
    <div className="card" id="spend">
      <strong style={{ fontWeight: 500 }}>{t("settings.spend")}</strong>
      <div>{cap_usd === null ? t("settings.spend.nocap", { spent: usd(spent_usd) }) : t("settings.spend.of", { spent: usd(spent_usd), cap: usd(cap_usd) })}</div>
      {cap_usd !== null && <Progress my={8} value={cap_usd > 0 ? Math.min(100, (100 * spent_usd) / cap_usd) : 100} aria-label={t("settings.spend")} />}
      {spending.paused && <div className="soft">{t("settings.spend.paused", { date: day(spending.starts_again) })}</div>}
      <div className="soft">{t("settings.spend.free")}</div>
      <form className="row" style={{ alignItems: "flex-end", marginTop: 6 }} onSubmit={(event) => (event.preventDefault(), typeof cap === "number" && onCap(cap))}>
        <NumberInput label={t("settings.spend.cap")} min={0} max={1000} step={0.5} value={cap} onChange={setCap} />
        <Button type="submit" variant="default">{t("app.save")}</Button>
        {cap_usd !== null && <Button variant="subtle" onClick={() => onCap(null)}>{t("settings.spend.lift")}</Button>}
      </form>
    </div>
  );
}

function Profile({ settings, onChange }: { settings: Shapes["AppSettings"]; onChange: (body: Partial<Shapes["SettingsChange"]>) => void }) {
  const { t, lang } = useWords();
  const [name, setName] = useState(settings.name);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <section>
      <h2 id="profile">{t("settings.profile")}</h2>
      <div className="cards"><div className="card">
        <form className="row" style={{ alignItems: "flex-end" }} onSubmit={(event) => (event.preventDefault(), onChange({ name }))}>
          <TextInput className="grow" label={t("settings.name")} maxLength={80} value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <Button type="submit" variant="default">{t("app.save")}</Button>
        </form>
        <Select mt="sm" label={t("settings.language")} allowDeselect={false} value={lang} onChange={(language) => language && onChange({ language })} data={[{ value: "en", label: "English" }, { value: "de", label: "Deutsch" }]} />
        <div style={{ marginTop: 12 }}>
          <div id="look" style={{ fontSize: ".88rem", marginBottom: 4 }}>{t("settings.look")}</div>
          <SegmentedControl size="xs" aria-labelledby="look" value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}
            data={(["auto", "light", "dark"] as const).map((one) => ({ value: one, label: t(`look.${one}`) }))} />
        </div>
      </div></div>
    </section>
  );
}
