package app

// menuEntry is a line of the menu bar; one without a title separates.
type menuEntry struct {
	title   string
	command string // what the window is asked to do, see frontend/src/lib/commands.ts
	key     string // as commands.ts writes chords
}

type menuGroup struct {
	title   string
	entries []menuEntry
}

// menuCommand is the event by which the menu asks the window to act.
const menuCommand = "command"

// menuQuit is the one command that the window does not hear of.
const menuQuit = "quit"

// menuBar is the menu.
//
// Keys that edit text (copy, paste, undo, select all), keys without Ctrl, and keys that mean something else in a focused pane
// have no accelerator here: the toolkit would take them away from the page, which hears them itself.
func menuBar() []menuGroup {
	return []menuGroup{
		{"File", []menuEntry{
			{"New Session", "new-session", "Mod+N"},
			{},
			{"Import…", "import", "Mod+O"},
			{"Import Folder…", "import-folder", "Mod+Shift+O"},
			{"Load Sample Sessions", "load-samples", ""},
			{},
			{"Export…", "export", "Mod+E"},
			{"Back Up Library…", "backup", ""},
			{"Check Library", "check", ""},
			{},
			{"Settings…", "settings", "Mod+,"},
			{},
			{"Quit", menuQuit, "Mod+Q"},
		}},
		{"Edit", []menuEntry{
			{"Undo", "undo", ""},
			{},
			{"Copy Message", "copy-message", ""},
			{"Select All", "select-all", ""},
			{},
			{"Find in Session…", "find-in-session", ""},
			{"Search Everything…", "search", "Mod+Shift+F"},
			{"Command Palette…", "palette", "Mod+K"},
		}},
		{"View", []menuEntry{
			{"Light Theme", "theme-light", ""},
			{"Dark Theme", "theme-dark", ""},
			{"System Theme", "theme-system", ""},
			{},
			{"Zoom In", "zoom-in", ""},
			{"Zoom Out", "zoom-out", ""},
			{"Actual Size", "zoom-reset", ""},
			{},
			{"Library", "toggle-library", ""},
			{"Tree", "toggle-tree", ""},
			{"Outline", "show-outline", ""},
			{"Map", "show-map", ""},
			{},
			{"Statistics", "statistics", "Mod+Shift+S"},
		}},
		{"Session", []menuEntry{
			{"Stop", "stop-run", "Mod+."},
			{"Continue Run", "resume-run", ""},
			{"Answer What the Run Asks", "answer-question", "Mod+J"},
			{"Edit and Resend…", "edit-message", ""},
			{"Regenerate", "regenerate", ""},
			{"Regenerate With Another Model…", "regenerate-with", ""},
			{"Choose Model…", "choose-model", "Mod+Shift+M"},
			{},
			{"Rename…", "rename", ""},
			{"Label Turn…", "label", ""},
			{"Continue From Here", "move-head", ""},
			{"Go to Head", "go-to-head", ""},
			{},
			{"Pin", "pin", ""},
			{"Archive", "archive", ""},
			{"Move to Trash", "trash", ""},
		}},
		{"Help", []menuEntry{
			{"Keyboard Shortcuts", "shortcuts", ""},
			{"About Coppice", "about", ""},
		}},
	}
}
