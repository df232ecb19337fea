import { FileUp, FolderUp } from "lucide-react";
import { Button } from "@/components/form/button";
import { t } from "@/lib/i18n/i18n";
import type { Importing } from "./use-import";

interface ChooseButtonsProps {
  importing: Importing;
  /** How the sample library is offered: quietly, beside the user's own sessions. */
  samples: "plain" | "quiet";
}

/** What is imported from elsewhere than the places that are known. */
export function ChooseButtons({ importing, samples }: ChooseButtonsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={importing.chooseFiles}>
        <FileUp size={16} aria-hidden="true" />
        {t("Choose files…")}
      </Button>
      <Button onClick={importing.chooseFolder}>
        <FolderUp size={16} aria-hidden="true" />
        {t("Choose a folder…")}
      </Button>
      <Button variant={samples} onClick={importing.loadSamples}>
        {t("Load the sample library")}
      </Button>
    </div>
  );
}
