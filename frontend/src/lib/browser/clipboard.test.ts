import { afterEach, expect, it, vi } from "vitest";
import { api } from "@/lib/api/api";
import { writeClipboard } from "./clipboard";

afterEach(() => vi.restoreAllMocks());

it("asks the system where the page may not", async () => {
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("no activation"));
  const system = vi.spyOn(api, "setClipboard").mockResolvedValue(true);
  expect(await writeClipboard("words")).toBe(true);
  expect(system).toHaveBeenCalledWith("words");
});

it("says when neither may", async () => {
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("no activation"));
  vi.spyOn(api, "setClipboard").mockRejectedValue(new Error("no window"));
  expect(await writeClipboard("words")).toBe(false);
});
