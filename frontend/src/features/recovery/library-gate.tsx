import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import { useLibraryState } from "@/lib/library/library-state";
import { DamagedLibrary } from "./damaged-library";
import { LibraryNotices } from "./library-notices";

/** The window on the library; if that is damaged, the ways out of it. */
export function LibraryGate({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { data: state } = useLibraryState();
  // What a recovery has saved is read before the library is shown.
  const [reading, setReading] = useState(false);
  // The ways out of an open library with damaged pages are shown on request.
  const [choosing, setChoosing] = useState(false);
  const onOpened = useCallback(() => {
    setReading(false);
    setChoosing(false);
    void client.resetQueries();
  }, [client]);
  if (state?.state === "damaged" || state?.state === "replacing" || reading || choosing)
    return (
      <DamagedLibrary
        state={state}
        onBegin={() => setReading(true)}
        onOpened={onOpened}
        onBack={choosing ? () => setChoosing(false) : undefined}
      />
    );
  return (
    <div className="flex h-full flex-col">
      {state && <LibraryNotices state={state} onRepair={() => setChoosing(true)} />}
      <div className="min-h-0 flex-1">{children}</div>
    </div>
  );
}
