import { Button, PasswordInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, got } from "../api/client";
import { useWords } from "../words";

export function SignIn({ by }: { by: "link" | "password" }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [password, setPassword] = useState("");
  const enter = useMutation({
    mutationFn: () => got(api.POST("/api/sign-in", { body: { password } })),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <div className="first">
      <main>
        <h1>{t("signin.title")}</h1>
        {by === "link" ? (
          <p className="about">{t("signin.link")}</p>
        ) : (
          <form onSubmit={(event) => (event.preventDefault(), enter.mutate())}>
            <PasswordInput label={t("signin.password")} value={password} onChange={(event) => setPassword(event.currentTarget.value)} error={enter.error?.message} autoFocus />
            <Button type="submit" mt="md" loading={enter.isPending}>{t("signin.go")}</Button>
          </form>
        )}
      </main>
    </div>
  );
}
