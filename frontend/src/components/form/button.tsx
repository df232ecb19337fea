import clsx from "clsx";
import type { ComponentProps } from "react";

type Variant = "plain" | "primary" | "quiet" | "danger";

interface ButtonProps extends ComponentProps<"button"> {
  /** At most one primary button in a group; quiet has no border; danger deletes permanently. */
  variant?: Variant;
}

const looks: Record<Variant, string> = {
  plain: "border-border bg-surface text-text hover:bg-sunken active:bg-border",
  primary: "border-transparent bg-accent font-semibold text-on-accent hover:brightness-95",
  quiet: "border-transparent text-text-2 hover:bg-sunken hover:text-text active:bg-border",
  danger: "border-transparent bg-error font-semibold text-surface hover:brightness-95",
};

/** A button with a text label. */
export function Button({ variant = "plain", className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={clsx(
        "inline-flex h-7 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded border px-2.5",
        "disabled:pointer-events-none disabled:opacity-50 data-[state=open]:bg-sunken",
        looks[variant],
        className,
      )}
      {...rest}
    />
  );
}
