//go:build desktop || dev || bindings

package window

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"coppice/app/window/internal/texts"
)

// wailsHost implements host with a Wails window. Before the window is ready, its methods do nothing.
type wailsHost struct {
	mu  sync.Mutex
	ctx context.Context // ends when the window closes
	end context.CancelFunc

	asking sync.Mutex  // held while a file dialog is open
	dark   atomic.Bool // the theme, for dialogs
	texts  texts.Shown
	menu   func(texts.Texts) *menu.Menu // builds the menu bar; it returns nil where the page has the only menu

	notifying sync.Once // sets up the system's notifications before the first one
	mute      bool      // the system does not support notifications
	notices   atomic.Int64
}

func (h *wailsHost) ready(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ctx, h.end = context.WithCancel(ctx)
}

// close ends what depends on the window, such as an open dialog.
func (h *wailsHost) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.end != nil {
		h.end()
	}
}

// with calls f if the window is open, and reports whether it is.
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

// notify sends a notification. It does nothing on a system without them, such as one without D-Bus.
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

func (h *wailsHost) showTheme(theme string) {
	h.dark.Store(theme == themeDark || theme == themeSystem && systemIsDark())
	showTheme(theme)
}

func (h *wailsHost) showTexts(t texts.Texts) {
	h.texts.Set(t)
	bar := h.menu(h.texts.Now())
	if bar == nil {
		return
	}
	h.with(func(ctx context.Context) { runtime.MenuSetApplicationMenu(ctx, bar) })
}

// filterName returns the label of a dialog's filter.
func (h *wailsHost) filterName(patterns []string) string {
	return texts.Fill(h.texts.Now().Sessions, "patterns", strings.Join(patterns, ", "))
}
