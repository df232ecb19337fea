// Opens pages in WebKitGTK as a browser does and reports what they do: page-observer PASSPHRASE FILE… prints for each file its
// title at the end, whether its text is visible, and each request except that for the page. The passphrase is entered where one is
// asked for. page-observer --script SCRIPT FILE… runs the body of a function in each page instead, and prints what it returns.

#include <gtk/gtk.h>
#include <stdio.h>
#include <string.h>
#include <webkit2/webkit2.h>

static char **files;
static const char *passphrase = "";
static const char *script;
static char *page;
static WebKitWebView *view;

static void open_next(void);

static void request(WebKitWebView *v, WebKitWebResource *resource, WebKitURIRequest *asked, gpointer unused) {
    const char *uri = webkit_uri_request_get_uri(asked);
    // A page may read what it carries.
    if (strcmp(uri, page) == 0 || g_str_has_prefix(uri, "data:") || g_str_has_prefix(uri, "blob:")) return;
    printf("request %s\n", uri);
}

static gboolean dialog(WebKitWebView *v, WebKitScriptDialog *d, gpointer unused) {
    printf("dialog %s\n", webkit_script_dialog_get_message(d));
    return TRUE;
}

// Navigations are requests, too. They are reported and do not take place, so that the page stays.
static gboolean policy(WebKitWebView *v, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer unused) {
    if (type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE) return FALSE;
    WebKitNavigationAction *action =
        webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
    const char *uri = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
    if (strcmp(uri, page) == 0 || g_str_has_prefix(uri, "about:")) return FALSE;
    printf("request %s\n", uri);
    webkit_policy_decision_ignore(decision);
    return TRUE;
}

static void finished(GObject *object, GAsyncResult *result, gpointer unused) {
    GError *error = NULL;
    JSCValue *value = webkit_web_view_call_async_javascript_function_finish(view, result, &error);
    if (value == NULL) {
        printf("error %s\n", error->message);
    } else {
        char *text = jsc_value_to_string(value);
        printf("%s\n", text);
        g_free(text);
    }
    fflush(stdout);
    open_next();
}

// Runs in a world of its own, to which the policy of the page does not apply.
static const char *operate =
    "const pause = (ms) => new Promise((done) => setTimeout(done, ms));"
    "const field = document.querySelector('input[type=password]');"
    "if (field && passphrase) {"
    "  field.value = passphrase;"
    "  field.form.requestSubmit();"
    "  for (let at = 0; at < 300 && !document.querySelector('#transcript'); at++) await pause(100);"
    "}"
    "for (const fold of document.querySelectorAll('details')) fold.open = true;"
    "for (const one of document.querySelectorAll('main a, main img, main svg'))"
    "  for (const name of ['mouseover', 'focus', 'error', 'load']) one.dispatchEvent(new Event(name));"
    "await pause(300);"
    "const shown = document.querySelector('main .message') !== null;"
    "return `title ${document.title}\\nshown ${shown}`;";

static void loaded(WebKitWebView *v, WebKitLoadEvent event, gpointer unused) {
    if (event != WEBKIT_LOAD_FINISHED) return;
    GVariantDict arguments;
    g_variant_dict_init(&arguments, NULL);
    g_variant_dict_insert(&arguments, "passphrase", "s", passphrase);
    webkit_web_view_call_async_javascript_function(view, script, -1, g_variant_dict_end(&arguments), "observer", NULL, NULL, finished, NULL);
}

static void open_next(void) {
    if (*files == NULL) {
        gtk_main_quit();
        return;
    }
    g_free(page);
    page = g_filename_to_uri(*files++, NULL, NULL);
    printf("page %s\n", page);
    webkit_web_view_load_uri(view, page);
}

int main(int argc, char **argv) {
    gtk_init(&argc, &argv);
    if (argc < 3) return 2;
    script = operate;
    if (strcmp(argv[1], "--script") == 0 && argc > 3) {
        char *text = NULL;
        if (!g_file_get_contents(argv[2], &text, NULL, NULL)) return 2;
        script = text;
        files = argv + 3;
    } else {
        passphrase = argv[1];
        files = argv + 2;
    }
    GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    gtk_window_set_default_size(GTK_WINDOW(window), 1000, 700);
    view = WEBKIT_WEB_VIEW(webkit_web_view_new());
    g_signal_connect(view, "resource-load-started", G_CALLBACK(request), NULL);
    g_signal_connect(view, "script-dialog", G_CALLBACK(dialog), NULL);
    g_signal_connect(view, "decide-policy", G_CALLBACK(policy), NULL);
    g_signal_connect(view, "load-changed", G_CALLBACK(loaded), NULL);
    gtk_container_add(GTK_CONTAINER(window), GTK_WIDGET(view));
    gtk_widget_show_all(window);
    open_next();
    gtk_main();
    return 0;
}
