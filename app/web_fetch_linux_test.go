package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"coppice/app/internal/exit"
)

// A page is fetched after permission, which covers the host if the user chooses so, and no other host.
func TestWebFetchAsks(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var requests []string
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		requests = append(requests, r.Host+r.URL.Path)
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<h1>Page %s</h1>", r.URL.Path)
	})
	one, two := httptest.NewServer(handler), httptest.NewServer(handler)
	t.Cleanup(one.Close)
	t.Cleanup(two.Close)
	h := newHome(t, nil)
	call := func(url string) string {
		return fmt.Sprintf(`{ "toolCalls": [{ "name": "web_fetch", "arguments": { "url": %q } }] }`, url)
	}
	h.put(t, "web.json", `{ "name": "web", "turns": [{ "alternatives": [[`+strings.Join([]string{
		call(one.URL + "/a"), call(one.URL + "/b"), call(two.URL + "/c"), `{ "text": "The end: {{result}}" }`,
	}, ",")+`]] }] }`)
	c := h.console(t, "run", "read", "--model", "script/web.json", "--agent", "plan")
	c.see("Permit? Fetch " + one.URL + "/a from this machine")
	c.see("[y] once  [s] this session  [w] this workspace  [a] always  [n] no: ")
	c.enter("s")
	c.see("Remember it for  [p] every page of " + one.URL + "  [t] this only: ")
	c.enter("p")
	c.see("Permit? Fetch " + two.URL + "/c from this machine")
	c.see("[n] no: ")
	c.enter("n")
	c.see("Why not?")
	c.enter("\n")
	c.see("The end: Permission denied")
	c.ends(exit.OK)
	mu.Lock()
	defer mu.Unlock()
	host := strings.TrimPrefix(one.URL, "http://")
	if got, want := strings.Join(requests, " "), host+"/a "+host+"/b"; got != want {
		t.Errorf("requested %q, want %q", got, want)
	}
}
