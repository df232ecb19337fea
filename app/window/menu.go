package window

// menuEntry is a line of the menu bar; one without a title separates.
type menuEntry struct {
	title   string
	command string // what the window is asked to do, a name of frontend/src/lib/commands.json
	// accelerated says that the toolkit hears the command's key. Keys that edit text (copy, paste, undo, select all), keys without
	// Ctrl, and keys that mean something else in a focused pane are not: the toolkit would take them away from the page, which
	// hears them itself.
	accelerated bool
}

type menuGroup struct {
	title   string
	entries []menuEntry
}

// menuCommand is the event by which the menu asks the window to act.
const menuCommand = "command"

// menuQuit is the one command that the window does not hear of.
const menuQuit = "quit"

// menuQuitKey is the one key that is not in the table of commands.
const menuQuitKey = "Mod+Q"

// menuBar is the menu.
func menuBar() []menuGroup {
	return []menuGroup{
		{"File", fileMenu()},
		{"Edit", editMenu()},
		{"View", viewMenu()},
		{"Go", goMenu()},
		{"Session", sessionMenu()},
		{"Tree", treeMenu()},
		{"Help", []menuEntry{
			{"Keyboard Shortcuts", "shortcuts", false},
			{"About Coppice", "about", false},
		}},
	}
}

func fileMenu() []menuEntry {
	return []menuEntry{
		{"New Session", "new-session", true},
		{},
		{"Import…", "import", true},
		{"Import Files…", "import-files", false},
		{"Import Folder…", "import-folder", true},
		{"Follow Places…", "follow-places", false},
		{"Load Sample Sessions", "load-samples", false},
		{},
		{"Export…", "export", true},
		{"Export Selected Sessions…", "export-sessions", false},
		{"Back Up Library…", "backup", false},
		{"Check Library", "check", false},
		{},
		{"Restore From Trash", "restore", false},
		{"Delete for Good…", "purge", false},
		{"Empty Trash…", "empty-trash", false},
		{},
		{"Model Keys…", "model-keys", false},
		{"Settings…", "settings", true},
		{},
		{"Quit", menuQuit, true},
	}
}

func editMenu() []menuEntry {
	return []menuEntry{
		{"Undo", "undo", false},
		{},
		{"Copy Message", "copy-message", false},
		{"Select All", "select-all", false},
		{},
		{"Find in Session…", "find-in-session", false},
		{"Find in Tree…", "find-in-tree", false},
		{"Search Everything…", "search", true},
		{"Command Palette…", "palette", true},
	}
}

func viewMenu() []menuEntry {
	return []menuEntry{
		{"Light Theme", "theme-light", false},
		{"Dark Theme", "theme-dark", false},
		{"System Theme", "theme-system", false},
		{},
		{"Zoom In", "zoom-in", false},
		{"Zoom Out", "zoom-out", false},
		{"Actual Size", "zoom-reset", false},
		{},
		{"Library", "toggle-library", false},
		{"Tree", "toggle-tree", false},
		{"Statistics", "statistics", true},
		{},
		{"All Sessions", "show-all", false},
		{"Unfinished Sessions", "show-unfinished", false},
		{"Pinned Sessions", "show-pinned", false},
		{"Archive", "show-archived", false},
		{"Trash", "show-trash", false},
	}
}

func goMenu() []menuEntry {
	return []menuEntry{
		{"Back", "go-back", false},
		{"Forward", "go-forward", false},
		{},
		{"Head", "go-to-head", false},
		{"First Message", "go-to-start", false},
		{"Last Message", "go-to-end", false},
		{"Previous Alternative", "previous-sibling", false},
		{"Next Alternative", "next-sibling", false},
		{"Parent Session", "open-parent-session", false},
		{},
		{"Library", "focus-library", false},
		{"Transcript", "focus-transcript", false},
		{"Tree", "focus-tree", false},
	}
}

func sessionMenu() []menuEntry {
	return []menuEntry{
		{"Write a Message", "focus-composer", false},
		{"Stop", "stop-run", true},
		{"Continue Run", "resume-run", false},
		{"Answer What the Run Asks", "answer-question", true},
		{"Edit and Resend…", "edit-message", false},
		{"Regenerate", "regenerate", false},
		{"Regenerate With Another Model…", "regenerate-with", false},
		{"Choose Model…", "choose-model", true},
		{},
		{"Label Turn…", "label", false},
		{"Move Head Here", "move-head", false},
		{"Compare…", "compare", true},
		{},
		{"Rename…", "rename", false},
		{"Pin", "pin", false},
		{"Archive", "archive", false},
		{"Move to Trash", "trash", false},
	}
}

func treeMenu() []menuEntry {
	return []menuEntry{
		{"Outline", "show-outline", false},
		{"Map", "show-map", false},
		{"Turn Map", "turn-map", false},
		{"Zoom Map to Fit", "zoom-to-fit", false},
		{},
		{"Show Only What Is Below", "hoist", false},
		{"Show Whole Tree", "show-whole-tree", false},
		{"Unfold All", "expand-all", false},
		{"Fold as at First", "collapse-all", false},
		{"Fold All but the Path", "fold-others", false},
		{},
		{"All Turns", "list-all", false},
		{"Prompts", "list-prompts", false},
		{"Turns Without Tools", "list-no-tools", false},
		{"Labelled Turns", "list-labelled", false},
		{"Turn Order of Alternatives", "turn-order", false},
		{},
		{"Label and Colour…", "label-turn", false},
		{"Bookmark", "bookmark", false},
		{"Mark Path as Main", "set-main", false},
		{"Compare With Path on Screen", "compare-turn", false},
		{"Copy Text", "copy-turn", false},
		{},
		{"Copy Branch", "copy-branch", false},
		{"Copy Path", "copy-path", false},
		{"Paste Below", "paste-graft", false},
		{"Split Off as Session", "split", false},
		{},
		{"Keep Only This Path", "keep-path", false},
		{"Alternatives to Trash", "trash-alternatives", false},
		{"Turn to Trash", "trash-turns", false},
		{"Show Trash of Session", "show-tree-trash", false},
		{"Restore Turn", "restore-turn", false},
		{"Restore All Turns", "restore-turns", false},
		{"Empty Trash of Session…", "empty-tree-trash", false},
	}
}
