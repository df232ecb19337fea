package window

import "coppice/app/window/internal/texts"

// host is the part of the window that the bindings use.
type host interface {
	// emit sends an event.
	emit(name string, args ...any)
	// openURL opens a link in the user's browser.
	openURL(link string)
	// notify sends a system notification, or does nothing if the system does not support them.
	notify(title, body string)
	// showTheme applies a theme to everything outside the page, such as menus and dialogs.
	showTheme(theme string)
	// showTexts stores the texts of dialogs, and applies those of the menu bar.
	showTexts(t texts.Texts)
	// openFiles and openFolder ask for files to import, and saveFile for a file to write. The answer is empty if the
	// user closed the dialog. Extensions have the form ".json"; the dialog can show files with other extensions too.
	openFiles(title string, extensions []string) ([]string, error)
	openFolder(title string) (string, error)
	saveFile(title, suggested string) (string, error)
}
