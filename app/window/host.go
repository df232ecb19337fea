package window

// host is the window as the bindings need it.
type host interface {
	// emit sends an event.
	emit(name string, args ...any)
	// openURL opens a link in the person's browser.
	openURL(link string)
	// notify tells a person who looks elsewhere; where the system cannot, it does nothing.
	notify(title, body string)
	// showTheme gives what is not the page its theme.
	showTheme(theme string)
	// openFiles and openFolder ask for what to import, saveFile for what to write. The answer is empty when the dialog was closed.
	// Files with other extensions than those named, ".json", can be asked for in the dialog.
	openFiles(title string, extensions []string) ([]string, error)
	openFolder(title string) (string, error)
	saveFile(title, suggested string) (string, error)
}
