import { act, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { createStore, Listeners, useStore } from "./store";

test("a component follows the part that it selects, and no other", () => {
  const store = createStore({ name: "a", count: 1 });
  let renders = 0;
  function Name() {
    renders++;
    return <p>{useStore(store, ({ name }) => name)}</p>;
  }
  render(<Name />);
  act(() => store.set({ name: "a", count: 2 }));
  expect(renders).toBe(1);
  act(() => store.set({ name: "b", count: 2 }));
  expect(screen.getByText("b")).toBeTruthy();
  expect(renders).toBe(2);
});

test("setting the same value calls nobody", () => {
  const store = createStore(1);
  const seen: number[] = [];
  const unsubscribe = store.subscribe(() => seen.push(store.get()));
  store.set(1);
  store.set(2);
  unsubscribe();
  store.set(3);
  expect(seen).toEqual([2]);
});

test("a listener may remove itself or add others while the event is delivered", () => {
  const listeners = new Listeners<[string]>();
  const calls: string[] = [];
  const remove = listeners.add((word) => {
    calls.push(`first ${word}`);
    remove();
    listeners.add((word) => calls.push(`added ${word}`));
  });
  listeners.add((word) => calls.push(`second ${word}`));
  listeners.notify("one");
  expect(calls).toEqual(["first one", "second one"]);
  expect(listeners.size).toBe(2);
  listeners.notify("two");
  expect(calls.slice(2)).toEqual(["second two", "added two"]);
});
