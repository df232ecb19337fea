package window

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"time"

	"coppice/app/internal/guard"
	"coppice/backend/core"
)

// blobPath is the path of a content; its hash follows.
const blobPath = "/blob/"

// newAssets returns the handler of the window's requests for contents and trees and, if the interface was not built, for a
// page that reports this.
func newAssets(p *program, built bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+blobPath+"{hash}", p.serveBlob)
	mux.HandleFunc("GET "+skeletonPath+"{session}", p.serveSkeleton)
	mux.HandleFunc("GET "+printPath+"{session}", p.servePrint)
	mux.HandleFunc("POST "+keyPath+"{provider}", p.acceptKey)
	mux.HandleFunc("POST "+serverPath, p.acceptServer)
	mux.HandleFunc("POST "+unlockPath, p.acceptLibraryKey)
	mux.HandleFunc("POST "+encryptPath, p.acceptEncryption)
	mux.HandleFunc("POST "+passphrasePath, p.acceptPassphrase)
	mux.HandleFunc("POST "+agentZeroPath, p.acceptAgentZeroKey)
	mux.HandleFunc("POST "+exportPassphrasePath, p.acceptExportPassphrase)
	if !built {
		mux.HandleFunc("GET /", serveUnbuilt)
	}
	return mux
}

// serveBlob serves a content. Contents come from imported files, so all but harmless types are served as downloads, and
// scripts in them have no effect.
func (p *program) serveBlob(w http.ResponseWriter, r *http.Request) {
	var blob core.Blob
	err := guard.Run(func() error {
		ctx, db, err := p.library.get()
		if err != nil {
			return err
		}
		blob, err = db.Blob(ctx, r.PathValue("hash"))
		return err
	})
	if err != nil {
		status := http.StatusInternalServerError
		if code := core.CodeOf(err); code == core.NotFound || code == core.Invalid {
			status = http.StatusNotFound
		}
		http.Error(w, err.Error(), status)
		return
	}
	contentType, inline := shownAs(blob.MimeType)
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Cache-Control", "private, max-age=31536000, immutable")
	if !inline {
		header.Set("Content-Disposition", "attachment")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(blob.Data))
}

// serveError serves an error as JSON, in the form in which bindings return it.
func serveError(w http.ResponseWriter, status int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(formatError(err)) // the window closed
}

// isBuilt reports whether assets contain the built interface.
func isBuilt(assets fs.FS) bool {
	_, err := fs.Stat(assets, "dist/index.html")
	return err == nil
}

const unbuiltPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Coppice</title>
<style>body{font:15px/24px system-ui,sans-serif;background:#FBFAF7;color:#1F1D1A;max-width:36em;margin:15vh auto;padding:0 16px}
code{background:#F3F1EC;padding:2px 4px;border-radius:4px}</style>
<h1>The interface is not built</h1>
<p>This program was built without its window's page. <code>make run</code> builds both and opens it;
<code>npm ci &amp;&amp; npm run build</code> in <code>frontend/</code>, followed by <code>make build</code>, does it by hand.</p>
<p>The command line works: <code>coppice --help</code>.</p></html>
`

func serveUnbuilt(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(unbuiltPage)) // the window closed
}
