import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { composerOptions } from "@/testing/fake-run";
import { renderApp } from "@/testing/render-app";
import { ModelPicker } from "./model-picker";

const sonnet = "anthropic/claude-sonnet-5";
const haiku = "anthropic/claude-haiku-5";

async function drawn(model = sonnet) {
  const onChoose = vi.fn();
  function Picker() {
    const [beside, setBeside] = useState<readonly string[]>([]);
    const [open, setOpen] = useState(true);
    return (
      <ModelPicker
        model={model}
        options={composerOptions("")}
        isFetching={false}
        error={null}
        open={open}
        onOpen={setOpen}
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
  return { user, onChoose, chips };
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
