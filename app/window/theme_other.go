//go:build !linux || !(desktop || dev)

package window

// showTheme does nothing: elsewhere menus and dialogs follow the system by themselves.
func showTheme(string) {}

func systemIsDark() bool { return false }
