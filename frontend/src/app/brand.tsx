/** The name and its sign: a stool that grows again in three shoots. */
export function Brand() {
  return (
    <h1 className="flex items-center gap-2 text-lg font-semibold">
      <svg
        width="18"
        height="18"
        viewBox="0 0 18 18"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        className="text-accent"
        aria-hidden="true"
      >
        <path d="M9 16.5V3M9 12c0-3-4.5-2.5-4.5-6.5M9 10c0-3.2 4.5-2.3 4.5-6" />
      </svg>
      Coppice
    </h1>
  );
}
