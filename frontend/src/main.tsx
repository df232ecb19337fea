import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import { api, connectEvents } from "@/lib/api/api";
import { setLanguage } from "@/lib/i18n/i18n";
import { flushWindowState, loadWindowState } from "@/lib/store/window-state";
import "./styles.css";
import "./prose.css";
import "./reading.css";

async function start() {
  const address = new URLSearchParams(window.location.search);
  if (import.meta.env.DEV && address.has("fake")) {
    const { installFake } = await import("@/testing/fake-api");
    installFake({ sessions: Number(address.get("fake") || 200) });
  }
  connectEvents();
  await Promise.all([loadWindowState(), applyLanguage()]);
  window.addEventListener("pagehide", flushWindowState);
  createRoot(document.getElementById("root") as HTMLElement).render(<App />);
}

/** Texts are in the user's language from the first drawing on. */
async function applyLanguage(): Promise<void> {
  const settings = await api.getSettings().catch(() => undefined);
  await setLanguage(settings?.language ?? "");
}

void start();
