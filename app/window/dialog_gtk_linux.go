//go:build desktop || dev

package window

/*
#cgo pkg-config: gtk+-3.0
#include <stdlib.h>
#include <gtk/gtk.h>
#include <gdk/gdkx.h>

typedef struct {
	GtkFileChooserAction action;
	const char *title, *name, *filter_name, *all_files, *accept, *cancel;
	char **patterns, **mime_types; // terminated by NULL
	gboolean multiple, dark;
	unsigned long parent;
	GSList *files; // the chosen files
} Dialog;

static void respond(GtkNativeDialog *native, int response, gpointer data) {
	Dialog *d = data;
	if (response == GTK_RESPONSE_ACCEPT) d->files = gtk_file_chooser_get_filenames(GTK_FILE_CHOOSER(native));
	gtk_main_quit();
}

// Closes the dialog when the window's process closes its end of standard input, on purpose or because it ends.
static gboolean hang_up(GIOChannel *channel, GIOCondition condition, gpointer data) {
	gtk_main_quit();
	return G_SOURCE_REMOVE;
}

// Makes GTK's own dialog, which is shown if the desktop provides none, a child of the window on X11.
static gboolean belong(gpointer data) {
	Dialog *d = data;
	GdkDisplay *display = gdk_display_get_default();
	if (!d->parent || !GDK_IS_X11_DISPLAY(display)) return G_SOURCE_REMOVE;
	GdkWindow *parent = gdk_x11_window_foreign_new_for_display(display, d->parent);
	if (!parent) return G_SOURCE_REMOVE;
	GList *all = gtk_window_list_toplevels();
	for (GList *l = all; l; l = l->next) {
		GdkWindow *window = gtk_widget_get_window(GTK_WIDGET(l->data));
		if (GTK_IS_FILE_CHOOSER_DIALOG(l->data) && window) gdk_window_set_transient_for(window, parent);
	}
	g_list_free(all);
	g_object_unref(parent);
	return G_SOURCE_REMOVE;
}

static void add_filters(GtkFileChooser *chooser, Dialog *d) {
	if (!d->filter_name) return;
	GtkFileFilter *own = gtk_file_filter_new(), *all = gtk_file_filter_new();
	gtk_file_filter_set_name(own, d->filter_name);
	for (char **p = d->patterns; *p; p++) gtk_file_filter_add_pattern(own, *p);
	for (char **m = d->mime_types; *m; m++) gtk_file_filter_add_mime_type(own, *m);
	gtk_file_filter_set_name(all, d->all_files);
	gtk_file_filter_add_pattern(all, "*");
	gtk_file_chooser_add_filter(chooser, own);
	gtk_file_chooser_add_filter(chooser, all);
}

static gboolean run_dialog(Dialog *d) {
	g_set_prgname("coppice");
	if (!gtk_init_check(NULL, NULL)) return FALSE;
	g_object_set(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", d->dark, NULL);
	gboolean save = d->action == GTK_FILE_CHOOSER_ACTION_SAVE;
	GtkFileChooserNative *native = gtk_file_chooser_native_new(d->title, NULL, d->action, d->accept, d->cancel);
	GtkFileChooser *chooser = GTK_FILE_CHOOSER(native);
	add_filters(chooser, d);
	gtk_file_chooser_set_select_multiple(chooser, d->multiple);
	gtk_file_chooser_set_show_hidden(chooser, TRUE);
	gtk_file_chooser_set_create_folders(chooser, TRUE);
	gtk_file_chooser_set_do_overwrite_confirmation(chooser, TRUE);
	if (save && d->name) gtk_file_chooser_set_current_name(chooser, d->name);
	g_signal_connect(native, "response", G_CALLBACK(respond), d);
	GIOChannel *input = g_io_channel_unix_new(0);
	g_io_add_watch(input, G_IO_HUP | G_IO_ERR | G_IO_NVAL, hang_up, NULL);
	gtk_native_dialog_show(GTK_NATIVE_DIALOG(native));
	g_idle_add(belong, d);
	gtk_main();
	return TRUE;
}
*/
import "C"

import (
	"runtime"
	"unsafe"

	"coppice/backend/core"
)

// showDialog shows a file dialog and returns what the user chose. The process must do nothing else.
func showDialog(request dialogRequest) ([]string, error) {
	runtime.LockOSThread()
	d := C.Dialog{
		title: C.CString(request.Title), accept: C.CString(request.Accept), cancel: C.CString(request.Cancel), all_files: C.CString(request.AllFiles), patterns: cStrings(request.Patterns), mime_types: cStrings(request.MIMETypes),
		multiple: cBool(request.Kind == dialogFiles && !request.Single), dark: cBool(request.Dark), parent: C.ulong(request.Parent),
	}
	switch request.Kind {
	case dialogFiles:
		d.action = C.GTK_FILE_CHOOSER_ACTION_OPEN
	case dialogFolder:
		d.action = C.GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
	case dialogSave:
		d.action = C.GTK_FILE_CHOOSER_ACTION_SAVE
	default:
		return nil, core.E(core.Invalid, "unknown dialog %q", request.Kind)
	}
	if request.Name != "" {
		d.name = C.CString(request.Name)
	}
	if request.FilterName != "" {
		d.filter_name = C.CString(request.FilterName)
	}
	// GTK stores the address while the dialog is shown, and C memory must not point to Go memory. The memory is freed when
	// the process exits.
	shown := (*C.Dialog)(C.malloc(C.sizeof_Dialog))
	*shown = d
	if C.run_dialog(shown) == 0 {
		return nil, core.E(core.Unavailable, "no display to show a dialog on")
	}
	var paths []string
	for l := shown.files; l != nil; l = l.next {
		paths = append(paths, C.GoString((*C.char)(l.data)))
	}
	return paths, nil
}

func cBool(b bool) C.gboolean {
	if b {
		return 1
	}
	return 0
}

// cStrings returns a list in C memory that is terminated by NULL.
func cStrings(all []string) **C.char {
	list := (**C.char)(C.calloc(C.size_t(len(all)+1), C.size_t(unsafe.Sizeof((*C.char)(nil)))))
	for i, s := range all {
		unsafe.Slice(list, len(all)+1)[i] = C.CString(s)
	}
	return list
}
