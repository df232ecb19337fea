//go:build desktop || dev

package window

/*
#cgo pkg-config: gtk+-3.0
#cgo webkit2_41 pkg-config: webkit2gtk-4.1
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#include <gtk/gtk.h>
#include <gdk/gdkx.h>
#include <webkit2/webkit2.h>

extern void chooseForPage(WebKitFileChooserRequest *request, gboolean multiple, char **mimeTypes);

static gulong window_id; // of X11; 0: not known

static GtkWidget *find_page(GtkWidget *in) {
	if (WEBKIT_IS_WEB_VIEW(in)) return in;
	if (!GTK_IS_CONTAINER(in)) return NULL;
	GtkWidget *found = NULL;
	GList *children = gtk_container_get_children(GTK_CONTAINER(in));
	for (GList *l = children; l && !found; l = l->next) found = find_page(GTK_WIDGET(l->data));
	g_list_free(children);
	return found;
}

static gboolean choose(WebKitWebView *page, WebKitFileChooserRequest *request, gpointer data) {
	g_object_ref(request);
	chooseForPage(request, webkit_file_chooser_request_get_select_multiple(request), (char **)webkit_file_chooser_request_get_mime_types(request));
	return TRUE;
}

static gboolean adopt(gpointer data) {
	GList *all = gtk_window_list_toplevels();
	for (GList *l = all; l; l = l->next) {
		GtkWidget *page = find_page(GTK_WIDGET(l->data));
		if (!page || g_object_get_data(G_OBJECT(page), "coppice-adopted")) continue;
		g_object_set_data(G_OBJECT(page), "coppice-adopted", GINT_TO_POINTER(1));
		g_signal_connect(page, "run-file-chooser", G_CALLBACK(choose), NULL);
		GdkWindow *window = gtk_widget_get_window(GTK_WIDGET(l->data));
		if (window && GDK_IS_X11_WINDOW(window)) __atomic_store_n(&window_id, gdk_x11_window_get_xid(window), __ATOMIC_SEQ_CST);
	}
	g_list_free(all);
	return G_SOURCE_REMOVE;
}

static void adopt_window(void) { g_idle_add(adopt, NULL); }
static gulong get_window_id(void) { return __atomic_load_n(&window_id, __ATOMIC_SEQ_CST); }

typedef struct { WebKitFileChooserRequest *request; char **paths; } Choice;

static gboolean choose_done(gpointer data) {
	Choice *c = data;
	if (c->paths[0]) webkit_file_chooser_request_select_files(c->request, (const gchar *const *)c->paths);
	else webkit_file_chooser_request_cancel(c->request);
	g_object_unref(c->request);
	for (char **p = c->paths; *p; p++) free(*p);
	free(c->paths);
	g_free(c);
	return G_SOURCE_REMOVE;
}

static void answer_page(WebKitFileChooserRequest *request, char **paths) {
	Choice *c = g_new(Choice, 1);
	c->request = request;
	c->paths = paths;
	g_idle_add(choose_done, c);
}
*/
import "C"

import (
	"log/slog"
	"sync/atomic"
	"unsafe"
)

// pageHost is the window whose page may ask for files. GTK's callback does not identify the window, and the program has only
// one.
var pageHost atomic.Pointer[wailsHost]

// adoptPage shows the dialogs for the page's own requests for files (<input type="file">) in a separate process, and stores
// the X11 window that dialogs are children of.
func (h *wailsHost) adoptPage() {
	pageHost.Store(h)
	C.adopt_window()
}

func windowID() uint64 { return uint64(C.get_window_id()) }

//export chooseForPage
func chooseForPage(request *C.WebKitFileChooserRequest, multiple C.gboolean, mimeTypes **C.char) {
	ask := dialogRequest{Kind: dialogFiles, Title: pageHost.Load().texts.Now().ChooseForPage, Single: multiple == 0}
	for m := mimeTypes; m != nil && *m != nil; m = (**C.char)(unsafe.Add(unsafe.Pointer(m), unsafe.Sizeof(*m))) {
		ask.MIMETypes = append(ask.MIMETypes, C.GoString(*m))
		ask.FilterName = pageHost.Load().texts.Now().Images
	}
	go func() {
		paths, err := pageHost.Load().dialog(ask)
		if err != nil {
			slog.Error("asking for files", slog.Any("error", err))
		}
		C.answer_page(request, cStrings(paths))
	}()
}
