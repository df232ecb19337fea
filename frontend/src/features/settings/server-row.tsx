import { Button } from "@/components/form/button";
import { api, type McpServer } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { TestLine, useTest } from "./test-line";
import { useChange } from "./use-setup";

/** An MCP server: what it starts, and a test that lists its tools. */
export function ServerRow({ server, onEdit }: { server: McpServer; onEdit: () => void }) {
  const { name, command, args, url, disabled } = server;
  const change = useChange();
  const test = useTest(() => api.testServer(name));
  const line = url || [command, ...args].join(" ");
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-[14rem] flex-1">
          <span className="font-semibold">{name}</span>
          {disabled && <span className="ms-2 text-sm text-text-3">{t("off")}</span>}
          <span className="selectable block truncate font-mono text-sm text-text-2" title={line}>
            {line}
          </span>
        </span>
        <Button
          aria-label={t("Test {{name}}", { name })}
          disabled={test.running}
          onClick={test.run}
        >
          {test.running ? t("Testing…") : t("Test")}
        </Button>
        <Button
          aria-label={disabled ? t("Turn {{name}} on", { name }) : t("Turn {{name}} off", { name })}
          onClick={() =>
            void change(t("Could not change the MCP server"), () =>
              api.saveServer({ ...server, disabled: !disabled }),
            )
          }
        >
          {disabled ? t("Turn on") : t("Turn off")}
        </Button>
        <Button aria-label={t("Edit {{name}}", { name })} onClick={onEdit}>
          {t("Edit…")}
        </Button>
      </div>
      <TestLine test={test} found={(count) => formatPlural(count, "tool")} />
    </li>
  );
}
