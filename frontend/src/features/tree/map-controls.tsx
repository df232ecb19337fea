import { LocateFixed, Maximize, Minus, Plus } from "lucide-react";
import { IconButton } from "@/components/icon-button";

interface MapControlsProps {
  onZoom: (factor: number) => void;
  onFit: () => void;
  onCurrent: () => void;
}

const step = 1.5;

/** The map's buttons, in the bar above it. */
export function MapControls({ onZoom, onFit, onCurrent }: MapControlsProps) {
  return (
    <div className="absolute -top-[36px] right-2.5 flex">
      <IconButton icon={Plus} label="Zoom in" keys="+" onClick={() => onZoom(step)} />
      <IconButton icon={Minus} label="Zoom out" keys="Minus" onClick={() => onZoom(1 / step)} />
      <IconButton icon={Maximize} label="Zoom to fit" keys="0" onClick={onFit} />
      <IconButton
        icon={LocateFixed}
        label="Go to the current turn"
        keys="Home"
        onClick={onCurrent}
      />
    </div>
  );
}
