package window

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/internal/find"
	"coppice/app/window/internal/change"
	"coppice/app/window/internal/job"
	"coppice/app/window/internal/remedy"
	"coppice/app/window/internal/texts"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// quietHost is a host without a screen. It records the calls.
type quietHost struct {
	mu      sync.Mutex
	events  []change.Change
	opened  []string
	said    []string // notifications, title and body
	theme   string   // of the frame
	asked   string   // title of the last dialog for files
	offered []string // extensions that the dialog for files to import offered
}

func (h *quietHost) notify(title, body string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said = append(h.said, title+" | "+body)
}

func (*quietHost) showTexts(texts.Texts) {}

func (h *quietHost) notices() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.said)
}

func (h *quietHost) emit(name string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c, ok := args[0].(change.Change); ok && name == change.Event {
		h.events = append(h.events, c)
	}
}

// heard reports whether a change of this kind was emitted. An empty sessionID means a change of the library.
func (h *quietHost) heard(kind change.Kind, sessionID string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.events, func(c change.Change) bool { return c.SessionID == sessionID && slices.Contains(c.Kinds, kind) })
}

// changes returns the kinds of changes of a session that do causes, without repetitions. An empty sessionID means the
// library.
func (h *quietHost) changes(t *testing.T, sessionID string, do func() error) []change.Kind {
	t.Helper()
	h.mu.Lock()
	before := len(h.events)
	h.mu.Unlock()
	if err := do(); err != nil {
		t.Fatal(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	kinds := []change.Kind{}
	for _, c := range h.events[before:] {
		if c.SessionID == sessionID {
			kinds = append(kinds, c.Kinds...)
		}
	}
	return kinds
}

func (h *quietHost) openURL(link string) { h.opened = append(h.opened, link) }
func (h *quietHost) showTheme(theme string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.theme = theme
}

func (h *quietHost) shownTheme() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.theme
}

func (h *quietHost) openFiles(title string, extensions []string) ([]string, error) {
	h.asked, h.offered = title, extensions
	return nil, nil
}

func (*quietHost) openFolder(string) (string, error)       { return "", nil }
func (*quietHost) saveFile(string, string) (string, error) { return "", nil }

// openBindings opens a new library with the samples.
func openBindings(t *testing.T) (*bindings, *quietHost) {
	t.Helper()
	h := &quietHost{}
	folder := t.TempDir()
	b := newBindings(h, windowStateFile(filepath.Join(folder, "state", "window.json")))
	b.library.start(t.Context(), filepath.Join(folder, "coppice.db"))
	t.Cleanup(func() {
		if err := b.close(); err != nil {
			t.Error(err)
		}
	})
	report, err := b.LoadSamples()
	if err != nil {
		t.Fatal(err)
	}
	if report.Imported < 8 || len(report.Sessions) < 8 {
		t.Fatalf("samples: %+v", report)
	}
	return b, h
}

// treeOf returns the tree of a session.
func treeOf(t *testing.T, b *bindings, id string) core.Tree {
	t.Helper()
	return apptest.Must(call(b.program, func(ctx context.Context, db *sqlite.DB) (core.Tree, error) { return db.Tree(ctx, id) }))(t)
}

// branched returns the sample with the most branches.
func branched(t *testing.T, b *bindings) core.Session {
	t.Helper()
	page := apptest.Must(b.ListSessions(core.SessionFilter{Sort: core.SortBranches}))(t)
	if page.Total < 8 || len(page.Sessions) == 0 || page.Sessions[0].BranchCount < 2 {
		t.Fatalf("no sample with branches: %+v", page.Total)
	}
	return page.Sessions[0]
}

// TestResultsCross calls the methods that read and checks that every value can be passed to TypeScript.
func TestResultsCross(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	session := branched(t, b)
	window := apptest.Must(b.GetWindow(session.ID, "", 0, 0))(t)
	uid := window.Messages[len(window.Messages)-1].UID
	results := map[string]any{
		"ListSessions":       apptest.Must(b.ListSessions(core.SessionFilter{}))(t),
		"ListSessions empty": apptest.Must(b.ListSessions(core.SessionFilter{Query: "nothing has this"}))(t),
		"GetFacets":          apptest.Must(b.GetFacets())(t),
		"GetSession":         apptest.Must(b.GetSession(session.ID))(t),
		"GetWindow":          window,
		"GetWindow beyond":   apptest.Must(b.GetWindow(session.ID, "", 1_000_000, 10))(t),
		"ListSiblings":       apptest.Must(b.ListSiblings(session.ID, uid))(t),
		"Locate":             apptest.Must(b.Locate(session.ID, "n0"))(t),
		"Search":             apptest.Must(b.Search(core.SearchQuery{Text: "the"}))(t),
		"Search in vain":     apptest.Must(b.Search(core.SearchQuery{Text: "nothing has this"}))(t),
		"FindSources":        apptest.Must(b.FindSources())(t),
		"ChooseFiles":        apptest.Must(b.ChooseFiles())(t),
		"GetSettings":        apptest.Must(b.GetSettings())(t),
		"GetAbout":           apptest.Must(b.GetAbout())(t),
		"GetJob":             apptest.Must(b.GetJob(apptest.Must(b.StartCheck())(t)))(t),
	}
	for _, message := range window.Messages {
		for _, block := range message.Blocks {
			if block.Type == "tool" {
				results["GetToolDetail "+message.UID] = apptest.Must(b.GetToolDetail(session.ID, message.UID, block.Part, block.ResultUID))(t)
			}
		}
	}
	for name, result := range results {
		if _, err := json.Marshal(result); err != nil {
			t.Errorf("%s would end the program: %v", name, err)
		}
		findNil(t, name, reflect.ValueOf(result))
	}
}

// findNil reports slices that TypeScript would receive as null.
func findNil(t *testing.T, where string, value reflect.Value) {
	t.Helper()
	switch value.Kind() {
	case reflect.Slice:
		if value.IsNil() {
			t.Errorf("%s is null", where)
		}
		for i := range value.Len() {
			findNil(t, where, value.Index(i))
		}
	case reflect.Struct:
		for i := range value.NumField() {
			field := value.Type().Field(i)
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			isLeftOut := name == "-" || strings.Contains(options, "omit") && value.Field(i).IsZero() // omitempty, omitzero
			if !isLeftOut {
				findNil(t, where+"."+field.Name, value.Field(i))
			}
		}
	default:
	}
}

func TestChangesAreReported(t *testing.T) {
	t.Parallel()
	b, host := openBindings(t)
	session := branched(t, b)
	if err := b.RenameSession(session.ID, "A new name"); err != nil {
		t.Fatal(err)
	}
	if !host.heard(change.Session, session.ID) {
		t.Errorf("heard of %v", host.events)
	}
	if got := apptest.Must(b.GetSession(session.ID))(t); got.Title != "A new name" {
		t.Errorf("title %q", got.Title)
	}
	if err := b.SetSettings(Settings{Theme: themeDark, ZoomPercent: 125}); err != nil {
		t.Fatal(err)
	}
	if got := apptest.Must(b.GetSettings())(t); got != (Settings{Theme: themeDark, ZoomPercent: 125}) || !host.heard(change.Settings, "") {
		t.Errorf("settings %+v", got)
	}
	if got := b.window.load().Theme; got != themeDark {
		t.Errorf("the next window opens %s", got)
	}
	for _, wrong := range []Settings{
		{Theme: "pink", ZoomPercent: 100},
		{Theme: themeDark, ZoomPercent: 1000},
		{Theme: themeDark, ZoomPercent: 100, ReadingFontPx: 99},
		{Theme: themeDark, ZoomPercent: 100, ReadingWidth: "endless"},
	} {
		if err := b.SetSettings(wrong); core.CodeOf(err) != core.Invalid {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// TestChooseFilesOffersEveryFormat requires that the dialog shows every file that can be imported.
func TestChooseFilesOffersEveryFormat(t *testing.T) {
	t.Parallel()
	b, h := openBindings(t)
	apptest.Must(b.ChooseFiles())(t)
	for _, wanted := range []string{".json", ".jsonl", ".zip", ".zst", ".db", ".enc"} {
		if !slices.Contains(h.offered, wanted) {
			t.Errorf("%s is not among %v", wanted, h.offered)
		}
	}
}

// TestDialogsAreInTheLanguageOnScreen requires the texts that the page has sent, and English ones for those it has not.
func TestDialogsAreInTheLanguageOnScreen(t *testing.T) {
	t.Parallel()
	b, h := openBindings(t)
	if err := b.SetTexts(texts.Texts{ImportFiles: "Sitzungsdateien importieren"}); err != nil {
		t.Fatal(err)
	}
	apptest.Must(b.ChooseFiles())(t)
	if h.asked != "Sitzungsdateien importieren" {
		t.Errorf("the dialog has the title %q", h.asked)
	}
	apptest.Must(b.ChooseWatched(false))(t)
	if h.asked != texts.English().ChooseWatchFile {
		t.Errorf("the dialog has the title %q", h.asked)
	}
}

// TestWindowTakesTheThemeOfItsLibrary requires that the frame, which starts with the theme of the library opened before,
// changes to that of its own.
func TestWindowTakesTheThemeOfItsLibrary(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	state := windowStateFile(filepath.Join(folder, "window.json"))
	open := func(library string) (*bindings, *quietHost) {
		h := &quietHost{}
		b := newBindings(h, state)
		b.library.start(t.Context(), filepath.Join(folder, library))
		return b, h
	}
	b, _ := open("dark.db")
	if err := errors.Join(b.SetSettings(Settings{Theme: themeDark, ZoomPercent: 100}), b.close()); err != nil {
		t.Fatal(err)
	}
	for library, want := range map[string]string{"new.db": themeSystem, "dark.db": themeDark} {
		if err := state.setTheme(themeLight); err != nil {
			t.Fatal(err)
		}
		b, h := open(library)
		if got, next := h.shownTheme(), state.load().Theme; got != want || next != want {
			t.Errorf("%s: the frame is %s and will be %s, not %s", library, got, next, want)
		}
		if err := b.close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHeadAndLabels(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	session := branched(t, b)
	tree := treeOf(t, b, session.ID)
	turn := tree.Turns[0]
	moved := apptest.Must(b.MoveHead(session.ID, "n0"))(t)
	if moved.HeadUID != turn.LastUID {
		t.Errorf("head %s, want %s", moved.HeadUID, turn.LastUID)
	}
	if err := b.SetLabel(session.ID, turn.LastUID, "  begin "); err != nil {
		t.Fatal(err)
	}
	at := apptest.Must(b.Locate(session.ID, "begin"))(t)
	if at.UID != turn.LastUID || at.Depth != turn.Messages-1 || at.LeafUID == "" {
		t.Errorf("located %+v", at)
	}
	if _, err := b.Locate(session.ID, "n999"); core.CodeOf(err) != core.NotFound {
		t.Errorf("an unknown node: %v", err)
	}
}

// waitJob waits until a job is done and returns it.
func waitJob(t *testing.T, b *bindings, id string) job.Job {
	t.Helper()
	b.jobs.Wait()
	job := apptest.Must(b.GetJob(id))(t)
	if !job.Done {
		t.Fatalf("not done: %+v", job)
	}
	return job
}

func TestJobs(t *testing.T) {
	t.Parallel()
	b, host := openBindings(t)
	session := branched(t, b)

	id := apptest.Must(b.StartImport([]string{"../testdata/fixtures"}, false))(t)
	job := waitJob(t, b, id)
	if job.Error != "" || job.Report.Imported != 3 || len(job.Report.Problems) != 1 || !host.heard(change.Job, "") {
		t.Errorf("import: %+v", job)
	}

	out := filepath.Join(t.TempDir(), "out")
	for format, name := range map[string]string{"md": "one.md", "html": "one.html", "json": "one.json", "jsonl": "one.jsonl"} {
		job = waitJob(t, b, apptest.Must(b.StartExport(ExportRequest{SessionIDs: []string{session.ID}, Format: format}, filepath.Join(out, name)))(t))
		if info, err := os.Stat(job.Path); err != nil || info.Size() == 0 || job.Error != "" {
			t.Errorf("%s: %v %+v", format, err, job)
		}
	}
	all := apptest.Must(b.ListSessions(core.SessionFilter{}))(t).Sessions
	job = waitJob(t, b, apptest.Must(b.StartExport(ExportRequest{SessionIDs: find.IDs(all), Format: "md"}, filepath.Join(out, "all")))(t))
	if files, err := filepath.Glob(filepath.Join(job.Path, "*.md")); err != nil || len(files) != len(all) {
		t.Errorf("%d files of %d sessions, %v", len(files), len(all), err)
	}
	if _, err := b.StartExport(ExportRequest{SessionIDs: []string{session.ID}, Format: "word"}, out); core.CodeOf(err) != core.Invalid {
		t.Errorf("an unknown format: %v", err)
	}

	job = waitJob(t, b, apptest.Must(b.StartCheck())(t))
	if job.Error != "" || len(job.Report.Problems) != 0 {
		t.Errorf("check: %+v", job)
	}
	if _, err := b.StartImport([]string{"no/such/folder"}, false); core.CodeOf(err) != core.NotFound {
		t.Errorf("a missing folder: %v", err)
	}
	if _, err := b.GetJob("999"); core.CodeOf(err) != core.NotFound {
		t.Errorf("an unknown job: %v", err)
	}
	if err := b.RevealFile("/etc/passwd"); core.CodeOf(err) != core.Denied {
		t.Errorf("a file that is not ours: %v", err)
	}
}

func TestCanceledJob(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	began := make(chan struct{})
	id := b.jobs.Start(t.Context(), job.Import, func(ctx context.Context, _ job.Update) error {
		close(began)
		<-ctx.Done()
		return ctx.Err()
	})
	<-began
	if err := b.CancelJob(id); err != nil {
		t.Fatal(err)
	}
	if job := waitJob(t, b, id); !job.Canceled || job.Error != "" {
		t.Errorf("%+v", job)
	}
}

func TestPanicBecomesAnError(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	_, err := call(b.program, func(context.Context, *sqlite.DB) (string, error) { panic("secret") })
	if core.CodeOf(err) != core.Internal || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	id := b.jobs.Start(t.Context(), job.Check, func(context.Context, job.Update) error { panic("secret") })
	if job := waitJob(t, b, id); job.Error == "" || job.Hint == "" {
		t.Errorf("%+v", job)
	}
	got, ok := formatError(core.Wrap(core.Busy, errors.New("cause"), "do it")).(failure)
	if !ok || got.Code != core.Busy || got.Message != "do it: cause" {
		t.Errorf("%+v", got)
	}
}

func TestOnlyHarmlessLinksAreOpened(t *testing.T) {
	t.Parallel()
	b, host := openBindings(t)
	for _, link := range []string{"https://example.org/a?b=c", "http://example.org", "mailto:a@example.org"} {
		if err := b.OpenURL(link); err != nil {
			t.Errorf("%s: %v", link, err)
		}
	}
	for _, link := range []string{"file:///etc/passwd", "javascript:alert(1)", "", "/etc/passwd", "smb://host/x", " https://x", "http://[::1"} {
		if err := b.OpenURL(link); core.CodeOf(err) != core.Invalid {
			t.Errorf("%q: %v", link, err)
		}
	}
	if len(host.opened) != 3 {
		t.Errorf("opened %v", host.opened)
	}
}

// TestLibraryThatDoesNotOpen requires that every method returns the error of a library that cannot be opened, and that
// opening is retried later.
func TestLibraryThatDoesNotOpen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "coppice.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("this is no database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBindings(&quietHost{}, windowStateFile(filepath.Join(t.TempDir(), "window.json")))
	b.library.start(t.Context(), path)
	_, err := b.GetFacets()
	if err == nil || remedy.Hint(err) == "" {
		t.Fatalf("no error with a hint: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, again := b.GetFacets(); again == nil {
		t.Error("tried again at once")
	}
	b.library.triedAt = b.library.triedAt.Add(-reopenAfter)
	if _, err := b.GetFacets(); err != nil {
		t.Errorf("not tried again: %v", err)
	}
	if err := b.close(); err != nil {
		t.Error(err)
	}
	if _, err := b.GetFacets(); core.CodeOf(err) != core.Canceled {
		t.Errorf("after the end: %v", err)
	}
}

func TestBlobs(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	handler := newAssets(b.program, true)
	get := func(path, bytes string) *httptest.ResponseRecorder {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		if bytes != "" {
			request.Header.Set("Range", "bytes="+bytes)
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		return answer
	}
	hash := imageOf(t, b)
	answer := get("/blob/"+hash, "")
	if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != "image/png" ||
		answer.Header().Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(answer.Body.String(), "\x89PNG") {
		t.Errorf("%d %v", answer.Code, answer.Header())
	}
	if answer = get("/blob/"+hash, "1-3"); answer.Code != http.StatusPartialContent || answer.Body.String() != "PNG" {
		t.Errorf("range: %d %q", answer.Code, answer.Body.String())
	}
	for _, path := range []string{"/blob/sha256:0000", "/blob/", "/blob/..%2f..%2fetc%2fpasswd", "/other"} {
		if answer = get(path, ""); answer.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, answer.Code)
		}
	}
}

// imageOf returns the hash of an image in the samples.
func imageOf(t *testing.T, b *bindings) string {
	t.Helper()
	for _, session := range apptest.Must(b.ListSessions(core.SessionFilter{}))(t).Sessions {
		for _, message := range apptest.Must(b.GetWindow(session.ID, "", 0, 0))(t).Messages {
			for _, block := range message.Blocks {
				if block.MimeType == "image/png" && block.Blob != "" {
					return block.Blob
				}
			}
		}
	}
	t.Fatal("no sample has an image")
	return ""
}

func TestShownAs(t *testing.T) {
	t.Parallel()
	for mimeType, want := range map[string]struct {
		contentType string
		inline      bool
	}{
		"image/png":                {"image/png", true},
		"Image/JPEG; a=b":          {"image/jpeg", true},
		"image/svg+xml":            {"application/octet-stream", false},
		"text/html":                {"text/plain; charset=utf-8", true},
		"application/json":         {"text/plain; charset=utf-8", true},
		"application/pdf":          {"application/octet-stream", false},
		"":                         {"application/octet-stream", false},
		"application/xhtml+xml":    {"application/octet-stream", false},
		"text/javascript; charset": {"text/plain; charset=utf-8", true},
	} {
		if contentType, inline := shownAs(mimeType); contentType != want.contentType || inline != want.inline {
			t.Errorf("%q is served as %s, in place %v", mimeType, contentType, inline)
		}
	}
}

func TestUnbuiltInterfaceExplainsHowToBuildIt(t *testing.T) {
	t.Parallel()
	b := newBindings(&quietHost{}, "")
	answer := httptest.NewRecorder()
	newAssets(b.program, false).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	if answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), "make run") {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}

// TestListTotals requires that the total is the same for pages of every size.
func TestListTotals(t *testing.T) {
	b, _ := openBindings(t)
	total := apptest.Must(b.ListSessions(core.SessionFilter{}))(t).Total
	for limit := range int64(12) {
		for offset := range int64(12) {
			page := apptest.Must(b.ListSessions(core.SessionFilter{Limit: limit, Offset: offset, PinnedFirst: true}))(t)
			want := max(0, total-offset)
			if limit > 0 {
				want = min(want, limit)
			}
			if page.Total != total || int64(len(page.Sessions)) != want {
				t.Errorf("limit %d, offset %d: %d of %d, want %d of %d", limit, offset, len(page.Sessions), page.Total, want, total)
			}
		}
	}
}
