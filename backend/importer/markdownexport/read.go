// Package markdownexport reads the Markdown that Coppice exports: the text and the structure of sessions, by the front matter and
// the marks of mdmark. Long outputs and arguments are as abridged as the document has them.
package markdownexport

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/mdmark"
)

// Version is raised when the same document would be read differently.
const Version = 1

// Extensions returns the extensions of documents.
func Extensions() []string { return []string{".md"} }

// maxFrontMatter is more than the front matter of any export.
const maxFrontMatter = 32 << 10

// Sniff looks for the format in the front matter.
func Sniff(_ string, head []byte) bool {
	matter, ok := frontMatter(head)
	return ok && matter.Format == mdmark.Format
}

// matter is what is read of the front matter.
type matter struct {
	Title       string   `yaml:"title"`
	TitleOrigin string   `yaml:"titleOrigin"`
	Name        string   `yaml:"name"`
	Format      string   `yaml:"format"`
	Version     int      `yaml:"version"`
	Session     string   `yaml:"session"`
	Source      string   `yaml:"source"`
	SourceID    string   `yaml:"sourceId"`
	Agent       string   `yaml:"agent"`
	Model       string   `yaml:"model"`
	Workspace   string   `yaml:"workspace"`
	Tags        []string `yaml:"tags"`
	Created     string   `yaml:"created"`
	Scope       string   `yaml:"scope"`
	Leaf        string   `yaml:"leaf"`
	Redacted    bool     `yaml:"redacted"`
	lines       int64
}

// frontMatter parses the front matter of a document.
func frontMatter(head []byte) (m matter, ok bool) {
	head = bytes.ReplaceAll(head[:min(len(head), maxFrontMatter)], []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(head, []byte("---\n"))
	if !ok {
		return m, false
	}
	text, _, ok := bytes.Cut(rest, []byte("\n---\n"))
	if !ok || !bytes.Contains(text, []byte(mdmark.Format)) {
		return m, false
	}
	m.lines = int64(bytes.Count(text, []byte("\n"))) + 3
	return m, yaml.Unmarshal(text, &m) == nil
}

// Read yields the session of a document.
func Read(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		head := make([]byte, min(maxFrontMatter, file.SizeBytes))
		if n, err := file.Data.ReadAt(head, 0); err != nil && n < len(head) {
			yield(core.Incoming{}, core.Wrap(core.Unavailable, err, "read the front matter"))
			return
		}
		matter, _ := frontMatter(head)
		switch {
		case matter.Version == 0:
			yield(core.Incoming{}, core.E(core.Invalid, "an export of an older Coppice, without the marks that an import needs").
				WithHint("export the session again"))
			return
		case matter.Version > mdmark.Version:
			yield(core.Incoming{}, core.E(core.TooNew, "written by a newer Coppice").WithHint("update Coppice"))
			return
		}
		d, err := scan(ctx, file, matter)
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		if len(d.entries) == 0 {
			return
		}
		yield(d.incoming(ctx), nil)
	}
}

// document is the index of a document.
type document struct {
	file     core.SourceFile
	matter   matter
	entries  []entry            // by seq
	sequence []int              // the indexes of the entries, a parent before its children
	results  map[int64][]int64  // the messages whose text has results of a message, by its seq
	text     map[int64]extent   // by seq
	turns    map[int64][]string // the uids of the messages of each turn, in the order of the document
	turnOf   map[string]int64
	labels   []core.Label
}

// entry is a message of the document.
type entry struct {
	mark mdmark.Message
	// parentUID is the parent among the messages of the document; empty: none.
	parentUID string
}

// extent is where the text of a message is.
type extent struct {
	from, to int64
	isQuoted bool
}

// scan indexes a document.
func scan(ctx context.Context, file core.SourceFile, m matter) (*document, error) {
	d := &document{
		file: file, matter: m, results: map[int64][]int64{}, text: map[int64]extent{}, turns: map[int64][]string{}, turnOf: map[string]int64{},
	}
	known := map[string]bool{}
	var fence fence
	current := int64(-1)
	for line, err := range jsonl.Lines(io.NewSectionReader(file.Data, 0, file.SizeBytes)) {
		switch {
		case err != nil:
			return nil, core.Wrap(core.Unavailable, err, "read the document")
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case line.Number <= m.lines:
			continue
		}
		text, isQuoted := unquoted(line.Text)
		if fence.step(text) || !mdmark.IsMark(text) {
			continue
		}
		if mark, ok := mdmark.ParsePart(text); ok {
			if mark.Of != nil && current >= 0 {
				d.results[*mark.Of] = append(d.results[*mark.Of], current)
			}
			continue
		}
		if string(text) == mdmark.Note {
			continue
		}
		if e, ok := d.text[current]; ok && e.to == 0 {
			e.to = line.Offset
			d.text[current] = e
		}
		current = -1
		mark, ok := mdmark.ParseMessage(text)
		switch {
		case !ok:
			d.problem(line.Number, "damaged mark, its message is left out")
		case known[mark.UID] || d.text[mark.Seq] != extent{}:
			d.problem(line.Number, "message m"+decimal(mark.Seq)+" occurs twice, the second one is left out")
		default:
			known[mark.UID] = true
			d.add(mark)
			d.text[mark.Seq] = extent{from: line.End, isQuoted: isQuoted}
			current = mark.Seq
		}
	}
	if e, ok := d.text[current]; ok && e.to == 0 {
		e.to = file.SizeBytes
		d.text[current] = e
	}
	if fence.marks > 0 {
		d.problem(0, "code between fences does not end; what follows it is left out")
	}
	d.order()
	return d, nil
}

// order sorts the messages by their numbers, but a parent before its children. A parent precedes its children in the document, so
// there are no cycles.
func (d *document) order() {
	slices.SortStableFunc(d.entries, func(a, b entry) int { return cmp.Compare(a.mark.Seq, b.mark.Seq) })
	index := make(map[string]int, len(d.entries))
	for i := range d.entries {
		index[d.entries[i].mark.UID] = i
	}
	d.sequence = make([]int, 0, len(d.entries))
	done := make([]bool, len(d.entries))
	for i := range d.entries {
		var chain []int // the message and its ancestors that are not in the sequence yet
		for at, ok := i, true; ok && !done[at]; at, ok = index[d.entries[at].parentUID] {
			done[at] = true
			chain = append(chain, at)
		}
		slices.Reverse(chain)
		d.sequence = append(d.sequence, chain...)
	}
}

// add adds a message to the index.
func (d *document) add(mark mdmark.Message) {
	e := entry{mark: mark}
	last := ""
	if n := len(d.entries); n > 0 {
		last = d.entries[n-1].mark.UID
	}
	switch {
	case mark.Parent == nil:
		e.parentUID = last
	case *mark.Parent == "":
	default:
		if _, ok := d.turnOf[*mark.Parent]; ok {
			e.parentUID = *mark.Parent
		} else if mark.ParentTurn != nil { // the document does not have the parent, but maybe other messages of its turn
			if turn := d.turns[*mark.ParentTurn]; len(turn) > 0 {
				e.parentUID = turn[len(turn)-1]
			}
		}
	}
	turn := d.turnOf[e.parentUID]
	if mark.Turn != nil {
		turn = *mark.Turn
	}
	d.turnOf[mark.UID] = turn
	d.turns[turn] = append(d.turns[turn], mark.UID)
	if mark.Label != "" {
		d.labels = append(d.labels, core.Label{UID: mark.UID, Text: mark.Label, CreatedAtMs: max(mark.AtMs, 1)})
	}
	d.entries = append(d.entries, e)
}

func (d *document) problem(line int64, message string) {
	if d.file.Problem != nil {
		d.file.Problem(line, message)
	}
}

// incoming returns the session of the document. What the library has of it already stays as it is, because a document is abridged.
func (d *document) incoming(ctx context.Context) core.Incoming {
	m := d.matter
	session := core.Session{
		ID: m.Session, Source: core.SourceCoppice, SourceID: m.SourceID, Agent: m.Agent, Model: m.Model, WorkspacePath: m.Workspace, Tags: m.Tags,
		Name: m.Name, Status: core.StatusIdle, IncompleteStart: m.Scope == "turn" || m.Scope == "turns",
	}
	if slices.Contains(core.Sources(), core.Source(m.Source)) {
		session.Source = core.Source(m.Source)
	}
	if origin := core.TitleOrigin(m.TitleOrigin); origin != core.TitleDerived {
		session.Title, session.TitleOrigin = m.Title, origin
	}
	if at, err := time.Parse(time.RFC3339, m.Created); err == nil {
		session.CreatedAtMs = at.UnixMilli()
	}
	return core.Incoming{
		Header:   core.Header{Session: session, Labels: d.labels, Keep: true},
		Messages: d.messages(ctx),
		Ahead:    true,
		Head: func() string {
			if _, ok := d.turnOf[m.Leaf]; ok {
				return m.Leaf
			}
			return d.entries[d.sequence[len(d.sequence)-1]].mark.UID
		},
	}
}

// messages yields the messages in the order of creation.
func (d *document) messages(ctx context.Context) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		r := reader{document: d}
		for _, i := range d.sequence {
			if ctx.Err() != nil {
				yield(core.IncomingMessage{}, ctx.Err())
				return
			}
			m, err := r.message(&d.entries[i])
			if !yield(core.IncomingMessage{Message: m}, err) || err != nil {
				return
			}
			if d.file.Progress != nil {
				d.file.Progress(d.text[m.Seq].to)
			}
		}
	}
}

// unquoted returns a line of an alternative without its quote.
func unquoted(line []byte) (text []byte, isQuoted bool) {
	line = bytes.TrimRight(line, "\r\n")
	if rest, ok := bytes.CutPrefix(line, []byte("> ")); ok && mdmark.IsMark(rest) {
		return rest, true
	}
	return line, false
}

// fence follows code between fences. Fences of an export are longer than any backticks inside, so nothing inside ends them.
type fence struct{ marks int }

// step reads a line, and reports whether it is code or a fence.
func (f *fence) step(line []byte) bool {
	text := strings.TrimLeft(string(line[:min(len(line), 4096)]), "> \t")
	if f.marks == 0 {
		text = withoutMarkers(text)
	}
	marks := len(text) - len(strings.TrimLeft(text, "`"))
	rest := text[marks:]
	switch {
	case f.marks > 0:
		if marks >= f.marks && strings.TrimSpace(rest) == "" {
			f.marks = 0
		}
		return true
	case marks >= 3 && !strings.Contains(rest, "`"):
		f.marks = marks
		return true
	}
	return false
}

// withoutMarkers returns a line without the marks of lists, footnotes and quotes that it begins with.
func withoutMarkers(text string) string {
	for {
		rest := strings.TrimLeft(text, "> \t")
		switch end := strings.IndexAny(rest, " \t"); {
		case end > 0 && isListMarker(rest[:end]):
			rest = rest[end:]
		case strings.HasPrefix(rest, "[^") && end > 0 && strings.HasSuffix(rest[:end], "]:"):
			rest = rest[end:]
		default:
			return rest
		}
		text = rest
	}
}

func isListMarker(word string) bool {
	if word == "-" || word == "*" || word == "+" {
		return true
	}
	digits := strings.TrimLeft(word, "0123456789")
	return len(digits) < len(word) && (digits == "." || digits == ")")
}
