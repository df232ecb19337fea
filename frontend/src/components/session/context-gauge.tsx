interface ContextGaugeProps {
  tokens: number;
  /** Of the model's context window; 0: unknown. */
  windowTokens: number;
}

/** From this share of the window on, compacting is offered. */
const filling = 0.6;
/** From this share of the window on, the gauge warns. */
const nearlyFull = 0.85;

/** Reports whether so much of the window is used that the context should be compacted soon. */
export function isFilling(tokens: number, windowTokens: number): boolean {
  return windowTokens > 0 && tokens >= windowTokens * filling;
}

/** A bar that shows how full a model's context window is; nothing if its size is unknown. The numbers are beside it. */
export function ContextGauge({ tokens, windowTokens }: ContextGaugeProps) {
  if (windowTokens === 0 || tokens === 0) return null;
  const share = Math.min(1, tokens / windowTokens);
  return (
    <span
      aria-hidden="true"
      className="inline-block h-1 w-10 shrink-0 overflow-hidden rounded-full bg-border"
    >
      <span
        className={`block h-full ${share > nearlyFull ? "bg-warn" : "bg-border-strong"}`}
        style={{ width: `${Math.round(share * 100)}%` }}
      />
    </span>
  );
}
