import { Checkbox } from "@/components/form/checkbox";
import { RadioCards } from "@/components/form/radio-cards";
import type { ExportParts, ExportRequest, Session } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import {
  allowsDetail,
  allowsJson,
  allowsScope,
  details,
  type ExportOptions,
  type Scope,
} from "./export-options";
import { FormatChoice } from "./format-choice";
import { Passphrase } from "./passphrase";
import { Redaction } from "./redaction";
import { countMessages, type Range, TurnRange } from "./turn-range";

/** The sessions to export, and what can be chosen of one. */
export interface Contents {
  sessions: Session[];
  /** Of one session. */
  parts?: ExportParts;
  /** All sessions of the library. */
  isLibrary: boolean;
}

interface ExportFormProps {
  options: ExportOptions;
  contents: Contents | undefined;
  /** Whether the path is the one on screen. */
  isOnScreen: boolean;
  /** The ends of the chosen branches. */
  leaves: readonly string[];
  /** What would be exported; undefined until it is known. */
  request: ExportRequest | undefined;
  onSubmit: () => void;
  onKeep: (ids: string[]) => void;
  onChange: (part: Partial<ExportOptions>) => void;
  onLeaves: (leaves: string[]) => void;
  /** The first and the last turn of the scope turns. */
  range: Range;
  onRange: (range: Range) => void;
  /** The colors of a PNG. */
  theme: "light" | "dark";
  onTheme: (theme: "light" | "dark") => void;
  /** Encrypts a page; undefined: it is not encrypted. */
  passphrase: string | undefined;
  onPassphrase: (passphrase: string | undefined) => void;
}

/** What to export and how. */
export function ExportForm(props: ExportFormProps) {
  const { options, contents, leaves, onChange, onLeaves } = props;
  const sessions = contents?.parts ? 1 : 2;
  return (
    <form
      id="export"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      <FormatChoice value={options.format} onChange={(format) => onChange({ format })} />
      {options.format === "png" && (
        <RadioCards
          label={t("Colors")}
          value={props.theme}
          onChange={props.onTheme}
          cards={[
            { value: "light", title: t("Light"), text: t("For paper and documents") },
            { value: "dark", title: t("Dark"), text: t("For dark slides") },
          ]}
        />
      )}
      <RadioCards
        label={t("What")}
        wrap
        value={options.scope}
        onChange={(scope) => onChange({ scope })}
        cards={scopes(contents, props.isOnScreen, props.range).filter(({ value }) =>
          allowsScope(options.format, value, sessions),
        )}
      />
      {options.scope === "branches" && contents?.parts && (
        <BranchList parts={contents.parts} leaves={leaves} onLeaves={onLeaves} />
      )}
      {options.scope === "turns" && contents?.parts && (
        <TurnRange turns={contents.parts.turns} range={props.range} onRange={props.onRange} />
      )}
      {allowsDetail(options.format, "compact") && (
        <RadioCards
          label={t("Detail")}
          value={options.detail}
          onChange={(detail) => onChange({ detail })}
          cards={details().map(({ detail, title, text }) => ({ value: detail, title, text }))}
        />
      )}
      {allowsJson(options.format, options.scope) && (
        <Checkbox
          title={t("Include the JSON")}
          text={t("Coppice can import the page again, with everything that this selection has.")}
          checked={options.withJson}
          onChange={(withJson) => onChange({ withJson })}
        />
      )}
      {options.format === "html" && (
        <Passphrase value={props.passphrase} onChange={props.onPassphrase} />
      )}
      <Checkbox
        title={t("Redact secrets")}
        text={t(
          "Keys, passwords, e-mail addresses and home folders that are recognised are replaced. Images are not changed. Read the result before you share it.",
        )}
        checked={options.redact}
        onChange={(redact) => onChange({ redact })}
      />
      {options.redact && (
        <Redaction
          request={props.request}
          onWords={(words) => onChange({ words })}
          onKeep={props.onKeep}
        />
      )}
    </form>
  );
}

function scopes(
  contents: Contents | undefined,
  isOnScreen: boolean,
  range: Range,
): { value: Scope; title: string; text: string }[] {
  const parts = contents?.parts;
  const messages = (count: number | undefined) =>
    count === undefined ? "" : formatPlural(count, "message");
  const session = parts && contents?.sessions[0];
  const branches = parts && formatPlural(parts.branchCount, "branch", "branches");
  return [
    {
      value: "path",
      title: isOnScreen && parts ? t("The path on screen") : t("The current branch"),
      text: messages(parts?.pathMessages) || t("without the other branches"),
    },
    {
      value: "alternatives",
      title: t("With alternatives"),
      text: t("the path, with branches folded"),
    },
    {
      value: "branches",
      title: t("Chosen branches"),
      text: parts ? plural(parts.branchCount, "of {{count}} branch", "of {{count}} branches") : "",
    },
    { value: "turn", title: t("The last turn"), text: messages(parts?.turnMessages) },
    {
      value: "turns",
      title: t("Some turns"),
      text: messages(parts && countMessages(parts.turns, range)),
    },
    {
      value: "tree",
      title: t("The whole tree"),
      text:
        session && branches
          ? t("{{messages}} in {{branches}}", {
              messages: messages(session.messageCount),
              branches,
            })
          : t("every branch"),
    },
  ];
}

interface BranchListProps {
  parts: ExportParts;
  leaves: readonly string[];
  onLeaves: (leaves: string[]) => void;
}

/** The branches of a session, to choose from. */
function BranchList({ parts, leaves, onLeaves }: BranchListProps) {
  const left = parts.branchCount - parts.branches.length;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm text-text-3">
        {t("Branches, {{chosen}} of {{total}} chosen", {
          chosen: leaves.length,
          total: parts.branchCount,
        })}
      </legend>
      <div className="flex max-h-48 flex-col gap-2 overflow-y-auto rounded border border-border p-3">
        {parts.branches.map(({ leafUid, title, messages, onPath }) => (
          <Checkbox
            key={leafUid}
            title={
              <span className="block truncate" title={title}>
                {title || t("(no text)")}
              </span>
            }
            text={
              onPath
                ? t("{{messages}}, the path on screen", {
                    messages: formatPlural(messages, "message"),
                  })
                : formatPlural(messages, "message")
            }
            checked={leaves.includes(leafUid)}
            onChange={(checked) =>
              onLeaves(checked ? [...leaves, leafUid] : leaves.filter((leaf) => leaf !== leafUid))
            }
          />
        ))}
        {left > 0 && (
          <p className="text-sm text-text-3">
            {plural(
              left,
              "{{count}} more branch cannot be chosen here.",
              "{{count}} more branches cannot be chosen here.",
            )}
          </p>
        )}
      </div>
    </fieldset>
  );
}
