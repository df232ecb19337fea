import { ContextGauge } from "@/components/session/context-gauge";
import type { Session } from "@/lib/api/api";
import { formatTokens } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { settle, useChoice, useComposerOptions } from "@/lib/session/choice";
import { usePathSize } from "@/lib/session/path-size";

/** How full the model's window is. */
export function ContextUsed({ session, leafUid }: { session: Session; leafUid: string }) {
  const [choice] = useChoice(session.id);
  const options = useComposerOptions(session.id, choice.workspace);
  const size = usePathSize(session.id, leafUid);
  const whole = settle(choice, options.data).info?.contextTokens ?? 0;
  if (!size || whole === 0 || size.tokens === 0) return null;
  const percent = Math.round(Math.min(1, size.tokens / whole) * 100);
  return (
    <span
      className="flex items-center gap-1.5 tight:hidden"
      title={t("{{tokens}} of the model's window of {{window}}", {
        tokens: formatTokens(size.tokens),
        window: formatTokens(whole),
      })}
    >
      <ContextGauge tokens={size.tokens} windowTokens={whole} />
      {t("context {{percent}} %", { percent })}
    </span>
  );
}
