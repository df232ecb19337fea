import clsx from "clsx";

/** The shape of a line that is to come; shows itself only after 150 ms. Give it a width and a height. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx("block animate-late rounded-sm bg-sunken", className)}
    />
  );
}
