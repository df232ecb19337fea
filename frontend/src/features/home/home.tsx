import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorState } from "@/components/feedback/error-state";
import { Button } from "@/components/form/button";
import { SkippedFiles } from "@/components/session/skipped-files";
import { api, type Home as HomeLists, type Session } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { useNow } from "@/lib/browser/use-now";
import { formatAge, formatExact } from "@/lib/format/format";
import { reportWords } from "@/lib/format/report";
import { t } from "@/lib/i18n/i18n";
import { commandSpec, runCommand } from "@/lib/keys/commands";
import { HomeRow, type RowDetail } from "./home-row";
import { Week } from "./week";

/** A list of which the home page shows the beginning. */
export type HomeList = "unfinished" | "forked" | "expensive";

interface HomeProps {
  onOpen: (id: string) => void;
  /** Shows the whole of a list in the library. */
  onShow: (list: HomeList) => void;
}

const minuteMs = 60_000;

/** The page of a window without a session: where to continue, what was spent this week, and what was imported last. */
export function Home({ onOpen, onShow }: HomeProps) {
  const { data, error, refetch } = useQuery({ queryKey: keys.home(), queryFn: api.getHome });
  const nowMs = useNow(minuteMs, true);
  if (error && !data)
    return (
      <ErrorState
        title={t("Could not read the home page")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  return (
    <section
      data-pane-focus=""
      aria-label={t("Home")}
      tabIndex={-1}
      className="@container h-full overflow-y-auto outline-none"
    >
      <div className="mx-auto flex max-w-[920px] flex-col gap-6 px-6 pt-5 pb-8">
        <h2 className="px-2 text-2xl font-semibold">{t("Home")}</h2>
        {data && <Lists {...{ data, nowMs, onOpen, onShow }} />}
      </div>
    </section>
  );
}

interface ListsProps extends HomeProps {
  data: HomeLists;
  nowMs: number;
}

function Lists({ data, nowMs, onOpen, onShow }: ListsProps) {
  const list = (sessions: readonly Session[], detail: RowDetail, roomy = false) => (
    <Rows {...{ sessions, detail, roomy, nowMs, onOpen }} />
  );
  return (
    <>
      <Part title={t("Continue")}>{list(data.recent, "age", true)}</Part>
      <div className="grid gap-x-10 gap-y-6 @[640px]:grid-cols-2">
        {data.unfinished.length > 0 && (
          <Part title={t("Unfinished")} onAll={() => onShow("unfinished")}>
            {list(data.unfinished, "status")}
          </Part>
        )}
        {data.forked.length > 0 && (
          <Part title={t("With several branches")} onAll={() => onShow("forked")}>
            {list(data.forked, "branches")}
          </Part>
        )}
        {data.expensive.length > 0 && (
          <Part title={t("Most expensive")} onAll={() => onShow("expensive")}>
            {list(data.expensive, "cost")}
          </Part>
        )}
        <Part
          title={t("This week")}
          action={commandSpec("statistics").title}
          onAll={() => runCommand("statistics")}
        >
          <Week home={data} />
        </Part>
      </div>
      <LastImport home={data} nowMs={nowMs}>
        {list(data.imported, "age")}
      </LastImport>
    </>
  );
}

interface PartProps {
  title: string;
  /** The title of the button beside the heading. */
  action?: string;
  onAll?: () => void;
  children: ReactNode;
}

function Part({ title, action = t("Show all"), onAll, children }: PartProps) {
  return (
    <section aria-label={title} className="min-w-0">
      <div className="mb-1 flex h-7 items-center border-b border-border px-2">
        <h3 className="flex-1 font-semibold">{title}</h3>
        {onAll && (
          <Button
            variant="quiet"
            className="-me-2 text-sm"
            aria-label={`${action}: ${title}`}
            onClick={onAll}
          >
            {action}
          </Button>
        )}
      </div>
      {children}
    </section>
  );
}

interface RowsProps {
  sessions: readonly Session[];
  detail: RowDetail;
  roomy: boolean;
  nowMs: number;
  onOpen: (id: string) => void;
}

function Rows({ sessions, ...row }: RowsProps) {
  return (
    <ul>
      {sessions.map((session) => (
        <li key={session.id}>
          <HomeRow session={session} {...row} />
        </li>
      ))}
    </ul>
  );
}

interface LastImportProps {
  home: HomeLists;
  nowMs: number;
  children: ReactNode;
}

/** Skipped files that are drawn; the report of the import has more. */
const shownSkipped = 50;

/** What was imported last, and what was skipped and why; nothing before the first import. */
function LastImport({ home, nowMs, children }: LastImportProps) {
  const { lastImport, imported } = home;
  if (!lastImport) return null;
  const { report, atMs, sessionCount, problemCount } = lastImport;
  const more = sessionCount - imported.length;
  return (
    <Part
      title={t("Last import")}
      action={commandSpec("import").title}
      onAll={() => runCommand("import")}
    >
      <p className="px-2 py-1 text-text-2">
        <span title={formatExact(atMs)}>{formatAge(atMs, nowMs)}</span>
        {" · "}
        {reportWords(report, problemCount)}
      </p>
      {children}
      {imported.length > 0 && more > 0 && (
        <p className="px-2 py-1 text-sm text-text-3">
          {t("and {{number}} more", { number: more })}
        </p>
      )}
      <div className="mt-3 px-2">
        <SkippedFiles report={report} limit={shownSkipped} />
      </div>
    </Part>
  );
}
