//go:build !linux || !(desktop || dev)

package window

// showTheme does nothing: on these systems, menus and dialogs follow the theme of the system.
func showTheme(string) {}

func systemIsDark() bool { return false }
