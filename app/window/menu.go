package window

import (
	"encoding/json"

	"coppice/backend/core"
	"coppice/frontend"
)

// menuGroup is a menu of the menu bar. Its entries are names in the page's table of commands, or menuSeparator.
type menuGroup struct {
	Title   string   `json:"title"`
	Entries []string `json:"entries"`
}

const (
	// menuCommand is the event by which the menu runs a command of the page.
	menuCommand   = "command"
	menuSeparator = "separator"
	// menuQuit closes the window, also when the page does not respond.
	menuQuit = "quit"
)

// command is a command in the page's table.
type command struct {
	Title  string   `json:"title"`
	Keys   []string `json:"keys"`
	Hidden bool     `json:"hidden"`
}

// readCommands returns the page's table of commands by name.
func readCommands() (map[string]command, error) {
	table := map[string]command{}
	err := json.Unmarshal(frontend.Commands, &table)
	return table, core.Wrap(core.Internal, err, "read the table of commands")
}

// readMenu returns the menu bar, which is that of the page's menu.
func readMenu() ([]menuGroup, error) {
	var groups []menuGroup
	err := json.Unmarshal(frontend.Menu, &groups)
	return groups, core.Wrap(core.Internal, err, "read the menu")
}

// isAccelerated reports whether the toolkit handles the key of a command. The page handles keys that edit text (copy, paste,
// undo, select all), keys without Ctrl, and keys with another meaning in a focused pane: the toolkit would intercept them.
func isAccelerated(command string) bool {
	switch command {
	case "new-session", "import", "import-folder", "export", "settings", menuQuit, "search", "palette", "statistics", "stop-run", "answer-question", "choose-model", "compare":
		return true
	default:
		return false
	}
}
