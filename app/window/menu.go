package window

import (
	"encoding/json"

	"coppice/backend/core"
	"coppice/frontend"
)

// menuEntry is an entry of the menu bar. Without a command it is a separator. Its title is that of the command.
type menuEntry struct {
	command string // a name in the page's table of commands, or menuQuit
	// accelerated reports whether the toolkit handles the command's key. The page handles keys that edit text (copy, paste,
	// undo, select all), keys without Ctrl, and keys with another meaning in a focused pane: the toolkit would intercept
	// them.
	accelerated bool
}

type menuGroup struct {
	title   string
	entries []menuEntry
}

// menuCommand is the event by which the menu runs a command of the page.
const menuCommand = "command"

// menuQuit is the only command that is not in the page's table.
const menuQuit = "quit"

// command is a command in the page's table.
type command struct {
	Title  string   `json:"title"`
	Keys   []string `json:"keys"`
	Hidden bool     `json:"hidden"`
}

// readCommands returns the page's table of commands by name, with menuQuit.
func readCommands() (map[string]command, error) {
	table := map[string]command{}
	err := json.Unmarshal(frontend.Commands, &table)
	table[menuQuit] = command{Title: "Quit", Keys: []string{"Mod+Q"}}
	return table, core.Wrap(core.Internal, err, "read the table of commands")
}

// menuBar returns the menu bar.
func menuBar() []menuGroup {
	return []menuGroup{
		{"File", fileMenu()},
		{"Edit", editMenu()},
		{"View", viewMenu()},
		{"Go", goMenu()},
		{"Session", sessionMenu()},
		{"Tree", treeMenu()},
		{"Help", []menuEntry{
			{"shortcuts", false},
			{"about", false},
		}},
	}
}

func fileMenu() []menuEntry {
	return []menuEntry{
		{"new-session", true},
		{},
		{"import", true},
		{"import-files", false},
		{"import-folder", true},
		{"follow-places", false},
		{"load-samples", false},
		{},
		{"export", true},
		{"export-sessions", false},
		{"export-library", false},
		{"backup", false},
		{"check", false},
		{},
		{"restore", false},
		{"purge", false},
		{"empty-trash", false},
		{},
		{"model-keys", false},
		{"settings", true},
		{},
		{menuQuit, true},
	}
}

func editMenu() []menuEntry {
	return []menuEntry{
		{"undo", false},
		{},
		{"copy-message", false},
		{"select-all", false},
		{},
		{"find-in-session", false},
		{"find-in-tree", false},
		{"search", true},
		{"palette", true},
	}
}

func viewMenu() []menuEntry {
	return []menuEntry{
		{"theme-light", false},
		{"theme-dark", false},
		{"theme-system", false},
		{},
		{"zoom-in", false},
		{"zoom-out", false},
		{"zoom-reset", false},
		{},
		{"toggle-library", false},
		{"toggle-tree", false},
		{"statistics", true},
		{},
		{"show-all", false},
		{"show-unfinished", false},
		{"show-pinned", false},
		{"show-archived", false},
		{"show-trash", false},
	}
}

func goMenu() []menuEntry {
	return []menuEntry{
		{"go-back", false},
		{"go-forward", false},
		{"home", false},
		{},
		{"go-to-head", false},
		{"go-to-start", false},
		{"go-to-end", false},
		{"previous-sibling", false},
		{"next-sibling", false},
		{"open-parent-session", false},
		{},
		{"focus-library", false},
		{"focus-transcript", false},
		{"focus-tree", false},
	}
}

func sessionMenu() []menuEntry {
	return []menuEntry{
		{"focus-composer", false},
		{"stop-run", true},
		{"resume-run", false},
		{"compact-context", false},
		{"hibernate", false},
		{"answer-question", true},
		{"edit-message", false},
		{"regenerate", false},
		{"regenerate-with", false},
		{"choose-model", true},
		{},
		{"label", false},
		{"move-head", false},
		{"compare", true},
		{},
		{"rename", false},
		{"pin", false},
		{"archive", false},
		{},
		{"continue-in-tool", false},
		{"open-workspace", false},
		{"reveal-source", false},
		{},
		{"trash", false},
	}
}

func treeMenu() []menuEntry {
	return []menuEntry{
		{"show-outline", false},
		{"show-map", false},
		{"show-timeline", false},
		{"show-checkpoints", false},
		{"turn-map", false},
		{"zoom-to-fit", false},
		{},
		{"hoist", false},
		{"show-whole-tree", false},
		{"expand-all", false},
		{"collapse-all", false},
		{"fold-others", false},
		{},
		{"list-all", false},
		{"list-prompts", false},
		{"list-no-tools", false},
		{"list-labelled", false},
		{"turn-order", false},
		{},
		{"label-turn", false},
		{"bookmark", false},
		{"set-main", false},
		{"compare-turn", false},
		{"copy-turn", false},
		{},
		{"name-checkpoint", false},
		{"restore-checkpoint", false},
		{},
		{"copy-branch", false},
		{"copy-path", false},
		{"paste-graft", false},
		{"split", false},
		{},
		{"keep-path", false},
		{"trash-alternatives", false},
		{"trash-turns", false},
		{"show-tree-trash", false},
		{"restore-turn", false},
		{"restore-turns", false},
		{"empty-tree-trash", false},
	}
}
