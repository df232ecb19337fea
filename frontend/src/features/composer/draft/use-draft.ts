import { useCallback } from "react";
import type { Upload } from "@/lib/api/api";
import {
  setDraftImages,
  useDraftCitations,
  useDraftImages,
  useDraftText,
  withImages,
} from "./drafts";

/** A prompt that is not sent yet: its text, its images, and the messages that it quotes. */
export function useDraft(name: string) {
  const [text, writeText] = useDraftText(name);
  const [citations, setCitations] = useDraftCitations(name);
  const images = useDraftImages(name);
  const setText = (text: string) => {
    writeText(text);
    if (text.trim() === "") setCitations(() => []);
  };
  return {
    name,
    text,
    setText,
    images,
    addImages: useCallback(
      (more: readonly Upload[]) => setDraftImages(name, (now) => withImages(now, more)),
      [name],
    ),
    removeImage: (at: number) =>
      setDraftImages(name, (now) => now.filter((_, index) => index !== at)),
    citations,
    setCitations,
    dropCitation: (uid: string) => setCitations((now) => now.filter((one) => one.uid !== uid)),
    empty: text.trim() === "" && images.length === 0,
    clear: () => {
      setText("");
      setDraftImages(name, () => []);
    },
  };
}
