import { ApiError, type Upload } from "@/lib/api/api";
import { formatBytes } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";

/** The image types that providers accept, for the accept attribute of a file input. */
export const imageTypes = "image/png,image/jpeg,image/gif,image/webp";

const mostBytes = 20_000_000;

/** Reports whether a path looks like an image that can be sent. */
export function isImagePath(path: string): boolean {
  return /\.(png|jpe?g|gif|webp)$/i.test(path);
}

/** The images among files that were pasted or chosen. */
export function imageFiles(files: Iterable<File>): File[] {
  return [...files].filter(({ type }) => imageTypes.split(",").includes(type));
}

/** Reads a file to be sent. Rejects if it is too large. */
export async function toUpload(file: File): Promise<Upload> {
  const name = file.name || t("image");
  if (file.size > mostBytes)
    throw new ApiError(
      "invalid",
      t("{{name}} is larger than {{size}}", { name, size: formatBytes(mostBytes) }),
      t("Choose a smaller image."),
    );
  const address = await new Promise<string>((read, failed) => {
    const reader = new FileReader();
    reader.onload = () => read(String(reader.result));
    reader.onerror = () =>
      failed(reader.error ?? new Error(t("Could not read {{name}}", { name })));
    reader.readAsDataURL(file);
  });
  return { name, mimeType: file.type, base64: address.slice(address.indexOf(",") + 1) };
}

/** The address of an image's bytes, to show it. */
export function imageAddress({ mimeType, base64 }: Upload): string {
  return `data:${mimeType};base64,${base64}`;
}
