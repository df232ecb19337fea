import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import { useLibraryState } from "@/lib/library-state";
import { DamagedLibrary } from "./damaged-library";

/** The window on the library; if that is damaged, the ways out of it. */
export function LibraryGate({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { data: state } = useLibraryState();
  // What a recovery has saved is read before the library is shown.
  const [reading, setReading] = useState(false);
  const onOpened = useCallback(() => {
    setReading(false);
    void client.resetQueries();
  }, [client]);
  if (state?.state === "damaged" || state?.state === "replacing" || reading)
    return <DamagedLibrary state={state} onBegin={() => setReading(true)} onOpened={onOpened} />;
  if (state?.state !== "reading") return children;
  return (
    <div className="flex h-full flex-col">
      <p role="status" className="selectable bg-sunken px-4 py-1.5 text-sm text-warn">
        Reading only: {state.message}. Make room or give access, then start Coppice again.
      </p>
      <div className="min-h-0 flex-1">{children}</div>
    </div>
  );
}
