package window

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"coppice/app/internal/apptest"
)

// TestPrint asks for the page of a path: it has that path alone, runs nothing, and is refused where it cannot be printed.
func TestPrint(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	session := branched(t, b)
	fetch := func(id string, query url.Values) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		newAssets(b.program, true).ServeHTTP(answer, httptest.NewRequest("GET", printPath+id+"?"+query.Encode(), nil))
		return answer
	}
	path := apptest.Must(b.GetWindow(session.ID, "", 0, 50))(t)
	answer := fetch(session.ID, url.Values{"leaf": {path.LeafUID}, "detail": {"compact"}})
	page, header := answer.Body.String(), answer.Header()
	if answer.Code != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/html") || !strings.Contains(page, session.Title) {
		t.Fatalf("%d %v %.300q", answer.Code, header, page)
	}
	if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "script") {
		t.Errorf("policy %q", policy)
	}
	for name, refused := range map[string]*httptest.ResponseRecorder{
		"no session": fetch("nothing", url.Values{}),
		"no leaf":    fetch(session.ID, url.Values{"leaf": {"nothing"}}),
		"no detail":  fetch(session.ID, url.Values{"detail": {"nothing"}}),
	} {
		if refused.Code != 422 || !strings.Contains(refused.Body.String(), `"message"`) {
			t.Errorf("%s: %d %.200q", name, refused.Code, refused.Body)
		}
	}
}
