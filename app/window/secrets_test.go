package window

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/zalando/go-keyring"

	"coppice/app/internal/apptest"
	"coppice/app/window/internal/live"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/provider"
)

// openUser opens a window of a user with a configuration of their own, which names a server at an address as "mine".
func openUser(t *testing.T, address string) (*bindings, http.Handler) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	b, _ := openBindings(t)
	if err := b.SaveProvider(config.ProviderEdit{Name: "mine", BaseURL: address}); err != nil {
		t.Fatal(err)
	}
	return b, newAssets(b.program, true)
}

// post sends a body as the page does and returns the status and the answer.
func post(t *testing.T, handler http.Handler, path, body string) (int, string) {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/octet-stream")
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	return response.Code, response.Body.String()
}

// lockedServer lists a model to those who have the key.
func lockedServer(t *testing.T, key string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			io.WriteString(w, `{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}`)
			return
		}
		io.WriteString(w, `{"object":"list","data":[{"id":"oak","object":"model"}]}`)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

func serviceOf(t *testing.T, b *bindings, name string) provider.Service {
	t.Helper()
	for _, s := range apptest.Must(b.ListProviders())(t).Services {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no provider %s", name)
	return provider.Service{}
}

func TestKeyIsStoredAndTested(t *testing.T) {
	keyring.MockInit()
	b, page := openUser(t, lockedServer(t, "sk-right"))
	if s := serviceOf(t, b, "mine"); s.Kind != provider.ServiceCustom || s.KeyFrom != "" {
		t.Errorf("at first %+v", s)
	}
	for _, step := range []struct {
		key string
		ok  bool
	}{{"sk-wrong", false}, {"sk-right", true}} {
		if code, answer := post(t, page, keyPath+"mine", step.key); code != http.StatusOK || answer != "\"keyring\"\n" {
			t.Fatalf("%d %s", code, answer)
		}
		result := apptest.Must(b.TestProvider("mine"))(t)
		if result.OK != step.ok || (result.Message == "") != step.ok || step.ok && strings.Join(result.Names, " ") != "oak" {
			t.Errorf("%s: %+v", step.key, result)
		}
	}
	if s := serviceOf(t, b, "mine"); s.KeyFrom != "keyring" {
		t.Errorf("then %+v", s)
	}
	// Nothing that the page can ask for contains the key, nor does any file.
	shown := apptest.Must(json.Marshal([]any{apptest.Must(b.ListProviders())(t), apptest.Must(b.GetDefaults())(t)}))(t)
	if strings.Contains(string(shown), "sk-right") {
		t.Errorf("the page gets %s", shown)
	}
	for _, folder := range []string{config.Folder(), filepath.Dir(b.library.where())} {
		err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data), "sk-right") {
				t.Errorf("%s: %v, or it contains the key", path, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if err := b.RemoveKey("mine"); err != nil {
		t.Fatal(err)
	}
	if s := serviceOf(t, b, "mine"); s.KeyFrom != "" {
		t.Errorf("at last %+v", s)
	}
}

func TestKeyWithoutKeyring(t *testing.T) {
	keyring.MockInitWithError(os.ErrNotExist)
	t.Cleanup(keyring.MockInit)
	b, page := openUser(t, lockedServer(t, "sk-right"))
	if apptest.Must(b.ListProviders())(t).Keyring == "" {
		t.Error("the missing keyring is not reported")
	}
	if code, answer := post(t, page, keyPath+"mine", "sk-right"); code == http.StatusOK || strings.Contains(answer, "sk-right") || !strings.Contains(answer, `"unavailable"`) {
		t.Errorf("%d %s", code, answer)
	}
	if code, answer := post(t, page, keyPath+"mine?hold=1", "sk-right"); code != http.StatusOK || answer != "\"memory\"\n" {
		t.Errorf("%d %s", code, answer)
	}
	if s := serviceOf(t, b, "mine"); s.KeyFrom != "memory" || !apptest.Must(b.TestProvider("mine"))(t).OK {
		t.Errorf("%+v", s)
	}
}

func TestRequestsWithSecretsAreChecked(t *testing.T) {
	keyring.MockInit()
	_, page := openUser(t, "http://127.0.0.1:1/v1")
	for _, bad := range []struct{ path, body string }{
		{keyPath + "mine", ""},
		{keyPath + "mine", "sk-a\nsk-b"},
		{keyPath + "nobody", "sk-a"},
		{keyPath + "script", "sk-a"},
		{keyPath + "mine", strings.Repeat("x", maxSecretBytes+1)},
		{serverPath, `{"name":"sk-a`},
		{serverPath, `{"name":"a"}`},
	} {
		if code, answer := post(t, page, bad.path, bad.body); code != http.StatusBadRequest || strings.Contains(answer, "sk-a") {
			t.Errorf("%s: %d %s", bad.path, code, answer)
		}
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, keyPath+"mine", strings.NewReader("sk-a"))
	request.Header.Set("Content-Type", "text/plain") // as a form of another page could send it
	response := httptest.NewRecorder()
	page.ServeHTTP(response, request)
	if response.Code != http.StatusBadRequest {
		t.Errorf("%d %s", response.Code, response.Body)
	}
}

func TestServerIsSavedAndTested(t *testing.T) {
	b, page := openUser(t, "http://127.0.0.1:1/v1")
	if code, answer := post(t, page, serverPath, `{"name":"notes","command":"/nowhere/notes","env":{"TOKEN":"s3cret"}}`); code != http.StatusOK {
		t.Fatalf("%d %s", code, answer)
	}
	servers := apptest.Must(b.ListServers())(t)
	if len(servers) != 1 || servers[0].Command != "/nowhere/notes" || servers[0].Env["TOKEN"] != config.Hidden {
		t.Errorf("%+v", servers)
	}
	if result := apptest.Must(b.TestServer("notes"))(t); result.OK || result.Message == "" {
		t.Errorf("%+v", result)
	}
	if _, err := b.TestServer("other"); core.CodeOf(err) != core.NotFound {
		t.Error(err)
	}
	if err := b.RemoveServer("notes"); err != nil || len(apptest.Must(b.ListServers())(t)) != 0 {
		t.Error(err)
	}
}

func TestDefaultsAndAgents(t *testing.T) {
	b, _ := openUser(t, "http://127.0.0.1:1/v1")
	for key, value := range map[string]string{"model": "mine/oak", "agent": "ask", "mode": "plan"} {
		if err := b.SetDefault(key, value); err != nil {
			t.Fatal(err)
		}
	}
	if got := apptest.Must(b.GetDefaults())(t); got.Model != "mine/oak" || got.Agent != "ask" || got.Mode != "plan" || len(got.Problems) != 0 {
		t.Errorf("%+v", got)
	}
	for key, value := range map[string]string{"model": "oak", "mode": "never", "budget": "1"} {
		if err := b.SetDefault(key, value); core.CodeOf(err) != core.Invalid {
			t.Errorf("%s: %v", key, err)
		}
	}
	if err := b.SetDefault("model", ""); err != nil || apptest.Must(b.GetDefaults())(t).Model != "" {
		t.Error(err)
	}
	if err := b.SaveAgent(config.AgentEdit{Name: "reviewer", Extends: "build", Model: "mine/oak", Tools: []string{}}); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, a := range apptest.Must(b.ListAgents())(t) {
		found = found || a.Name == "reviewer" && a.Own && a.Edit.Extends == "build" && a.Model == "mine/oak"
		if a.Name == "build" && (a.Own || a.Edit.Extends != "build") {
			t.Errorf("%+v", a)
		}
	}
	if err := b.RemoveAgent("reviewer"); err != nil || !found {
		t.Errorf("%v, listed: %t", err, found)
	}
}

func TestNotificationsCanBeTurnedOff(t *testing.T) {
	t.Parallel()
	b, h := openBindings(t)
	session := branched(t, b).ID
	if err := b.SetFocused(false); err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []struct{ questions, ends bool }{{true, false}, {false, true}, {false, false}} {
		settings := apptest.Must(b.GetSettings())(t)
		settings.MuteQuestions, settings.MuteEnds = !wanted.questions, !wanted.ends
		if err := b.SetSettings(settings); err != nil {
			t.Fatal(err)
		}
		before := len(h.notices())
		b.notify(live.NoticeQuestion, session, "waits")
		if got := len(h.notices()) > before; got != wanted.questions {
			t.Errorf("%+v: a question notifies: %t", wanted, got)
		}
		before = len(h.notices())
		b.notify(live.NoticeEnd, session, "ended")
		if got := len(h.notices()) > before; got != wanted.ends {
			t.Errorf("%+v: an end notifies: %t", wanted, got)
		}
	}
}
