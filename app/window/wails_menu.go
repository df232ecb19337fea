//go:build desktop || dev || bindings

package window

import (
	"log/slog"
	goruntime "runtime"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"

	"coppice/app/window/internal/texts"
)

// nativeMenu builds the menu bar of macOS, which needs one for its shortcuts. It is nil elsewhere: the page has the same menu.
func nativeMenu(w *window, t texts.Texts) *menu.Menu {
	if goruntime.GOOS != "darwin" {
		return nil
	}
	commands, err := readCommands()
	if err != nil {
		slog.Error("building the menu", slog.Any("error", err))
	}
	groups, err := readMenu()
	if err != nil {
		slog.Error("building the menu", slog.Any("error", err))
	}
	bar := menu.NewMenu()
	bar.Append(menu.AppMenu())
	for _, group := range groups {
		sub := bar.AddSubmenu(t.MenuTitle(group.Title))
		for _, entry := range group.Entries {
			if entry == menuSeparator {
				sub.AddSeparator()
				continue
			}
			known, chord := commands[entry], ""
			if isAccelerated(entry) && len(known.Keys) > 0 {
				chord = known.Keys[0]
			}
			sub.AddText(t.MenuTitle(known.Title), accelerator(chord), func(*menu.CallbackData) { w.choose(entry) })
		}
		if group.Title == "Edit" {
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
