import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { useCommand } from "@/lib/keys/commands";
import { composerOptions } from "@/testing/fake-run";
import { renderApp } from "@/testing/render-app";
import { ModelPicker } from "./model-picker";

const sonnet = "anthropic/claude-sonnet-5";
const haiku = "anthropic/claude-haiku-5";

async function drawn(model = sonnet, options = composerOptions("")) {
  const onChoose = vi.fn();
  const onLook = vi.fn();
  const onKeys = vi.fn();
  function Picker() {
    const [beside, setBeside] = useState<readonly string[]>([]);
    const [open, setOpen] = useState(true);
    useCommand("model-keys", onKeys);
    return (
      <ModelPicker
        model={model}
        options={options}
        isFetching={false}
        error={null}
        open={open}
        onOpen={setOpen}
        onLook={onLook}
        onChoose={onChoose}
        onChosen={() => {}}
        beside={beside}
        onAdd={(one) => setBeside((now) => [...now, one])}
        onDrop={(at) => setBeside((now) => now.filter((_, index) => index !== at))}
      />
    );
  }
  const { user } = await renderApp(<Picker />);
  const chips = () =>
    screen.queryAllByRole("button", { name: /^Do not ask/ }).map((chip) => chip.textContent);
  return { user, onChoose, onLook, onKeys, chips };
}

test("a model is asked too by its plus, the same one twice, and taken away alone", async () => {
  const { user, onChoose, chips } = await drawn();
  const plus = screen.getByTitle(`Ask ${haiku} too, side by side`);
  await user.click(plus);
  await user.click(plus);
  expect(chips()).toEqual(["claude-haiku-5", "claude-haiku-5"]);
  expect(onChoose).not.toHaveBeenCalled();
  await user.click(
    screen.getAllByRole("button", { name: `Do not ask ${haiku} too` })[0] as Element,
  );
  expect(chips()).toEqual(["claude-haiku-5"]);
});

test("Shift and Enter ask the marked one too, Enter alone chooses it", async () => {
  const { user, onChoose, chips } = await drawn();
  await user.type(screen.getByPlaceholderText(/^Find a model/), "haiku");
  await user.keyboard("{Shift>}{Enter}{/Shift}");
  expect(chips()).toEqual(["claude-haiku-5"]);
  expect(onChoose).not.toHaveBeenCalled();
  await user.keyboard("{Enter}");
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(haiku);
});

test("a model that is not listed can be asked too", async () => {
  const { user, chips } = await drawn();
  await user.type(screen.getByPlaceholderText(/^Find a model/), "vendor/new-one");
  await user.keyboard("{Shift>}{Enter}{/Shift}");
  expect(chips()).toEqual(["new-one"]);
});

test("where no model is chosen none can be asked beside it", async () => {
  const { user, chips } = await drawn("");
  expect(screen.queryByTitle(/too, side by side$/)).toBeNull();
  expect(screen.queryByText(/asks one more/)).toBeNull();
  await user.type(screen.getByPlaceholderText(/^Find a model/), "haiku");
  await user.keyboard("{Shift>}{Enter}{/Shift}");
  expect(chips()).toEqual([]);
});

test("where no model is reachable, keys and another look are a key press away", async () => {
  const all = composerOptions("");
  const models = all.models.filter(({ provider }) => provider === "script");
  const hint = "Set OPENAI_API_KEY, or run in a terminal: coppice config key set openai";
  const problems = [{ provider: "openai", message: "no API key for openai", hint }];
  const { user, onChoose, onLook, onKeys } = await drawn("", { ...all, models, problems });
  screen.getByText(hint);
  screen.getByRole("button", { name: "Look again" }).focus();
  await user.keyboard("{Enter}");
  expect(onLook).toHaveBeenCalledOnce();
  screen.getByRole("button", { name: "Model keys…" }).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(onKeys).toHaveBeenCalledOnce());
  expect(screen.queryByPlaceholderText(/^Find a model/)).toBeNull();
  expect(onChoose).not.toHaveBeenCalled();
});
