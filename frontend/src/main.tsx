import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import { connectEvents } from "@/lib/api/api";
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
  await loadWindowState();
  window.addEventListener("pagehide", flushWindowState);
  createRoot(document.getElementById("root") as HTMLElement).render(<App />);
}

void start();
