//go:build desktop || dev || bindings

package window

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
	commands, err := readCommands()
	if err != nil {
		slog.Error("building the menu", slog.Any("error", err))
	}
	mac := goruntime.GOOS == "darwin"
	if mac {
		bar.Append(menu.AppMenu())
	}
	for _, group := range menuBar() {
		sub := bar.AddSubmenu(group.title)
		for _, entry := range group.entries {
			if entry.command == "" {
				sub.AddSeparator()
				continue
			}
			known, chord := commands[entry.command], ""
			if entry.accelerated && len(known.Keys) > 0 {
				chord = known.Keys[0]
			}
			sub.AddText(known.Title, accelerator(chord), func(*menu.CallbackData) { w.choose(entry.command) })
		}
		if mac && group.title == "Edit" {
			bar.Append(menu.EditMenu()) // macOS needs this menu for copy and paste
		}
	}
	return bar
}

// choose runs the command of a menu entry.
func (w *window) choose(command string) {
	if command == menuQuit {
		w.quit()
		return
	}
	w.bindings.host.emit(menuCommand, command)
}

// accelerator returns the key of a chord such as Mod+N, or nil for an empty one.
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
