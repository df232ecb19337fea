// A small window to drag files from, as from a file manager: drag-source X Y URI… stands at X, Y and
// ends when the drag does.

#include <gtk/gtk.h>
#include <stdlib.h>

static void give(GtkWidget *window, GdkDragContext *context, GtkSelectionData *data, guint info, guint time, gpointer uris) {
    gtk_selection_data_set_uris(data, uris);
}

static void end(GtkWidget *window, GdkDragContext *context, gpointer unused) {
    gtk_main_quit();
}

int main(int argc, char **argv) {
    gtk_init(&argc, &argv);
    if (argc < 4) return 2;
    GtkWidget *window = gtk_window_new(GTK_WINDOW_POPUP); // in front of all others, without a window manager
    gtk_window_set_default_size(GTK_WINDOW(window), 60, 40);
    gtk_window_move(GTK_WINDOW(window), atoi(argv[1]), atoi(argv[2]));
    gtk_drag_source_set(window, GDK_BUTTON1_MASK, NULL, 0, GDK_ACTION_COPY);
    gtk_drag_source_add_uri_targets(window);
    g_signal_connect(window, "drag-data-get", G_CALLBACK(give), argv + 3);
    g_signal_connect(window, "drag-end", G_CALLBACK(end), NULL);
    gtk_widget_show_all(window);
    gtk_main();
    return 0;
}
