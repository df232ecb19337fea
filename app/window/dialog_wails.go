//go:build !linux && (desktop || dev || bindings)

package window

import (
	"context"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"coppice/backend/core"
)

func (h *wailsHost) openFiles(title string, extensions []string) (paths []string, err error) {
	patterns := make([]string, len(extensions))
	for i, extension := range extensions {
		patterns[i] = "*" + extension
	}
	return ask(h, func(ctx context.Context) ([]string, error) {
		return runtime.OpenMultipleFilesDialog(ctx, runtime.OpenDialogOptions{Title: title, ShowHiddenFiles: true, Filters: []runtime.FileFilter{
			{DisplayName: h.filterName(patterns), Pattern: strings.Join(patterns, ";")},
			{DisplayName: h.texts.Now().AllFiles, Pattern: "*"},
		}})
	})
}

func (h *wailsHost) openFolder(title string) (string, error) {
	return ask(h, func(ctx context.Context) (string, error) {
		return runtime.OpenDirectoryDialog(ctx, runtime.OpenDialogOptions{Title: title, ShowHiddenFiles: true})
	})
}

func (h *wailsHost) saveFile(title, suggested string) (string, error) {
	return ask(h, func(ctx context.Context) (string, error) {
		return runtime.SaveFileDialog(ctx, runtime.SaveDialogOptions{Title: title, DefaultFilename: suggested, CanCreateDirectories: true})
	})
}

// adoptPage does nothing: on these systems, file dialogs run in other processes or do not affect the library's locks.
func (*wailsHost) adoptPage() {}

// ask opens a dialog.
func ask[T any](h *wailsHost, dialog func(context.Context) (T, error)) (answer T, err error) {
	if !h.with(func(ctx context.Context) { answer, err = dialog(ctx) }) {
		err = core.E(core.Unavailable, "the window is not open yet")
	}
	return answer, core.Wrap(core.Unavailable, err, "open the dialog")
}
