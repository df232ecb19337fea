import { Waypoints } from "lucide-react";
import { Button } from "@/components/form/button";
import { Menu } from "@/components/menu/menu";
import { plural, t } from "@/lib/i18n/i18n";
import { followLink, linkTitle, linkWay, useLinks } from "@/lib/session/links";

/** The sessions that this one is linked with by splits and grafts; nothing if it has no links. */
export function LinksMenu({ sessionId }: { sessionId: string }) {
  const links = useLinks(sessionId);
  if (links.length === 0) return null;
  const name = plural(
    links.length,
    "{{count}} link to other sessions",
    "{{count}} links to other sessions",
  );
  return (
    <Menu
      label={t("Linked sessions")}
      align="end"
      trigger={
        <Button variant="quiet" className="shrink-0" aria-label={name} title={name}>
          <Waypoints size={16} aria-hidden="true" />
          {links.length}
        </Button>
      }
      entries={links.map((link) => ({
        title: linkTitle(link),
        detail: linkWay(link),
        note: link.state === "trashed" ? t("in the trash") : undefined,
        disabled: link.state === "gone",
        onSelect: () => followLink(link),
      }))}
    />
  );
}
