import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { Navigate, Route, Routes } from "react-router";
import { api, got } from "./api/client";
import { follow } from "./api/live";
import { ChatPage } from "./chat/ChatPage";
import { FirstRun } from "./shell/FirstRun";
import { Shell } from "./shell/Shell";
import { SignIn } from "./shell/SignIn";
import { languageOf, speak, useWords } from "./words";

const MemoryPage = lazy(() => import("./memory/MemoryPage"));
const SkillsPage = lazy(() => import("./skills/SkillsPage"));
const SkillForm = lazy(() => import("./skills/SkillForm"));
const SkillPage = lazy(() => import("./skills/SkillPage"));
const SettingsPage = lazy(() => import("./settings/SettingsPage"));
const HealthPage = lazy(() => import("./settings/HealthPage"));

export function App() {
  const session = useQuery({ queryKey: ["session"], queryFn: () => got(api.GET("/api/session")) });
  if (!session.data) return null;
  return session.data.signed_in ? <SignedIn /> : <SignIn by={session.data.by} />;
}

function SignedIn() {
  const queries = useQueryClient();
  const { t } = useWords();
  const settings = useQuery({ queryKey: ["settings"], queryFn: () => got(api.GET("/api/settings")) });
  const [greeting, setGreeting] = useState<boolean>();
  useEffect(() => follow(queries), [queries]);
  const language = settings.data?.language;
  useEffect(() => {
    if (language !== undefined) void speak(languageOf(language));
  }, [language]);
  if (!settings.data) return settings.error ? <p className="error">{settings.error.message}</p> : null;
  if (greeting ?? settings.data.first_run)
    return <FirstRun onBegun={() => setGreeting(true)} onDone={() => setGreeting(false)} />;
  return (
    <Shell>
      <Suspense fallback={<p className="inner soft" role="status">{t("app.loading")}</p>}>
        <Routes>
          <Route index element={<ChatPage key="new" />} />
          <Route path="chats/:chat" element={<ChatPage />} />
          <Route path="memory" element={<MemoryPage />} />
          <Route path="skills" element={<SkillsPage />} />
          <Route path="skills/new" element={<SkillForm key="new" />} />
          <Route path="skills/own/:name/edit" element={<SkillForm key="edit" />} />
          <Route path="skills/:source/:name" element={<SkillPage />} />
          <Route path="settings" element={<SettingsPage />} />
          <Route path="health" element={<HealthPage />} />
          <Route path="*" element={<Navigate to="/" replace />} />
        </Routes>
      </Suspense>
    </Shell>
  );
}
