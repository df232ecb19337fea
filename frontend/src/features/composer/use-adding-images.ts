import { type ClipboardEvent, type DragEvent, type RefObject, useEffect } from "react";
import { toastError } from "@/components/feedback/toast";
import { api, onFileDrop, type Upload } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { imageFiles, isImagePath, toUpload } from "./draft/images";

const failed = (error: unknown) => toastError(t("Could not add the image"), error);

/** The ways to add images: files that are chosen, pasted, dropped by the page, or dropped on the window. */
export function useAddingImages(
  box: RefObject<HTMLElement | null>,
  addImages: (more: readonly Upload[]) => void,
) {
  useEffect(
    () =>
      onFileDrop((paths, at) => {
        const target = document.elementFromPoint(at.x, at.y);
        const pictures = paths.filter(isImagePath);
        const isOver = target !== null && box.current?.contains(target) === true;
        if (pictures.length === 0 || (!isOver && pictures.length < paths.length)) return false;
        api.readImages(pictures).then(addImages).catch(failed);
        return true;
      }),
    [box, addImages],
  );
  const onFiles = (files: readonly File[]) =>
    void Promise.all(files.map(toUpload)).then(addImages).catch(failed);
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    const files = imageFiles(data.files);
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };
  return {
    onFiles,
    onPaste: (event: ClipboardEvent) => take(event, event.clipboardData),
    onDrop: (event: DragEvent) => take(event, event.dataTransfer),
  };
}
