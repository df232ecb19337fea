//go:build linux

package app

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"

	"coppice/app/internal/exit"
	"coppice/backend/core"
	"coppice/backend/importer/foreigndb/foreigndbtest"
	"coppice/backend/sqlite"
)

// addressSpaceKB is the address space of an import, in the unit of "ulimit -v".
const addressSpaceKB = 2 << 20

// TestHostileFiles imports a folder of files that are designed to exhaust their reader, in a process of its own with 2
// GB of address space. The import must end, report what it skipped, and import the rest.
func TestHostileFiles(t *testing.T) {
	dir := t.TempDir()
	hostile := hostileFiles(t, filepath.Join(dir, "in"))
	output, code := importBounded(t, dir)
	if code != exit.Partial {
		t.Fatalf("exit code %d, want %d:\n%.4000s", code, exit.Partial, output)
	}
	for name, problem := range hostile {
		if problem != "" && !mentions(output, name, problem) {
			t.Errorf("%s: nothing mentions %q", name, problem)
		}
	}
	if t.Failed() {
		t.Logf("%.8000s", output)
	}
	list, _ := runBounded(t, dir, "sessions", "--limit", "100")
	for _, title := range []string{"good claude session", "good export", "many references", "large attachment", "generated column", "deep string", "large part"} {
		if !strings.Contains(list, title) {
			t.Errorf("the session %q is not imported:\n%s", title, list)
		}
	}
}

// mentions reports whether one line of an output contains both texts.
func mentions(output, name, problem string) bool {
	for line := range strings.Lines(output) {
		if strings.Contains(line, name) && strings.Contains(line, problem) {
			return true
		}
	}
	return false
}

func importBounded(t *testing.T, dir string) (output string, code int) {
	t.Helper()
	return runBounded(t, dir, "import", filepath.Join(dir, "in"))
}

// runBounded runs this program in a process of its own with at most addressSpaceKB of address space.
func runBounded(t *testing.T, dir string, args ...string) (output string, code int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "coppice") // under this name the test binary is the program
	if err := os.Symlink(self, program); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`ulimit -v %d && exec "$0" "$@"`, addressSpaceKB)
	cmd := exec.Command("/bin/sh", append([]string{"-c", script, program}, args...)...)
	cmd.Env = append(os.Environ(), "COPPICE_DB="+filepath.Join(dir, "library.db"), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "TMPDIR="+t.TempDir(), "TZ=UTC")
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		t.Logf("%s: %d MB resident at most", args[0], usage.Maxrss>>10)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// hostileFiles writes the folder. It returns for each file the problem that must be reported; empty: none.
func hostileFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	w := hostileWriter{t, dir}
	w.claude()
	w.codex()
	w.chats()
	w.databases()
	w.documents()
	return map[string]string{
		"claude-deep.jsonl": "nests deeper", "claude-dense.jsonl": "more than 1,048,576 values", "claude-line.jsonl": "line longer than",
		"codex-deep.jsonl": "", "codex-bomb.jsonl.zst": "line longer than",
		"chat-deep.json": "nest too deep", "chat-references.zip": "", "chat-large.zip": "not imported: larger than the limit of 64 MiB",
		"chat-many.zip": "not imported: the attachments of a message may have 128 MiB", "chat-bomb.zip": "a conversation of more than",
		"chat-nodes.json": "more than 1,048,576 values", "chat-circle.json": "lead back to themselves",
		"opencode-part.db": "not imported: a message may have", "opencode-generated.db": "", "opencode-pipe.db": "named pipe", "opencode-journal.db": "named pipe",
		"export-elements.json": "more than 1,048,576 elements", "trees.jsonl": "more than 1,048,576 values",
	}
}

type hostileWriter struct {
	t   *testing.T
	dir string
}

// file writes a file that consists of pieces, without copying them.
func (w hostileWriter) file(name string, pieces ...io.Reader) string {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	f, err := os.Create(path)
	if err == nil {
		_, err = io.Copy(f, io.MultiReader(pieces...))
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return path
}

// times returns a reader of a repeated text, which is not held in memory.
func times(text string, n int) io.Reader {
	return io.LimitReader(&repeating{text: []byte(text)}, int64(len(text)*n))
}

type repeating struct {
	text []byte
	at   int
}

func (r *repeating) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], r.text[r.at:])
		n, r.at = n+k, (r.at+k)%len(r.text)
	}
	return n, nil
}

func words(text string) io.Reader { return strings.NewReader(text) }

const levels = 10_000_000

func claudeLine(id, content string) string {
	return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":null,"sessionId":%q,"timestamp":"2026-03-01T10:00:00Z","cwd":"/x","message":{"role":"user","content":%s}}`+"\n", id, "s-"+id, content)
}

func (w hostileWriter) claude() {
	before, after, _ := strings.Cut(claudeLine("d1", "@"), "@")
	good := claudeLine("g1", `"good claude session"`)
	w.file("claude/z-good.jsonl", words(good))
	w.file("claude/claude-deep.jsonl", words(claudeLine("d0", `"deep claude session"`)), words(before), times("[", levels), times("]", levels), words(after))
	w.file("claude/claude-dense.jsonl", words(claudeLine("e0", `"dense claude session"`)), words(before+"["), times("{},", 15_000_000), words("{}]"+after))
	path := w.file("claude/claude-line.jsonl", words(claudeLine("l0", `"long line session"`)), words(before))
	if err := os.Truncate(path, 1<<30); err != nil { // a line of zeros that needs no space on the disk
		w.t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("\n" + claudeLine("l2", `"after the long line"`)); err != nil {
		w.t.Fatal(err)
	}
	w.file("claude/claude-text.jsonl", words(strings.Replace(before, "d1", "t1", 2)+`"`), times(`words\n`, 8_000_000), words(`"`+after))
	w.file("claude/agent-x.jsonl", words(strings.Replace(claudeLine("a1", `"of a subagent"`), `"type"`, `"isSidechain":true,"agentId":"x","type"`, 1)))
	w.pipe("claude/agent-x.meta.json")
}

func (w hostileWriter) pipe(name string) {
	w.t.Helper()
	if err := syscall.Mkfifo(filepath.Join(w.dir, name), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

const codexHead = `{"timestamp":"2026-03-01T10:00:00Z","type":"session_meta","payload":{"id":"%s","timestamp":"2026-03-01T10:00:00Z","cwd":"/x"}}
{"timestamp":"2026-03-01T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"%s"}]}}
`

func (w hostileWriter) codex() {
	w.file("codex/codex-deep.jsonl", words(fmt.Sprintf(codexHead, "0199a000-0000-7000-8000-000000000001", "deep string")),
		words(`{"timestamp":"2026-03-01T10:00:02Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}}`+"\n"),
		words(`{"timestamp":"2026-03-01T10:00:03Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"output\":`),
		times("[", levels), times("]", levels), words(`}"}}`+"\n"))
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		w.t.Fatal(err)
	}
	all := io.MultiReader(words(fmt.Sprintf(codexHead, "0199a000-0000-7000-8000-000000000002", "a bomb")), words(`{"type":"event_msg","payload":{"x":"`), times("0", 300<<20), words(`"}}`+"\n"))
	if _, err := io.Copy(z, all); err != nil {
		w.t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.file("codex/codex-bomb.jsonl.zst", &packed)
}

// conversation returns a ChatGPT conversation with a single message that has the given parts.
func conversation(id, title, parts string) string {
	return fmt.Sprintf(`{"conversation_id":%q,"title":%q,"create_time":1750000000,"current_node":"n-%s","mapping":{"n-%s":{"id":"n-%s","parent":null,"children":[],
"message":{"id":"m","author":{"role":"user"},"create_time":1750000000,"content":{"content_type":"multimodal_text","parts":[%s]},"metadata":{}}}}}`, id, title, id, id, id, parts)
}

func pointers(from, n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`{"content_type":"image_asset_pointer","asset_pointer":"file-service://file-a%04d"}`, from+i))
	}
	return strings.Join(all, ",")
}

func (w hostileWriter) chats() {
	before, after, _ := strings.Cut(conversation("c-deep", "deep", "@"), "@")
	w.file("chat/chat-deep.json", words("["+conversation("c-good", "good export", `"words"`)+","+before), times("[", levels), times("]", levels), words(after+"]"))
	w.file("chat/chat-nodes.json", words(`[{"conversation_id":"c-n","create_time":1750000000,"mapping":{"a":{}`), times(`,"":{}`, 9_000_000), words("}}]"))
	w.file("chat/chat-circle.json", words(`[{"conversation_id":"c-c","create_time":1750000000,"title":"a circle","mapping":{`+
		`"a":{"id":"a","parent":"b","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["a"]}}},`+
		`"b":{"id":"b","parent":"a","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["b"]}}}}}]`))
	same := strings.TrimSuffix(strings.Repeat(pointers(0, 1)+",", 100), ",")
	w.zip("chat/chat-references.zip", "["+conversation("c-r", "many references", same)+"]", 1, 63<<20)
	w.zip("chat/chat-many.zip", "["+conversation("c-m", "many attachments", `"words",`+pointers(0, 5))+"]", 5, 63<<20)
	w.zip("chat/chat-large.zip", "["+conversation("c-l", "large attachment", `"words",`+pointers(0, 1))+"]", 1, 70<<20)
	w.zip("chat/chat-bomb.zip", "["+conversation("c-b1", "first", `"words"`)+","+conversation("c-b2", "bomb", `"`+strings.Repeat("0", 65<<20)+`"`)+"]", 0, 0)
}

// zip writes an export whose attachments consist of zeros.
func (w hostileWriter) zip(name, conversations string, attachments, sizeBytes int) {
	w.t.Helper()
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	add := func(name string, from io.Reader) {
		entry, err := z.Create(name)
		if err == nil {
			_, err = io.Copy(entry, from)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
	add("conversations.json", words(conversations))
	for i := range attachments {
		add(fmt.Sprintf("file-a%04d-picture.png", i), io.MultiReader(words(fmt.Sprintf("%04d", i)), times("\x00", sizeBytes-4)))
	}
	if err := z.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.file(name, &packed)
}

func (w hostileWriter) databases() {
	run := func(db *foreigndbtest.DB, statements ...string) {
		for _, s := range statements {
			foreigndbtest.Run(w.t, db, foreigndbtest.Statement{SQL: s})
		}
	}
	tables := func(name, title, extra string) (db *foreigndbtest.DB) {
		db = foreigndbtest.Open(w.t, filepath.Join(w.dir, name))
		id := strings.ReplaceAll(title, " ", "_")
		run(db, `CREATE TABLE session (id TEXT PRIMARY KEY, title TEXT, directory TEXT, time_created INTEGER`+extra+`)`,
			`CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT)`,
			`CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_updated INTEGER, data TEXT)`,
			`INSERT INTO session (id, title, directory, time_created) VALUES ('ses_`+id+`', '`+title+`', '/x', 1750000000000)`,
			`INSERT INTO message VALUES ('msg_1`+id+`', 'ses_`+id+`', 1750000000000, 9000000000000000000, '{"role":"user","time":{"created":1750000000000}}')`,
			`INSERT INTO message VALUES ('msg_2`+id+`', 'ses_`+id+`', 1750000000001, 9000000000000000000, '{"role":"user","time":{"created":1750000000001}}')`,
			`INSERT INTO part VALUES ('prt_1', 'msg_1`+id+`', 'ses_`+id+`', 1, '{"type":"text","text":"words"}')`,
			`INSERT INTO part VALUES ('prt_2', 'msg_2`+id+`', 'ses_`+id+`', 1, '{"type":"text","text":"words"}')`)
		return db
	}
	if err := os.MkdirAll(filepath.Join(w.dir, "opencode"), 0o700); err != nil {
		w.t.Fatal(err)
	}
	run(tables("opencode/opencode-generated.db", "generated column", `, x TEXT GENERATED ALWAYS AS (hex(zeroblob(400000000)))`), `PRAGMA wal_checkpoint(TRUNCATE)`)
	run(tables("opencode/opencode-part.db", "large part", ""),
		`UPDATE part SET data = '{"type":"text","text":"' || replace(hex(zeroblob(35000000)), '0', 'x') || '"}' WHERE id = 'prt_1'`, `PRAGMA wal_checkpoint(TRUNCATE)`)
	views := foreigndbtest.Open(w.t, filepath.Join(w.dir, "opencode/opencode-view.db"))
	run(views, `CREATE VIEW session (id, title, directory, time_created) AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n, n, n, n FROM r`,
		`CREATE VIEW message (id, session_id, time_created, data) AS SELECT id, id, id, id FROM session`,
		`CREATE VIEW part (id, message_id, session_id, data) AS SELECT id, id, id, id FROM session`, `PRAGMA wal_checkpoint(TRUNCATE)`)
	rollback := tables("opencode/opencode-journal-source.db", "a journal", "")
	run(rollback, `PRAGMA wal_checkpoint(TRUNCATE)`)
	data, err := os.ReadFile(filepath.Join(w.dir, "opencode/opencode-journal-source.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.file("opencode/opencode-pipe.db", bytes.NewReader(data))
	w.pipe("opencode/opencode-pipe.db-shm")
	data[18], data[19] = 1, 1 // no write-ahead log
	w.file("opencode/opencode-journal.db", bytes.NewReader(data))
	w.pipe("opencode/opencode-journal.db-journal")
}

func (w hostileWriter) documents() {
	w.file("documents/export-elements.json", words(`{"info":{"id":"ses_e","title":"elements","directory":"/x","time":{"created":1750000000000}},"messages":[1`), times(",1", 20_000_000), words("]}"))
	w.file("documents/trees.jsonl", words(`{"message_tree_id":"t0","prompt":{"message_id":"t0","role":"prompter","text":"siblings","replies":[]}}`+"\n"),
		words(`{"message_tree_id":"t1","prompt":{"message_id":"t1","role":"prompter","text":"siblings","replies":[{}`), times(`,{}`, 4_000_000), words("]}}\n"))
}

// TestLargeContentWithinTheAddressSpace exports and imports a content that is larger than the current limit for
// imports, in processes with 2 GB of address space each. Older versions stored up to 256 MiB; SQLite needs more than 2
// GB for that size.
func TestLargeContentWithinTheAddressSpace(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 100 MiB several times")
	}
	dir := t.TempDir()
	picture := make([]byte, 100<<20) // 133 MiB in base64, more than any value that is read as a whole
	_, _ = rand.NewChaCha8([32]byte{1}).Read(picture)
	db, err := sqlite.Open(t.Context(), filepath.Join(dir, "library.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	message := core.Message{UID: "m", Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{
		{Type: core.PartText, Text: "a large picture"}, {Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Data: picture}},
	}}
	_, err = core.Merge(t.Context(), db, core.Incoming{
		Header:   core.Header{Session: core.Session{ID: "large", Source: core.SourceCoppice, Status: core.StatusIdle}},
		Messages: func(yield func(core.IncomingMessage, error) bool) { yield(core.IncomingMessage{Message: message}, nil) },
		Head:     func() string { return "m" },
	})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"json", "jsonl"} {
		file := filepath.Join(dir, "large."+format)
		if output, code := runBounded(t, dir, "export", "large", "--format", format, "--output", file); code != exit.OK {
			t.Fatalf("export: exit code %d: %.2000s", code, output)
		}
		other := filepath.Join(dir, format+".db")
		if output, code := runBounded(t, dir, "--db", other, "import", file); code != exit.OK {
			t.Fatalf("import: exit code %d: %.2000s", code, output)
		}
		db, err := sqlite.Open(t.Context(), other, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if b, err := db.Blob(t.Context(), core.Hash(picture)); err != nil || !bytes.Equal(b.Data, picture) {
			t.Errorf("%s: the content is not the same: %d bytes, %v", format, len(b.Data), err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
