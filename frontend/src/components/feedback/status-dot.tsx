import clsx from "clsx";

const looks: Record<string, string> = {
  running: "bg-accent",
  success: "bg-border-strong",
  idle: "bg-border-strong",
  partial: "border-[1.5px] border-tool",
  interrupted: "border-[1.5px] border-tool",
  hibernated: "border-[1.5px] border-border-strong",
  failed: "bg-error",
};

/** The state of a session as a dot: beside its word, never alone. */
export function StatusDot({ status }: { status: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx("inline-block size-[7px] shrink-0 rounded-full", looks[status] ?? looks.idle)}
    />
  );
}
