package render

import (
	"context"
	"io"
	"strconv"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
)

// IndexFile is the first page of a folder that HTMLFolder writes.
const IndexFile = "index.html"

// HTMLFolder writes the session as HTML does, but as several pages: an index with the contents, and pages of perPart
// messages each. next begins the file of that name and ends the one before.
func (r *Renderer) HTMLFolder(ctx context.Context, next func(name string) (io.Writer, error), source Source, sessionID string, perPart int64, o ExportOptions) error {
	t, err := r.transcript(ctx, source, sessionID, o)
	if err != nil {
		return err
	}
	p := htmlPage{transcript: t, imageBytes: maxImagesBytes, parts: t.divide(perPart, next)}
	if err := p.index(); err != nil {
		return err
	}
	if err := p.beginPart(0); err != nil {
		return err
	}
	if err := p.body(ctx); err != nil {
		return err
	}
	return p.endPart()
}

// parts is a division of an export into pages.
type parts struct {
	next    func(name string) (io.Writer, error)
	per     int64           // messages on a page
	total   int64           // messages, without folded alternatives
	count   int64           // of pages
	current int64           // the page being written; -1: the index
	bases   map[int64]int64 // of each strand by its branch: the number of messages before it
}

// divide divides the messages in the order in which they are written. Alternatives are on the page of the message of the
// path that they are alternatives to.
func (t *transcript) divide(perPart int64, next func(name string) (io.Writer, error)) *parts {
	d := &parts{next: next, per: perPart, current: -1, bases: map[int64]int64{}}
	total := int64(0)
	if s, ok := t.trunk(); ok {
		total = s.to - s.from + 1
	}
	for _, s := range t.strands() {
		d.bases[s.branch] = total
		total += s.to - s.from + 1
	}
	d.total, d.count = total, max(1, (total+perPart-1)/perPart)
	return d
}

// partOf returns the page that shows the message at a position; 0 if there is only one.
func (p *htmlPage) partOf(at core.Position) int64 {
	if p.parts == nil {
		return 0
	}
	if p.onPath(at) {
		return (at.Depth - p.path[0].From) / p.parts.per
	}
	s, _ := p.rest(at.Branch)
	if base, ok := p.parts.bases[at.Branch]; ok {
		return (base + at.Depth - s.from) / p.parts.per
	}
	return (s.from - p.path[0].From) / p.parts.per
}

// link opens a link to an element that belongs to the message at a position; it ends before the other attributes.
func (p *htmlPage) link(at core.Position, class markup, id string) {
	p.out.raw("<a")
	if class != "" {
		p.out.raw(` class="`, class, `"`)
	}
	p.out.raw(` href="`)
	if p.parts != nil {
		if part := p.partOf(at); part != p.parts.current {
			p.out.safe(partName(part))
		}
	}
	p.out.raw("#")
	p.out.safe(id)
	p.out.raw(`"`)
}

func partName(part int64) string { return "part-" + strconv.FormatInt(part+1, 10) + ".html" }

// turnPage begins the page of the message at a position, and reports whether that is another one. before is called to
// close what is open.
func (p *htmlPage) turnPage(at core.Position, before func()) (bool, error) {
	if p.parts == nil || p.isNested || p.partOf(at) <= p.parts.current {
		return false, nil
	}
	before()
	if err := p.endPart(); err != nil {
		return true, err
	}
	return true, p.beginPart(p.partOf(at))
}

// index writes the first page.
func (p *htmlPage) index() error {
	if err := p.open(IndexFile); err != nil {
		return err
	}
	p.head()
	p.masthead()
	p.contents()
	p.out.raw(`<main id="transcript" tabindex="-1"><h2 class="parts">Parts</h2>`, "\n", `<ol class="parts">`, "\n")
	for part := range p.parts.count {
		p.out.raw(`<li><a href="`)
		p.out.safe(partName(part))
		p.out.raw(`">Messages `)
		from := part * p.parts.per
		p.out.text(humanize.Comma(from+1) + " to " + humanize.Comma(min(from+p.parts.per, p.parts.total)))
		p.out.raw("</a>")
		p.firstTurn(from)
		p.out.raw("</li>\n")
	}
	p.out.raw("</ol>\n")
	return p.endPart()
}

// firstTurn writes the title of the turn of a message, by its number in the order in which they are written.
func (p *htmlPage) firstTurn(index int64) {
	at, ok := core.Position{}, false
	if len(p.path) > 0 {
		at, ok = p.path.At(p.path[0].From + index)
	}
	for branch, base := range p.parts.bases {
		if s, held := p.rest(branch); held && index >= base && index < base+s.to-s.from+1 {
			at, ok = core.Position{Branch: branch, Depth: s.from + index - base}, true
		}
	}
	if !ok {
		return
	}
	if turn := p.skeleton.TurnAt(at); turn >= 0 {
		p.out.raw(` <span class="quiet" dir="auto">`)
		p.out.text(turnTitle(p.tree.Turns[turn]))
		p.out.raw("</span>")
	}
}

func (p *htmlPage) open(name string) error {
	w, err := p.parts.next(name)
	if err != nil {
		return err
	}
	p.out = newMarkupWriter(w)
	return nil
}

func (p *htmlPage) beginPart(part int64) error {
	if err := p.open(partName(part)); err != nil {
		return err
	}
	p.parts.current = part
	p.head()
	p.out.raw(`<header class="masthead"><h1 dir="auto">`)
	p.out.text(p.title())
	p.out.raw("</h1>\n")
	p.partLinks()
	p.out.raw("</header>\n")
	p.toolbar()
	p.out.raw(`<main id="transcript" class="alone" tabindex="-1">`, "\n")
	return nil
}

// partLinks writes links to the index and the pages before and after.
func (p *htmlPage) partLinks() {
	part := p.parts.current
	p.out.raw(`<nav class="parts" aria-label="Parts"><a href="`, IndexFile, `">Contents</a> <span>Part `)
	p.out.number(part + 1)
	p.out.raw(" of ")
	p.out.number(p.parts.count)
	p.out.raw("</span>")
	if part > 0 {
		p.out.raw(` <a href="`)
		p.out.safe(partName(part - 1))
		p.out.raw(`">Previous</a>`)
	}
	if part+1 < p.parts.count {
		p.out.raw(` <a href="`)
		p.out.safe(partName(part + 1))
		p.out.raw(`">Next</a>`)
	}
	p.out.raw("</nav>\n")
}

// endPart ends the page that is being written.
func (p *htmlPage) endPart() error {
	if p.parts.current >= 0 {
		p.partLinks()
	}
	return p.end()
}
