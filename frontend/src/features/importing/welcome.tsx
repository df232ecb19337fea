import { Lock, Sprout } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/form/button";
import { EncryptDialog } from "@/components/overlay/encrypt-dialog";
import { t } from "@/lib/i18n/i18n";
import { useLibraryState } from "@/lib/library/library-state";
import { ChooseButtons } from "./choose-buttons";
import { SourceList } from "./source-list";
import type { Importing } from "./use-import";

/** The first start: an empty library describes its purpose and offers an import. */
export function Welcome({ importing }: { importing: Importing }) {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex min-h-full max-w-[620px] flex-col justify-center px-6 py-10">
        <Sprout size={28} className="mb-4 text-accent" aria-hidden="true" />
        <h2 className="text-2xl font-semibold">{t("Every conversation, one tree each")}</h2>
        <p className="mt-2 text-xl text-text-2">
          {t(
            "Coppice keeps your conversations with AI agents in one file on this machine. Search all of them, go back to any point, and follow every branch.",
          )}
        </p>
        <h3 className="mt-8 mb-2 text-sm text-text-3">{t("Found on this machine")}</h3>
        <SourceList onImport={importing.start} />
        <div className="mt-4">
          <ChooseButtons importing={importing} samples="plain" />
        </div>
        <EncryptChoice />
        <p className="mt-4 text-text-3">
          {t("Or drop files on this window. Other tools' files are only read, never changed.")}
        </p>
      </div>
    </div>
  );
}

/** The choice to encrypt a library before something is in it. */
function EncryptChoice() {
  const { data: state } = useLibraryState();
  const [asking, setAsking] = useState(false);
  if (!state || (state.encrypted && !asking)) return null;
  return (
    <div className="mt-6 flex flex-wrap items-center gap-3 border-t border-border pt-4">
      <p className="min-w-0 flex-1 text-text-2">
        {t("The library is not encrypted: any program of yours can read its file.")}
      </p>
      <Button onClick={() => setAsking(true)}>
        <Lock size={16} aria-hidden="true" />
        {t("Encrypt…")}
      </Button>
      <EncryptDialog open={asking} onClose={() => setAsking(false)} />
    </div>
  );
}
