import { LocateFixed, Maximize, Minus, MoveDown, MoveRight, Plus } from "lucide-react";
import { IconButton } from "@/components/form/icon-button";
import { t } from "@/lib/i18n/i18n";
import { commandSpec } from "@/lib/keys/commands";
import type { Orientation } from "./map-view";

interface MapControlsProps {
  onZoom: (factor: number) => void;
  onFit: () => void;
  onCurrent: () => void;
  orientation: Orientation;
  onTurn: () => void;
}

const step = 1.5;

/** The map's buttons, in a corner of it. */
export function MapControls(props: MapControlsProps) {
  const { onZoom, onFit, onCurrent, orientation, onTurn } = props;
  return (
    <div className="flex h-9 flex-none items-center border-t border-border px-2">
      <IconButton icon={Plus} label={t("Zoom in")} keys="+" onClick={() => onZoom(step)} />
      <IconButton
        icon={Minus}
        label={t("Zoom out")}
        keys="Minus"
        onClick={() => onZoom(1 / step)}
      />
      <IconButton icon={Maximize} label={t("Zoom to fit")} keys="0" onClick={onFit} />
      <IconButton
        icon={LocateFixed}
        label={t("Go to the current turn")}
        keys="Home"
        onClick={onCurrent}
      />
      <IconButton
        icon={orientation === "down" ? MoveRight : MoveDown}
        label={commandSpec("turn-map").title}
        keys="O"
        onClick={onTurn}
      />
    </div>
  );
}
