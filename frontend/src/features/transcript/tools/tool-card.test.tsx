import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { MessageView } from "@/lib/api/api";
import { block, tool } from "@/testing/fake-blocks";
import { renderApp } from "@/testing/render-app";
import { Folds } from "../path/folds";
import { TranscriptContext, type TranscriptScope } from "../scope";
import { Media } from "./media";
import { ToolCard } from "./tool-card";

const shot = block({
  type: "media",
  mimeType: "image/png",
  blob: "sha256:a",
  name: "shot.png",
  width: 640,
  height: 480,
});

test("the images that a tool gave are seen below its closed card, and once in the open one", async () => {
  const scope = { session: { id: "s" }, folds: new Folds(), wide: false };
  const card = {
    message: { uid: "m" } as MessageView,
    block: tool("screenshot", "the page", { images: [shot] }),
  };
  const { bindings, user } = await renderApp(
    <TranscriptContext value={scope as unknown as TranscriptScope}>
      <ToolCard card={card} />
    </TranscriptContext>,
  );
  const structured = { name: "", value: "", html: "", long: false, list: false, cut: false };
  bindings.GetToolDetail = async () => ({ arguments: [], diffs: [], result: [shot], structured });
  const image = screen.getByRole<HTMLImageElement>("img", { name: "shot.png" });
  expect(image.src).toContain("sha256%3Aa");
  await user.click(screen.getByRole("button", { name: /screenshot/ }));
  await screen.findByRole("button", { name: "shot.png: show larger" });
  expect(screen.getAllByRole("img", { name: "shot.png" })).toHaveLength(1);
});

test.each([
  ["file-service://file-8Yx", "not included in the session"],
  ["https://example.com/a.png", "https://example.com/a.png"],
  ["/home/ann/a.png", "/home/ann/a.png"],
])(
  "an image whose bytes are not here says where it is, if that leads somewhere (%s)",
  async (text, words) => {
    await renderApp(<Media block={block({ ...shot, blob: "", text })} />);
    expect(screen.getByTitle(text).textContent).toBe(words);
  },
);
