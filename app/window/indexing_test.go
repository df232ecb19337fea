package window

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// soon waits until a condition holds that background work fulfils.
func soon(t *testing.T, what string, happens func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !happens(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain: " + what)
		}
	}
}

// TestWindowIndexes requires that messages which this window and another process write are indexed without a search.
func TestWindowIndexes(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	_, db, err := b.library.get()
	if err != nil {
		t.Fatal(err)
	}
	done := func() bool { return apptest.Must(db.Pending(t.Context()))(t) == 0 }
	soon(t, "the samples are indexed", done)

	other := apptest.Must(sqlite.Open(t.Context(), db.FilePath(), sqlite.Options{}))(t)
	defer other.Close()
	session := apptest.Must(other.CreateSession(t.Context(), core.Session{Title: "From elsewhere"}))(t)
	parent := ""
	for i := range 20 {
		m := apptest.Must(other.Append(t.Context(), session.ID, core.Message{
			ParentUID: parent, Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: fmt.Sprintf("pomegranate %d", i)}},
		}))(t)
		parent = m.UID
	}
	b.indexing.Wake() // as watchLibrary does after a write of another process
	soon(t, "what another process wrote is indexed", done)
	found := apptest.Must(b.Search(core.SearchQuery{Text: "pomegranate"}))(t)
	if found.Total != 20 || found.Pending != 0 || found.Hits[0].SessionHits != 20 || !strings.Contains(found.Hits[0].Snippet, "pomegranate 19") {
		t.Errorf("found %+v", found)
	}
	if at := apptest.Must(b.GetIndexing())(t); at.Total != 0 {
		t.Errorf("it says that it still indexes: %+v", at)
	}
}
