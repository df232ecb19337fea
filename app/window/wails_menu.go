//go:build desktop || dev || bindings

package window

import (
	"encoding/json"
	"log/slog"
	goruntime "runtime"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"

	"coppice/frontend"
)

// wailsMenu builds the menu bar.
func wailsMenu(w *window) *menu.Menu {
	bar := menu.NewMenu()
	chords := menuChords()
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
			chord := ""
			if entry.accelerated {
				chord = chords[entry.command]
			}
			sub.AddText(entry.title, accelerator(chord), func(*menu.CallbackData) { w.choose(entry.command) })
		}
		if mac && group.title == "Edit" {
			bar.Append(menu.EditMenu()) // without it copy and paste are dead there
		}
	}
	return bar
}

// menuChords reads the first key of every command.
func menuChords() map[string]string {
	chords := map[string]string{menuQuit: menuQuitKey}
	var table map[string]struct {
		Keys []string `json:"keys"`
	}
	if err := json.Unmarshal(frontend.Commands, &table); err != nil {
		slog.Error("read the table of commands", slog.Any("error", err))
	}
	for name, command := range table {
		if len(command.Keys) > 0 {
			chords[name] = command.Keys[0]
		}
	}
	return chords
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
