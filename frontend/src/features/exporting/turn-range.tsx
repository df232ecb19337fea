import { SelectField } from "@/components/form/field";
import type { ExportParts } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

/** The first and the last turn, by the uids of their last messages. */
export interface Range {
  from: string;
  to: string;
}

type Turn = ExportParts["turns"][number];

interface TurnRangeProps {
  turns: readonly Turn[];
  range: Range;
  onRange: (range: Range) => void;
}

/** Two lists of the turns of a path: the first and the last turn to export. */
export function TurnRange({ turns, range, onRange }: TurnRangeProps) {
  const at = (uid: string) => turns.findIndex((turn) => turn.uid === uid);
  return (
    <div className="grid grid-cols-2 gap-3 tiny:grid-cols-1">
      <SelectField
        label={t("From")}
        value={range.from}
        onChange={({ target: { value } }) =>
          onRange({ from: value, to: at(range.to) < at(value) ? value : range.to })
        }
      >
        <Options turns={turns} />
      </SelectField>
      <SelectField
        label={t("To")}
        value={range.to}
        onChange={({ target: { value } }) =>
          onRange({ from: at(range.from) > at(value) ? value : range.from, to: value })
        }
      >
        <Options turns={turns} />
      </SelectField>
    </div>
  );
}

function Options({ turns }: { turns: readonly Turn[] }) {
  return turns.map(({ uid, node, title }) => (
    <option key={uid} value={uid}>
      {`n${node} · ${title || t("(no text)")}`}
    </option>
  ));
}

/** The messages of the turns from the first to the last one. */
export function countMessages(turns: readonly Turn[], { from, to }: Range): number {
  const first = turns.findIndex(({ uid }) => uid === from);
  const last = turns.findIndex(({ uid }) => uid === to);
  return turns.slice(first, last + 1).reduce((sum, { messages }) => sum + messages, 0);
}
