import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { useMode } from "@/lib/session/mode";
import { renderApp } from "@/testing/render-app";
import { ReadingSection } from "./reading-section";

function Shown() {
  const [mode] = useMode();
  return <output aria-label="Mode of sessions">{mode}</output>;
}

test("the detail of the settings is the one that sessions are shown in", async () => {
  const { user } = await renderApp(
    <>
      <ReadingSection />
      <Shown />
    </>,
  );
  const mode = screen.getByRole("status", { name: "Mode of sessions" });
  expect(mode.textContent).toBe("all");
  await user.click(screen.getByRole("radio", { name: /^Digest/ }));
  expect(mode.textContent).toBe("digest");
});
