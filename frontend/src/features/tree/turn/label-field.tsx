import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Label } from "@/actions/session-changes";
import { Button } from "@/components/form/button";
import { t } from "@/lib/i18n/i18n";
import { ColorChoice } from "./color-choice";

interface LabelFieldProps {
  label: string;
  /** The color of the label; empty: none. */
  color: string;
  /** Its distance from the top of the pane. */
  top: number;
  room: number;
  onSave: (label: Label) => void;
  onClose: () => void;
}

const height = 168;
/** Longer names are of no use in a list. */
const longest = 80;

/** A field beside the tree to name a turn. Enter saves, Esc leaves it; the focus returns to where it was. */
export function LabelField({ label, color, top, room, onSave, onClose }: LabelFieldProps) {
  const [text, setText] = useState(label);
  const [chosen, setChosen] = useState(color);
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  // Before the next key is heard, which is already part of the label.
  useLayoutEffect(() => {
    const before = document.activeElement;
    input.current?.focus();
    input.current?.select();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    const closeOutside = (event: PointerEvent) => {
      if (!form.current?.contains(event.target as Node)) onClose();
    };
    window.addEventListener("pointerdown", closeOutside);
    return () => window.removeEventListener("pointerdown", closeOutside);
  }, [onClose]);
  const save = (next: string) => {
    onSave({ text: next.trim(), color: chosen });
    onClose();
  };
  return (
    <form
      ref={form}
      style={{ top: Math.max(8, Math.min(top, room - height)) }}
      className="absolute inset-x-3 z-40 animate-appear rounded-lg border border-border bg-surface p-3 shadow-float"
      onSubmit={(event) => {
        event.preventDefault();
        save(text);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <label className="block text-sm text-text-2">
        {t("Label of this turn")}
        <input
          ref={input}
          value={text}
          maxLength={longest}
          dir="auto"
          onChange={(event) => setText(event.target.value)}
          placeholder={t("plan, dead end, keep …")}
          className="mt-1 h-7 w-full rounded border border-border-strong bg-surface px-2 text-base text-text"
        />
      </label>
      <ColorChoice value={chosen} onChange={setChosen} />
      <div className="mt-3 flex justify-end gap-2">
        {label !== "" && (
          <Button variant="quiet" className="me-auto" onClick={() => save("")}>
            {t("Remove")}
          </Button>
        )}
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={text.trim() === "" || (text.trim() === label && chosen === color)}
        >
          {t("Save")}
        </Button>
      </div>
    </form>
  );
}
