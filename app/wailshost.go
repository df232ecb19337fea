//go:build desktop || dev || bindings

package app

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"coppice/backend/core"
)

// wailsHost is the window of Wails. Before it is ready it does nothing.
type wailsHost struct {
	mu  sync.Mutex
	ctx context.Context

	notifying sync.Once // the system's notifications are set up when the first one is sent
	mute      bool      // it has none
	notices   atomic.Int64
}

func (h *wailsHost) ready(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ctx = ctx
}

// with runs f if the window is there, and says whether it is.
func (h *wailsHost) with(f func(context.Context)) bool {
	h.mu.Lock()
	ctx := h.ctx
	h.mu.Unlock()
	if ctx == nil {
		return false
	}
	f(ctx)
	return true
}

func (h *wailsHost) emit(name string, args ...any) {
	h.with(func(ctx context.Context) { runtime.EventsEmit(ctx, name, args...) })
}

func (h *wailsHost) openURL(link string) {
	h.with(func(ctx context.Context) { runtime.BrowserOpenURL(ctx, link) })
}

// notify sends a notification. A system without them, such as one without D-Bus, is left in peace.
func (h *wailsHost) notify(title, body string) {
	h.with(func(ctx context.Context) {
		h.notifying.Do(func() { h.mute = runtime.InitializeNotifications(ctx) != nil })
		if h.mute {
			return
		}
		id := "coppice-" + strconv.FormatInt(h.notices.Add(1), 10)
		if err := runtime.SendNotification(ctx, runtime.NotificationOptions{ID: id, Title: title, Body: body}); err != nil {
			slog.Warn("sending a notification", slog.Any("error", err))
		}
	})
}

func (*wailsHost) showTheme(theme string) { showTheme(theme) }

func (h *wailsHost) openFiles(title string, extensions []string) (paths []string, err error) {
	patterns := make([]string, len(extensions))
	for i, extension := range extensions {
		patterns[i] = "*" + extension
	}
	return ask(h, func(ctx context.Context) ([]string, error) {
		return runtime.OpenMultipleFilesDialog(ctx, runtime.OpenDialogOptions{Title: title, ShowHiddenFiles: true, Filters: []runtime.FileFilter{
			{DisplayName: "Sessions (" + strings.Join(patterns, ", ") + ")", Pattern: strings.Join(patterns, ";")},
			{DisplayName: "All files", Pattern: "*"},
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

// ask opens a dialog.
func ask[T any](h *wailsHost, dialog func(context.Context) (T, error)) (answer T, err error) {
	if !h.with(func(ctx context.Context) { answer, err = dialog(ctx) }) {
		err = core.E(core.Unavailable, "the window is not open yet")
	}
	return answer, core.Wrap(core.Unavailable, err, "open the dialog")
}
