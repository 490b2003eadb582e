import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense, useRef } from "react";
import Reader, { type Components } from "react-markdown";
import gfm from "remark-gfm";
import { useWords } from "../words";

const Highlighted = lazy(() => import("./Highlighted"));

function Code({ children }: { children?: ReactNode }) {
  const { t } = useWords();
  const clipboard = useClipboard({ timeout: 1500 });
  const box = useRef<HTMLPreElement>(null);
  return (
    <div className="code">
      <pre ref={box} tabIndex={0}>{children}</pre>
      <Button size="compact-xs" variant="subtle" onClick={() => clipboard.copy(box.current?.textContent ?? "")}>
        <span aria-live="polite">{t(clipboard.copied ? "chat.copied" : "chat.copy")}</span>
      </Button>
    </div>
  );
}

const components: Components = {
  pre: ({ children }) => <Code>{children}</Code>,
  code: ({ className, children }) => {
    const language = /language-([\w+-]+)/.exec(className ?? "")?.[1];
    const plain = <code className={className}>{children}</code>;
    return language ? (
      <Suspense fallback={plain}>
        <Highlighted language={language} text={String(children)} />
      </Suspense>
    ) : plain;
  },
  a: ({ href, children }) => <a href={href} target="_blank" rel="noopener noreferrer nofollow">{children}</a>,
  img: ({ src, alt }) => <a href={typeof src === "string" ? src : undefined} target="_blank" rel="noopener noreferrer nofollow">{alt || String(src ?? "")}</a>,
};

export default function Rich({ text }: { text: string }) {
  return <Reader remarkPlugins={[gfm]} components={components}>{text}</Reader>;
}
