import { useEffect } from "react";
import { api } from "@/lib/api";

/** Tells Go whether the person looks at the window: where they do not, runs that end or ask notify them. */
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
