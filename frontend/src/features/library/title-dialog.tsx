import { useQuery } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { type ReactNode, useState } from "react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { SelectField } from "@/components/form/field";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { Dialog } from "@/components/overlay/dialog";
import { api, type Session, toApiError } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatCost, formatPlural, formatTokens } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { refOf, useComposerOptions } from "@/lib/session/choice";

interface Titling {
  /** The entry of a menu that lets a model write the titles of sessions. */
  entry: (about: readonly Session[]) => MenuEntry;
  dialog: ReactNode;
}

/** Returns the menu entry for titles by a model, and the dialog that it opens. */
export function useTitling(): Titling {
  const [ids, setIDs] = useState<string[]>();
  return {
    entry: (about) => ({
      title: t("Write title with a model…"),
      icon: Sparkles,
      onSelect: () => setIDs(about.map(({ id }) => id)),
    }),
    dialog: ids && <TitleDialog ids={ids} onClose={() => setIDs(undefined)} />,
  };
}

/** Shows what titles by a model would cost, and lets the model write them. */
function TitleDialog({ ids, onClose }: { ids: string[]; onClose: () => void }) {
  const options = useComposerOptions("", "");
  const [chosen, choose] = useState("");
  const [busy, setBusy] = useState(false);
  const model = chosen || options.data?.model || "";
  const estimate = useQuery({
    queryKey: keys.titleEstimate(ids, model),
    queryFn: () => api.estimateTitles(ids, model),
    enabled: model !== "",
    retry: false,
  });
  const write = async () => {
    setBusy(true);
    await writeTitles(ids, model);
    onClose();
  };
  const { data, error } = estimate;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Write title with a model")}
      description={t(
        "The model receives the beginnings of the first prompts and of the last answer, and the names of changed files.",
      )}
      footer={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button variant="primary" disabled={busy || !data?.sessions} onClick={() => void write()}>
            {busy ? t("Writing…") : plural(ids.length, "Write title", "Write titles")}
          </Button>
        </>
      }
    >
      <SelectField
        label={t("Model")}
        data-autofocus=""
        value={model}
        onChange={({ target }) => choose(target.value)}
      >
        {model === "" && <option value="">{t("Loading models…")}</option>}
        {options.data?.models.map((info) => (
          <option key={refOf(info)} value={refOf(info)}>
            {refOf(info)}
          </option>
        ))}
        {model !== "" && !options.data?.models.some((info) => refOf(info) === model) && (
          <option value={model}>{model}</option>
        )}
      </SelectField>
      <p className="mt-3 min-h-10 text-sm text-text-2">
        {data && (
          <>
            {t("{{titles}}: {{tokens}}, {{cost}}.", {
              titles: formatPlural(data.sessions, "title"),
              tokens: formatTokens(data.tokens),
              cost: costWords(data.costNanoUsd),
            })}
            {data.own > 0 && (
              <span className="block">
                {plural(
                  data.own,
                  "{{count}} title of your own stays.",
                  "{{count}} titles of your own stay.",
                )}
              </span>
            )}
          </>
        )}
        {error && (
          <span role="alert" className="text-error">
            {toApiError(error).message}
          </span>
        )}
      </p>
    </Dialog>
  );
}

function costWords(nanoUsd: number | null | undefined): string {
  return nanoUsd === null || nanoUsd === undefined
    ? t("unknown cost")
    : t("about {{cost}}", { cost: formatCost(nanoUsd) });
}

async function writeTitles(ids: string[], model: string): Promise<void> {
  const failed = t("Could not write the titles");
  try {
    const { written, failed: count, error, costNanoUsd } = await api.writeTitles(ids, model);
    if (count > 0) return toastError(failed, { code: "", message: error, hint: "", remedy: "" });
    const cost = costNanoUsd === null || costNanoUsd === undefined ? "" : formatCost(costNanoUsd);
    const done = plural(written, "Wrote {{count}} title", "Wrote {{count}} titles");
    toastDone(cost ? `${done} · ${cost}` : done);
  } catch (error) {
    toastError(failed, error);
  }
}
