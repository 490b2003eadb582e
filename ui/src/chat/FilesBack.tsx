import { Button, Modal } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, got } from "../api/client";
import { useWords } from "../words";

const SAID = { "put back": "files.put_back", "changed back": "files.changed_back", removed: "files.removed", "as it is": "files.as_it_is" } as const;

/** Undo of files (or its redo): what will change is shown first, and what changed since is left alone unless said so. */
export function FilesBack({ chat, direction, onClose }: { chat: string; direction: "undo" | "redo" | null; onClose: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const path = { chat };
  const shown = useQuery({
    queryKey: ["chat", chat, "files", direction],
    enabled: direction !== null,
    gcTime: 0,
    retry: false,
    queryFn: () => got(api.GET("/api/chats/{chat}/files", { params: { path, query: { direction: direction ?? "undo" } } })),
  });
  const restore = useMutation({
    mutationFn: (over: boolean) =>
      got(api.POST("/api/chats/{chat}/files", { params: { path }, body: { change: shown.data?.change ?? "", direction: direction ?? "undo", over_changes: over } })),
    onSuccess: () => {
      onClose();
      void queries.invalidateQueries({ queryKey: ["chat", chat] });
    },
  });
  const title = t(direction === "redo" ? "files.redo" : "files.undo");
  const since = shown.data?.files.some((file) => file.changed_since) ?? false;
  const error = shown.error ?? restore.error;
  return (
    <Modal opened={direction !== null} onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("app.close") }}>
      {error && <p className="error" role="alert">{error.message}</p>}
      {shown.data && (
        <>
          <ul>
            {shown.data.files.map((file) => (
              <li key={file.path}>
                <code>{file.path}</code> <span className="soft">{t(SAID[file.what])}</span>
                {file.changed_since && <strong> {t("files.since")}</strong>}
              </li>
            ))}
          </ul>
          <div className="row">
            <Button onClick={() => restore.mutate(false)} loading={restore.isPending}>{since ? t("files.others") : title}</Button>
            {since && <Button variant="default" onClick={() => restore.mutate(true)}>{t("files.all")}</Button>}
            <Button variant="default" onClick={onClose}>{t("app.cancel")}</Button>
          </div>
        </>
      )}
    </Modal>
  );
}
