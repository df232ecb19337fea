import { CircleCheck, CircleX } from "lucide-react";
import { useState } from "react";
import { type TestResult, toApiError } from "@/lib/api/api";
import { fromGo } from "@/lib/i18n/from-go";
import { t } from "@/lib/i18n/i18n";
import { formatFixed } from "@/lib/i18n/intl";

/** A test that the user starts, and its last result. */
export interface Test {
  running: boolean;
  result: TestResult | undefined;
  run: () => void;
  clear: () => void;
}

/** Runs a test of a provider or a server. An error of the call is a failed test. */
export function useTest(call: () => Promise<TestResult>): Test {
  const [running, setRunning] = useState(false);
  const [result, setResult] = useState<TestResult>();
  const run = async () => {
    setRunning(true);
    try {
      setResult(await call());
    } catch (reason) {
      const { message, hint } = toApiError(reason);
      setResult({ ok: false, message, hint, names: [], tookMs: 0 });
    } finally {
      setRunning(false);
    }
  };
  return { running, result, run: () => void run(), clear: () => setResult(undefined) };
}

/** The result of a test, read aloud when it arrives. `found` puts what it counts into words. */
export function TestLine({ test, found }: { test: Test; found: (count: number) => string }) {
  const { result, running } = test;
  return (
    <div role="status" className="empty:hidden">
      {result && !running && (
        <p className="mt-1.5 flex items-start gap-1.5 text-sm">
          {result.ok ? (
            <CircleCheck size={16} className="text-accent" aria-hidden="true" />
          ) : (
            <CircleX size={16} className="text-error" aria-hidden="true" />
          )}
          {result.ok ? (
            <span className="selectable min-w-0 text-text-2 [overflow-wrap:anywhere]">
              {t("Works · {{found}} in {{seconds}} s", {
                found: found(result.names.length),
                seconds: formatFixed(result.tookMs / 1000, 1),
              })}
              {result.names.length > 0 && (
                <span className="block text-text-3">{namesWords(result.names)}</span>
              )}
            </span>
          ) : (
            <span className="selectable min-w-0 text-error [overflow-wrap:anywhere]">
              {result.message}
              {result.hint && <span className="block text-text-2">{fromGo(result.hint)}</span>}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

const namesShown = 6;

function namesWords(names: readonly string[]): string {
  const rest = names.length - namesShown;
  const shown = names.slice(0, namesShown).join(", ");
  return rest > 0 ? t("{{names}} and {{number}} more", { names: shown, number: rest }) : shown;
}
