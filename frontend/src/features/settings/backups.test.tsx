import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import type { Job } from "@/lib/api/api";
import { renderApp } from "@/testing/render-app";
import { Backups } from "./backups";

/** The backups with a backup that is done as soon as it begins. */
function WithShortBackup({ onBackup }: { onBackup: () => void }) {
  const [job, setJob] = useState<Job>();
  const backupNow = async () => {
    onBackup();
    setJob({ id: "7", kind: "backup", done: true } as Job);
  };
  const nothing = async () => {};
  const work = { job, running: false, backup: nothing, backupNow, check: nothing };
  return <Backups work={{ ...work, cancel: nothing, reveal: nothing }} />;
}

test("a backup that was never seen to run is listed", async () => {
  let made = false;
  const { bindings, user } = await renderApp(<WithShortBackup onBackup={() => (made = true)} />);
  const state = await bindings.GetLibraryState();
  const backup = { path: "b", kind: "manual", sizeBytes: 2000, verified: true };
  bindings.GetLibraryState = async () => ({
    ...state,
    backups: made ? [{ ...backup, createdAtMs: Date.now() }] : [],
  });
  await screen.findByText("No backup yet.");
  await user.click(screen.getByRole("button", { name: "Back up now" }));
  expect(await screen.findByText(/^1 backup · /)).toBeTruthy();
});
