import "@mantine/core/styles.css";
import "@mantine/spotlight/styles.css";
import "./theme/app.css";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { App } from "./App";
import { Refused } from "./api/client";
import { theme } from "./theme/theme";

const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (tries, error) => !(error instanceof Refused) && tries < 3 },
  },
});

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <BrowserRouter>
          <App />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
