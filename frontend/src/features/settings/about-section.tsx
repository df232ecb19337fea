import { useQuery } from "@tanstack/react-query";
import { CopyButton } from "@/components/form/copy-button";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";
import packages from "./packages.json";
import { Group } from "./section";

/** What this program is, and what it is made of. */
export function AboutSection() {
  const { data: about } = useQuery({ queryKey: keys.about(), queryFn: api.getAbout });
  return (
    <>
      <Group title="Coppice">
        <p className="flex items-center gap-2">
          <span className="selectable">
            {t("Version {{version}}", { version: about?.version ?? "…" })}
          </span>
          {about && <CopyButton text={about.version} />}
        </p>
        <p className="mt-2 max-w-[72ch] text-text-2">
          {t(
            "Coppice keeps every conversation with AI agents as a tree in one file. Nothing leaves this machine except what you send to a model.",
          )}
        </p>
        <p className="mt-2 text-text-2">{t("MIT licence.")}</p>
      </Group>
      <Group
        title={t("Software of others")}
        text={t("Coppice contains {{number}} packages, each under its own licence.", {
          number: packages.length,
        })}
      >
        <details>
          <summary className="w-fit rounded text-accent">{t("Show packages and licences")}</summary>
          <table className="mt-3 w-full text-start">
            <thead className="text-sm text-text-2">
              <tr className="border-b border-border">
                <th className="py-1 pe-3 font-normal">{t("Package")}</th>
                <th className="py-1 pe-3 font-normal">{t("Version")}</th>
                <th className="py-1 font-normal">{t("Licence")}</th>
              </tr>
            </thead>
            <tbody>
              {packages.map(({ name, version, licence }) => (
                <tr key={name} className="border-b border-border">
                  <td className="selectable py-1 pe-3 [overflow-wrap:anywhere]">{name}</td>
                  <td className="py-1 pe-3 text-text-2 [overflow-wrap:anywhere]">{version}</td>
                  <td className="py-1 whitespace-nowrap text-text-2">{licence}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </Group>
    </>
  );
}
