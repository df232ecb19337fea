package window

import (
	"bytes"
	"context"
	"net/http"

	"coppice/app/internal/export"
	"coppice/app/internal/find"
	"coppice/backend/core"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

// printPath is the path of a page to print; the session's id follows. ?leaf=UID is the end of its path, ?detail= one of the
// details of exports.
const printPath = "/print/"

// maxPrintMessages bounds a page to print, which the system's dialog lays out at once: some 1,000 sheets.
const maxPrintMessages = 5000

// servePrint serves a path as the page that an export writes, for the frame that is printed. Its scripts have no effect. An error is
// served as JSON.
func (p *program) servePrint(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	page, err := call(p, func(ctx context.Context, db *sqlite.DB) (*bytes.Buffer, error) {
		return printedPage(ctx, db, r.PathValue("session"), query.Get("leaf"), query.Get("detail"))
	})
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if err != nil {
		serveError(w, http.StatusUnprocessableEntity, err)
		return
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-same-origin allow-modals")
	_, _ = page.WriteTo(w) // the window closed
}

func printedPage(ctx context.Context, db *sqlite.DB, sessionID, leafUID, detail string) (*bytes.Buffer, error) {
	sessions, err := find.Sessions(ctx, db, []string{sessionID})
	if err != nil {
		return nil, err
	}
	e := export.Plan{Sessions: sessions, Format: export.HTML, Scope: string(render.ScopePath), Detail: detail}
	if leafUID != "" {
		e.Leaves = []string{leafUID}
	}
	if err := e.Check(); err != nil {
		return nil, err
	}
	window, err := db.Window(ctx, sessionID, leafUID, -1, 1)
	if err != nil {
		return nil, err
	}
	if window.Length > maxPrintMessages {
		return nil, core.E(core.Invalid, "the path has %d messages, and %d can be printed", window.Length, maxPrintMessages).
			WithHint("Export it, and print the parts that you need from a browser")
	}
	page := &bytes.Buffer{}
	err = e.To(ctx, db, page)
	return page, core.Wrap(core.CodeOf(err), err, "lay out the page to print")
}
