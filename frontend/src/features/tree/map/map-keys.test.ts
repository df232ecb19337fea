import { describe, expect, it } from "vitest";
import { sketch } from "@/testing/fake-sketch";
import { layOut } from "../layout/layout";
import { mapKey } from "./map-keys";

// The path n0 n1 n2; n3 is a child of n1 with n4 behind it, n5 on n2.
const layout = layOut({ ...sketch([-1, 0, 1, 1, 3, 2]), branch: Int32Array.of(0, 0, 0, 1, 1, 2) });
const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

describe("the map's keys", () => {
  it.each([
    ["ArrowUp", 3, 1],
    ["ArrowDown", 1, 2],
    ["ArrowDown", 2, 5],
    ["ArrowRight", 1, 3],
    ["ArrowLeft", 4, 1],
  ])("%s goes from n%i to n%i", (key, from, to) => {
    expect(mapKey({ ...none, key }, layout, from)).toEqual({ do: "select", turn: to });
  });

  it.each([
    ["ArrowUp", 0],
    ["ArrowDown", 4],
    ["ArrowRight", 0],
    ["ArrowLeft", 1],
    ["ArrowDown", -1],
    ["x", 0],
  ])("%s on n%i does nothing", (key, from) => {
    expect(mapKey({ ...none, key }, layout, from)).toBeUndefined();
  });

  it("go to alternatives with Alt", () => {
    const alt = { ...none, altKey: true };
    expect(mapKey({ ...alt, key: "ArrowDown" }, layout, 2)).toEqual({ do: "select", turn: 3 });
    expect(mapKey({ ...alt, key: "ArrowUp" }, layout, 3)).toEqual({ do: "select", turn: 2 });
    expect(mapKey({ ...alt, key: "ArrowUp" }, layout, 2)).toBeUndefined();
  });

  it("zoom with and without Ctrl", () => {
    for (const ctrlKey of [false, true]) {
      expect(mapKey({ ...none, ctrlKey, key: "+" }, layout, 0)).toEqual({
        do: "zoom",
        factor: 1.25,
      });
      expect(mapKey({ ...none, ctrlKey, key: "-" }, layout, 0)).toEqual({
        do: "zoom",
        factor: 0.8,
      });
      expect(mapKey({ ...none, ctrlKey, key: "0" }, layout, 0)).toEqual({ do: "fit" });
    }
  });

  it("view, continue and label", () => {
    expect(mapKey({ ...none, key: "Enter" }, layout, 3)).toEqual({ do: "view-turn", turn: 3 });
    expect(mapKey({ ...none, ctrlKey: true, key: "Enter" }, layout, 3)).toEqual({
      do: "continue-turn",
      turn: 3,
    });
    expect(mapKey({ ...none, key: "l" }, layout, 3)).toEqual({ do: "label-turn", turn: 3 });
    expect(mapKey({ ...none, key: "Home" }, layout, -1)).toEqual({ do: "current" });
    expect(mapKey({ ...none, shiftKey: true, key: "ArrowDown" }, layout, 3)).toEqual({
      do: "pan",
      right: 0,
      down: 60,
    });
  });
});
