import { Trash2 } from "lucide-react";
import type { Link } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { followLink, linkTitle, linkWay } from "@/lib/session/links";

/** A line that describes how this session is linked with another one, and opens that one. */
export function SessionLink({ link }: { link: Link }) {
  const title = linkTitle(link);
  return (
    <span className="flex min-w-0 items-baseline gap-1 text-text-3">
      <span className="flex-none">{linkWay(link)}</span>
      {link.state === "gone" ? (
        <span className="min-w-0 truncate">{title}</span>
      ) : (
        <button
          type="button"
          dir="auto"
          title={title}
          className="min-w-0 truncate rounded-sm text-text-2 underline decoration-border-strong underline-offset-2 hover:text-text"
          onClick={() => followLink(link)}
        >
          {title}
        </button>
      )}
      {link.state === "trashed" && (
        <span className="flex flex-none items-center gap-1">
          <Trash2 size={12} aria-hidden="true" className="self-center" />
          {t("in the trash")}
        </span>
      )}
    </span>
  );
}
