import { useQuery, useQueryClient } from "@tanstack/react-query";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { Checkbox } from "@/components/form/checkbox";
import { SelectField } from "@/components/form/field";
import { api, type MirrorSetting } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";

/** The folder of readable files that is kept up to date: where, in which format, on or off. */
export function Mirror() {
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: keys.mirror(), queryFn: api.getMirror });
  if (!data) return null;

  const store = async (setting: MirrorSetting) => {
    try {
      await api.setMirror(setting);
      await client.invalidateQueries({ queryKey: keys.mirror() });
      toastDone(
        setting.folder ? t("The mirror is written in the background") : t("Stopped the mirror"),
      );
    } catch (reason) {
      toastError(t("Could not change the setting"), reason);
    }
  };
  const choose = async () => {
    try {
      const folder = await api.chooseMirrorFolder();
      if (folder) await store({ ...data, folder, format: data.format || "md", error: "" });
    } catch (reason) {
      toastError(t("Could not choose the folder"), reason);
    }
  };
  if (!data.folder) return <Button onClick={choose}>{t("Choose folder…")}</Button>;
  return (
    <div className="flex flex-col gap-3">
      <p className="break-all">{data.folder}</p>
      {data.error && (
        <p role="alert" className="text-error">
          {t("Could not update the mirror")}: {data.error}
        </p>
      )}
      <SelectField
        label={t("Format")}
        className="max-w-[16rem]"
        value={data.format}
        onChange={({ target }) => void store({ ...data, format: target.value, error: "" })}
      >
        <option value="md">Markdown</option>
        <option value="html">HTML</option>
        <option value="json">JSON</option>
      </SelectField>
      <Checkbox
        title={t("Redact secrets")}
        text={t("Keys, passwords, e-mail addresses and home folders are replaced.")}
        checked={data.redact}
        onChange={(redact) => void store({ ...data, redact, error: "" })}
      />
      <div className="flex flex-wrap gap-2">
        <Button onClick={choose}>{t("Choose folder…")}</Button>
        <Button onClick={() => void store({ ...data, folder: "", error: "" })}>
          {t("Stop the mirror")}
        </Button>
      </div>
    </div>
  );
}
