import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { api, type Settings } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { runCommand } from "@/lib/keys/commands";
import { installFake } from "@/testing/fake-api";
import { stepZoom, useAppearance } from "./appearance";

test.each([
  [100, 1, 110],
  [100, -1, 90],
  [105, 1, 110],
  [105, -1, 100],
  [300, 1, 300],
  [50, -1, 50],
] as const)("from %s %% by %s to %s %%", (from, step, to) => {
  expect(stepZoom(from, step)).toBe(to);
});

test("each press zooms on from the one before, though Go still answers what was set earlier; one save at a time, the newest next", async () => {
  installFake({ sessions: 0 });
  const saved: (() => void)[] = [];
  const set = vi
    .spyOn(api, "setSettings")
    .mockImplementation(() => new Promise((done) => saved.push(done)));
  const saves = () => set.mock.calls.map(([{ zoomPercent }]) => zoomPercent);
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const earlier = { zoomPercent: 100 } as Settings;
  client.setQueryData(keys.settings(), earlier);
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client }, children);
  renderHook(useAppearance, { wrapper });
  for (let press = 0; press < 3; press++)
    await act(async () => {
      runCommand("zoom-in");
      client.setQueryData(keys.settings(), earlier);
    });
  expect(saves()).toEqual([110]);
  await act(async () => saved[0]?.());
  expect(saves()).toEqual([110, 150]);
  await act(async () => saved[1]?.());
  await act(async () => runCommand("zoom-in"));
  expect(saves()).toEqual([110, 150, 175]);
});
