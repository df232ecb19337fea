//go:build desktop || dev || bindings

package app

import (
	"log/slog"
	goruntime "runtime"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"
)

// wailsMenu builds the menu bar.
func wailsMenu(w *window) *menu.Menu {
	bar := menu.NewMenu()
	mac := goruntime.GOOS == "darwin"
	if mac {
		bar.Append(menu.AppMenu())
	}
	for _, group := range menuBar() {
		sub := bar.AddSubmenu(group.title)
		for _, entry := range group.entries {
			if entry.title == "" {
				sub.AddSeparator()
				continue
			}
			sub.AddText(entry.title, accelerator(entry.key), func(*menu.CallbackData) { w.choose(entry.command) })
		}
		if mac && group.title == "Edit" {
			bar.Append(menu.EditMenu()) // without it copy and paste are dead there
		}
	}
	return bar
}

// choose does what a menu entry says.
func (w *window) choose(command string) {
	if command == menuQuit {
		w.quit()
		return
	}
	w.bindings.host.emit(menuCommand, command)
}

// accelerator reads a chord as the interface writes it; nil where there is none.
func accelerator(chord string) *keys.Accelerator {
	if chord == "" {
		return nil
	}
	parsed, err := keys.Parse(strings.Replace(chord, "Mod", "CmdOrCtrl", 1))
	if err != nil {
		slog.Error("a key of the menu", slog.String("key", chord), slog.Any("error", err))
		return nil
	}
	return parsed
}
