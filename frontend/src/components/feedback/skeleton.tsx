import clsx from "clsx";

/** A placeholder for a line that is loading; visible only after 150 ms. Give it a width and a height. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx("block animate-late rounded-sm bg-sunken", className)}
    />
  );
}
