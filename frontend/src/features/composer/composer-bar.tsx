import { ImagePlus } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "@/components/form/icon-button";
import { t } from "@/lib/i18n/i18n";
import { catalogMs } from "@/lib/session/choice";
import { AgentPicker } from "./agent-picker";
import { LimitsPopover } from "./choice/limits-popover";
import { ModePicker } from "./choice/mode-picker";
import { ModelPicker } from "./choice/model-picker";
import { imageFiles, imageTypes } from "./draft/images";
import { SendButtons } from "./send/send-buttons";
import { TeamModels } from "./team-models";
import type { Composing } from "./use-composer";

interface ComposerBarProps {
  composer: Composing;
  isNew: boolean;
  onFiles: (files: readonly File[]) => void;
  /** The choice of a model is made. */
  onChosen: () => void;
}

/** The line below the field: agent, model, mode and limits, images, and the button that sends. */
export function ComposerBar({ composer, isNew, onFiles, onChosen }: ComposerBarProps) {
  const { task, choice, changeChoice, options, settled, running } = composer;
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div className="flex items-center gap-2 px-2 pb-2 tight:flex-wrap @max-[440px]:flex-wrap">
      <AgentPicker composer={composer} />
      {settled.team ? (
        <TeamModels composer={composer} team={settled.team} />
      ) : (
        <ModelPicker
          model={settled.model}
          options={options.data}
          isFetching={options.isFetching}
          error={options.error}
          open={composer.picking}
          onOpen={(open) => {
            composer.setPicking(open);
            if (open && Date.now() - options.dataUpdatedAt > catalogMs) void options.refetch();
          }}
          onLook={() => void options.refetch()}
          onChoose={composer.chooseModel}
          onChosen={onChosen}
          beside={composer.beside}
          onAdd={composer.addBeside}
          onDrop={composer.dropBeside}
        />
      )}
      <ModePicker
        mode={settled.mode}
        ofEach={settled.team !== undefined}
        sandbox={options.data?.sandbox ?? ""}
        onChoose={(mode) => changeChoice({ mode })}
      />
      <LimitsPopover
        choice={choice}
        info={settled.info}
        options={options.data}
        onChange={changeChoice}
      />
      <IconButton
        icon={ImagePlus}
        label={t("Add images")}
        side="top"
        onClick={() => chooser.current?.click()}
      />
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept={imageTypes}
        onChange={({ target }) => {
          onFiles(imageFiles(target.files ?? []));
          target.value = "";
        }}
      />
      <span className="flex-1" />
      <SendButtons
        isNew={isNew}
        running={running}
        stopping={composer.stopping}
        starting={composer.starter.starting}
        empty={composer.empty && task.kind !== "regenerate"}
        cannot={composer.cannot}
        onSend={composer.send}
        onStop={composer.stop}
      />
    </div>
  );
}
