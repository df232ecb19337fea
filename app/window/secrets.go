package window

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"sync"

	"coppice/app/window/internal/change"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// Paths of requests whose body may contain a secret. They are no bindings, because Wails logs the arguments of those.
const (
	keyPath    = "/key/"       // the key of a provider; the provider's name follows
	serverPath = "/mcp-server" // an MCP server, as JSON; its environment may contain tokens
	// exportPassphrasePath takes the passphrase of an export, and answers with a name for it.
	exportPassphrasePath = "/export-passphrase" //nolint:gosec // a path
)

// maxSecretBytes is the maximum length of such a body.
const maxSecretBytes = 64 << 10

// keyHeld is the answer if a key is only in memory, because the system has no keyring.
const keyHeld = "memory"

// acceptKey stores the key of a provider in the keyring of the system or, if none responds and the query has hold=1, holds
// it in memory until the window closes. It answers with the place.
func (p *program) acceptKey(w http.ResponseWriter, r *http.Request) {
	answerSecret(w, r, func(body []byte) (string, error) {
		return call(p, func(_ context.Context, db *sqlite.DB) (string, error) {
			registry, err := p.registry(db)
			if err != nil {
				return "", err
			}
			account, err := registry.Account(r.PathValue("provider"))
			if err != nil {
				return "", err
			}
			defer p.changes.Library(change.Settings)
			if r.URL.Query().Get("hold") == "1" {
				return keyHeld, registry.Keys().Hold(account, string(body))
			}
			return "keyring", registry.Keys().Set(account, string(body))
		})
	})
}

// acceptExportPassphrase holds the passphrase of an export until the export begins.
func (p *program) acceptExportPassphrase(w http.ResponseWriter, r *http.Request) {
	answerSecret(w, r, func(body []byte) (string, error) {
		if len(body) == 0 {
			return "", core.E(core.Invalid, "the passphrase is empty")
		}
		return p.passphrases.hold(string(body)), nil
	})
}

// passphrases holds the newest passphrase of an export. It is safe for concurrent use.
type passphrases struct {
	mu          sync.Mutex
	name, value string
}

func (h *passphrases) hold(value string) (name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.name, h.value = rand.Text(), value
	return h.name
}

// take returns a passphrase and forgets it.
func (h *passphrases) take(name string) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if name == "" || name != h.name {
		return "", core.E(core.NotFound, "the passphrase was used already").WithHint("Enter it again.")
	}
	value := h.value
	h.name, h.value = "", ""
	return value, nil
}

// acceptServer saves an MCP server in the user's configuration.
func (p *program) acceptServer(w http.ResponseWriter, r *http.Request) {
	answerSecret(w, r, func(body []byte) (string, error) {
		var edit config.ServerEdit
		if err := json.Unmarshal(body, &edit); err != nil {
			return "", core.E(core.Invalid, "save the MCP server: invalid JSON") // the error could quote the body
		}
		defer p.changes.Library(change.Settings)
		return "", config.SaveServer(edit)
	})
}

// answerSecret reads the body of a request, and answers with the result of accept or with its error as JSON. Other pages
// cannot send such a request: its type makes browsers ask first, and nothing answers them.
func answerSecret(w http.ResponseWriter, r *http.Request, accept func(body []byte) (string, error)) {
	w.Header().Set("Cache-Control", "no-store")
	answer, err := func() (string, error) {
		if r.Header.Get("Content-Type") != "application/octet-stream" {
			return "", core.E(core.Invalid, "unexpected type of content")
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSecretBytes))
		if err != nil {
			return "", core.E(core.Invalid, "the text is longer than %d bytes", maxSecretBytes)
		}
		defer clear(body)
		return accept(slices.Clip(body))
	}()
	if err != nil {
		serveError(w, http.StatusBadRequest, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // the window closed
}
