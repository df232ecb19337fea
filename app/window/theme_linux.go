//go:build desktop || dev

package window

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>

static gboolean preferDark(gpointer dark) {
	g_object_set(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", GPOINTER_TO_INT(dark), NULL);
	return G_SOURCE_REMOVE;
}

static void setPreferDark(int dark) { g_idle_add(preferDark, GINT_TO_POINTER(dark)); }
*/
import "C"

import "github.com/godbus/dbus/v5"

// showTheme applies the theme to menus and dialogs. WebKit reads the same GTK setting to report a dark system to the page.
// Nothing else sets it: GTK 3 does not read the theme of the desktop.
func showTheme(theme string) {
	dark := C.int(0)
	if theme == themeDark || theme == themeSystem && systemIsDark() {
		dark = 1
	}
	C.setPreferDark(dark)
}

// systemIsDark reports whether the desktop prefers a dark theme, see https://flatpak.github.io/xdg-desktop-portal. It
// returns false if the desktop does not answer.
func systemIsDark() bool {
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		return false
	}
	defer bus.Close() //nolint:errcheck // no message is pending
	var scheme dbus.Variant
	err = bus.Object("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop").
		Call("org.freedesktop.portal.Settings.ReadOne", 0, "org.freedesktop.appearance", "color-scheme").Store(&scheme)
	preferred, ok := scheme.Value().(uint32)
	return err == nil && ok && preferred == 1
}
