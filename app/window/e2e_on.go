//go:build dev

package window

import (
	"net/http"
	"os"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/options/assetserver"

	"coppice/app/internal/library"
	"coppice/backend/core"
)

// isTesting reports whether a test drives the program. Only builds for tests have it.
func isTesting() bool { return os.Getenv("COPPICE_E2E") == "1" }

// checkTestLibrary returns an error if a test would open the user's own library.
func checkTestLibrary(path string) error {
	if !isTesting() || os.Getenv("COPPICE_DB") != "" {
		return nil
	}
	users, err := library.Path("")
	if err != nil {
		return err
	}
	if path == users {
		return core.E(core.Denied, "a test must not open %s", path).WithHint("set COPPICE_DB to a file of the test")
	}
	return nil
}

// testMiddleware serves an empty page to the hidden window. The test's browser shows the page, and two pages would react to
// the same events.
func testMiddleware() assetserver.Middleware {
	if !isTesting() {
		return nil
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.UserAgent(), "wails.io") && !strings.HasPrefix(r.URL.Path, "/wails/") {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				_, _ = w.Write([]byte("<!doctype html><title>Coppice</title>")) // the window closed
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}
