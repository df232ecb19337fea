import { useEffect } from "react";
import { api } from "@/lib/api/api";

/** Reports to Go whether the window has the focus: without it, runs that end or ask notify the user. */
export function useFocusReport(): void {
  useEffect(() => {
    const report = () => void api.setFocused(document.hasFocus()).catch(() => {});
    report();
    window.addEventListener("focus", report);
    window.addEventListener("blur", report);
    document.addEventListener("visibilitychange", report);
    return () => {
      window.removeEventListener("focus", report);
      window.removeEventListener("blur", report);
      document.removeEventListener("visibilitychange", report);
    };
  }, []);
}
