import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { makeSession } from "@/testing/fake-content";
import { renderApp } from "@/testing/render-app";
import { ExportDialog, type ExportTarget } from "./export-dialog";

const branched = makeSession(1, 0).id;

function Dialog({ target }: { target: ExportTarget }) {
  const [shown, setShown] = useState<ExportTarget | undefined>(target);
  return <ExportDialog target={shown} onClose={() => setShown(undefined)} />;
}

test("what is on screen is written with the options chosen, and can be shown", async () => {
  const { user, calls } = await renderApp(
    <Dialog target={{ sessionIds: [branched], leafUid: `${branched}-m3` }} />,
    { sessions: 3 },
  );
  await screen.findByText("4 messages");
  await user.click(screen.getByRole("radio", { name: /Markdown/ }));
  await user.click(screen.getByRole("radio", { name: /Prompts and answers/ }));
  await user.click(screen.getByRole("checkbox", { name: /Redact secrets/ }));
  await user.click(screen.getByRole("button", { name: "Choose file…" }));
  const args = (name: string) => calls.find((call) => call.name === name)?.args;
  await waitFor(() => expect(args("StartExport")).toBeDefined());
  expect(args("ChooseExportPath")).toEqual(["refactor-the-auth-module.md"]);
  expect(args("StartExport")).toEqual([
    {
      sessionIds: [branched],
      all: false,
      leafUids: [`${branched}-m3`],
      fromUid: "",
      format: "md",
      scope: "path",
      detail: "prompts",
      redact: true,
      withJson: false,
      words: [],
      keep: [],
      theme: "",
      passphrase: "",
    },
    "/home/ada/Documents/refactor-the-auth-module.md",
  ]);
  await screen.findByText("Exported refactor-the-auth-module.md");
  await user.click(screen.getByRole("button", { name: "Show in folder" }));
  expect(args("RevealFile")).toEqual(["/home/ada/Documents/refactor-the-auth-module.md"]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("data has no folded alternatives, and closing the system's dialog keeps this one", async () => {
  const fake = await renderApp(<Dialog target={{ sessionIds: [branched], leafUid: "" }} />, {
    sessions: 3,
  });
  await screen.findByRole("radio", { name: /With alternatives/ });
  await fake.user.click(screen.getByRole("radio", { name: /With alternatives/ }));
  await fake.user.click(screen.getByRole("radio", { name: /^JSON Everything/ }));
  expect(screen.queryByRole("radio", { name: /With alternatives/ })).toBeNull();
  expect(screen.getByRole("radio", { name: /whole tree/ })).toHaveProperty("checked", true);
  fake.bindings.ChooseExportPath = async () => "";
  await fake.user.click(screen.getByRole("button", { name: "Choose file…" }));
  expect(fake.calls.some(({ name }) => name === "StartExport")).toBe(false);
  screen.getByRole("dialog", { name: "Export session" });
});

test("branches are chosen from a list, and none of a library", async () => {
  const { user, calls } = await renderApp(
    <Dialog target={{ sessionIds: [branched], leafUid: "" }} />,
    { sessions: 3 },
  );
  await user.click(await screen.findByRole("radio", { name: /Chosen branches/ }));
  const boxes = await screen.findAllByRole("checkbox", { name: /\d+ messages?/ });
  expect(boxes.filter((box) => (box as HTMLInputElement).checked)).toHaveLength(1);
  for (const box of boxes) if (!(box as HTMLInputElement).checked) await user.click(box);
  await screen.findByText(`Branches, ${boxes.length} of ${boxes.length} chosen`);
  await user.click(screen.getByRole("button", { name: "Choose file…" }));
  await waitFor(() => expect(calls.some(({ name }) => name === "StartExport")).toBe(true));
  const args = calls.find(({ name }) => name === "StartExport")?.args;
  expect(args?.[0]).toMatchObject({ scope: "branches" });
  expect((args?.[0] as { leafUids: string[] } | undefined)?.leafUids).toHaveLength(boxes.length);
});

test("some turns of the path are exported", async () => {
  const { user, calls } = await renderApp(
    <Dialog target={{ sessionIds: [branched], leafUid: "" }} />,
    { sessions: 3 },
  );
  await user.click(await screen.findByRole("radio", { name: /Some turns/ }));
  const from = screen.getByRole<HTMLSelectElement>("combobox", { name: "From" });
  const to = screen.getByRole<HTMLSelectElement>("combobox", { name: "To" });
  const uids = [...from.options].map(({ value }) => value);
  expect(uids.length).toBeGreaterThan(1);
  await user.selectOptions(to, uids[0] ?? "");
  await user.selectOptions(from, uids[1] ?? "");
  expect(to.value).toBe(uids[1]);
  await user.click(screen.getByRole("button", { name: "Choose file…" }));
  await waitFor(() => expect(calls.some(({ name }) => name === "StartExport")).toBe(true));
  const args = calls.find(({ name }) => name === "StartExport")?.args;
  expect(args?.[0]).toMatchObject({ scope: "turns", leafUids: [uids[1]], fromUid: uids[1] });
});

test("a passphrase is typed twice", async () => {
  const { user } = await renderApp(<Dialog target={{ sessionIds: [branched], leafUid: "" }} />, {
    sessions: 3,
  });
  await user.click(await screen.findByRole("checkbox", { name: /Encrypt with a passphrase/ }));
  const start = screen.getByRole<HTMLButtonElement>("button", { name: "Choose file…" });
  expect(start.disabled).toBe(true);
  await user.type(screen.getByLabelText("Passphrase"), "horse");
  await user.type(screen.getByLabelText("The same passphrase again"), "hose");
  screen.getByText("The passphrases differ.");
  expect(start.disabled).toBe(true);
  await user.clear(screen.getByLabelText("The same passphrase again"));
  await user.type(screen.getByLabelText("The same passphrase again"), "horse");
  expect(start.disabled).toBe(false);
});

test("the whole library is exported to a folder", async () => {
  const { user, calls } = await renderApp(<Dialog target={{ sessionIds: [], leafUid: "" }} />, {
    sessions: 3,
  });
  await screen.findByRole("dialog", { name: "Export library" });
  expect(screen.queryByRole("radio", { name: /Chosen branches/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Choose file…" }));
  await waitFor(() => expect(calls.some(({ name }) => name === "StartExport")).toBe(true));
  const args = calls.find(({ name }) => name === "StartExport")?.args;
  expect(args?.[0]).toMatchObject({ sessionIds: [], all: true, leafUids: [] });
});

test("the user sees what is redacted, adds words and keeps values", async () => {
  const { user, calls } = await renderApp(
    <Dialog target={{ sessionIds: [branched], leafUid: "" }} />,
    { sessions: 3 },
  );
  await user.click(await screen.findByRole("checkbox", { name: /Redact secrets/ }));
  await user.type(screen.getByRole("textbox", { name: /Own words/ }), "Falcon, Gale");
  await user.click(screen.getByRole("button", { name: "Preview what is replaced" }));
  await screen.findByRole("checkbox", { name: /^Falcon/ });
  await screen.findByRole("checkbox", { name: /^Gale/ });
  await user.click(screen.getByRole("checkbox", { name: /ann@example.org/ }));
  await user.click(screen.getByRole("button", { name: "Choose file…" }));
  await waitFor(() => expect(calls.some(({ name }) => name === "StartExport")).toBe(true));
  const [request] = calls.find(({ name }) => name === "StartExport")?.args ?? [];
  expect(request).toMatchObject({ redact: true, words: ["Falcon", "Gale"], keep: ["e1"] });
});
