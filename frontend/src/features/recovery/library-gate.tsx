import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { keys } from "@/lib/api/query";
import { useAutoLock } from "@/lib/library/auto-lock";
import { useLibraryState } from "@/lib/library/library-state";
import { DamagedLibrary } from "./damaged-library";
import { LibraryNotices } from "./library-notices";
import { LockedLibrary } from "./locked-library";

const [stateKey] = keys.libraryState();

/** The window on the library; if that is locked, the way in; if it is damaged, the ways out of it. */
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
  useAutoLock(state);
  const isLocked = state?.state === "locked";
  // What was read of a library that is locked now is removed from the memory of the page.
  useEffect(() => {
    if (isLocked) client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== stateKey });
  }, [isLocked, client]);
  if (state && isLocked) return <LockedLibrary state={state} />;
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
