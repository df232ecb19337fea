import type { ToolDetail } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { missingOf, Well } from "../text/well";

type Field = ToolDetail["arguments"][number];

/** The arguments of a call, as a form would show them: short ones in two columns, long ones in wells. */
export function ToolFields({ fields }: { fields: readonly Field[] }) {
  const short = fields.filter(({ long }) => !long);
  return (
    <>
      {short.length > 0 && (
        <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-4 gap-y-0.5 py-1">
          {short.map(({ name, value }) => (
            <div key={name} className="contents">
              <dt className="truncate text-text-3" title={name}>
                {name}
              </dt>
              <dd className="selectable font-mono [overflow-wrap:anywhere]" dir="auto">
                {value === "" ? <span className="text-text-3">{t("empty")}</span> : value}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {fields
        .filter(({ long }) => long)
        .map((field) =>
          field.list ? (
            <ListField key={field.name} field={field} />
          ) : (
            <Well
              key={field.name}
              label={field.name}
              text={field.value}
              html={field.html}
              missing={missingOf(field)}
            />
          ),
        )}
    </>
  );
}

function ListField({ field }: { field: Field }) {
  return (
    <div
      className="selectable py-1"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: backend/render has built and escaped it
      dangerouslySetInnerHTML={{ __html: field.html }}
    />
  );
}
