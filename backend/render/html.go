package render

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"io"
	"math/bits"

	"coppice/backend/core"
	"coppice/backend/render/prose"
)

//go:embed export.css
var exportSheet string

//go:embed export.js
var exportScript string

// Browsers skip sections of the page that are out of sight, but visit each of them in every frame: WebKit needs three times as long for
// a frame among 1,100 sections as in groups of a few dozen. A section is small because it is laid out at once when it comes into sight.
const (
	sectionMessages = 50
	groupMessages   = 1000
)

// HTML writes the session as one self-contained page: readable without scripts, with light, dark and print styles, and
// a policy that runs no script but the page's own. Memory use does not grow with the session's length, only with its
// turns and branches.
func (r *Renderer) HTML(ctx context.Context, w io.Writer, source Source, sessionID string, o ExportOptions) error {
	t, err := r.transcript(ctx, source, sessionID, o)
	if err != nil {
		return err
	}
	p := htmlPage{transcript: t, out: newMarkupWriter(w), imageBytes: maxImagesBytes}
	p.head()
	p.masthead()
	p.contents()
	p.out.raw(`<main id="transcript" tabindex="-1"`)
	p.branchTable()
	p.out.raw(">\n")
	if err := p.body(ctx); err != nil {
		return err
	}
	return p.end()
}

// end writes what follows the messages of a page.
func (p *htmlPage) end() error {
	p.out.raw("</main>\n")
	p.colophon()
	p.out.raw("</div>\n")
	if data := p.options.Data; data != nil && p.isFirst() {
		if err := data.Write(p.out); err != nil {
			return core.Wrap(core.CodeOf(err), err, "write the data of the page")
		}
	}
	p.out.raw("<script>")
	p.out.safe(exportScript)
	p.out.raw("</script>\n</body>\n</html>\n")
	return core.Wrap(core.Unavailable, p.out.flush(), "write the page")
}

// htmlPage is the state of one export.
type htmlPage struct {
	*transcript
	out        *markupWriter
	imageBytes int64  // remaining for images
	parts      *parts // nil: everything is on one page
	isNested   bool   // inside an alternative
	grouped    int64  // messages of the sections in the open group; 0: none is open
	level      int    // of the headings of turns
}

// isFirst reports whether this is the only page or the index of several.
func (p *htmlPage) isFirst() bool { return p.parts == nil || p.parts.current < 0 }

// pageStyle is all CSS of the page.
func pageStyle() string { return exportSheet + prose.Stylesheet() }

// policy is the page's content security policy: hashes name its one style sheet and its one script.
func policy() string {
	return "default-src 'none'; img-src data:; style-src '" + contentHash(pageStyle()) + "'; script-src '" + contentHash(exportScript) +
		"'; base-uri 'none'; form-action 'none'"
}

// PolicyHashes returns the hashes of the style sheet and the script of every page, for the policy of a page around one.
func PolicyHashes() (style, script string) {
	return contentHash(pageStyle()), contentHash(exportScript)
}

func contentHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (p *htmlPage) head() {
	p.out.raw("<!doctype html>\n", `<html lang="en">`, "\n<head>\n", `<meta charset="utf-8">`, "\n")
	if data := p.options.Data; data != nil && p.isFirst() {
		p.out.safe(data.Mark + "\n")
	}
	p.out.raw(`<meta http-equiv="Content-Security-Policy"`)
	p.out.attribute("content", policy())
	p.out.raw(">\n", `<meta name="viewport" content="width=device-width, initial-scale=1">`, "\n")
	p.out.raw(`<meta name="color-scheme" content="light dark">`, "\n", `<meta name="referrer" content="no-referrer">`, "\n", `<meta name="generator"`)
	p.out.attribute("content", p.options.Generator)
	p.out.raw(">\n<title>")
	p.out.text(p.title())
	p.out.raw("</title>\n<style>")
	p.out.safe(pageStyle())
	p.out.raw("</style>\n</head>\n<body>\n", `<a class="skip" href="#transcript">Skip to the transcript</a>`, "\n", `<div class="page">`, "\n")
}

func (p *htmlPage) masthead() {
	p.out.raw(`<header class="masthead"><h1 dir="auto">`)
	p.out.text(p.title())
	p.out.raw("</h1>\n", `<dl class="facts">`)
	for _, fact := range p.facts() {
		p.out.raw("<div><dt>")
		p.out.text(fact.name)
		p.out.raw("</dt><dd>")
		p.out.text(fact.value)
		p.out.raw("</dd></div>")
	}
	p.out.raw("</dl>\n")
	for _, note := range p.notes("Long outputs, arguments and changes are abridged. Each place states it. " + p.holdsAll()) {
		p.out.raw(`<p class="omitted">`)
		p.out.text(note)
		p.out.raw("</p>\n")
	}
	p.out.raw(`<p class="printed quiet">What is folded is printed as a line. What you open before printing is printed whole.</p>`, "\n</header>\n")
	if p.parts == nil || p.options.Data != nil { // an index has nothing to find or to filter
		p.toolbar()
	}
}

// holdsAll names what has everything.
func (p *htmlPage) holdsAll() string {
	if p.options.Data != nil {
		return "The JSON that this page carries holds everything."
	}
	return "The JSON export holds everything."
}

func (p *htmlPage) colophon() {
	p.out.raw(`<footer class="colophon"><p>`)
	p.out.text(p.closing())
	p.out.raw("</p></footer>\n")
}

func (p *htmlPage) body(ctx context.Context) error {
	p.level = 2
	if s, ok := p.trunk(); ok {
		p.quiet(p.missingAbove())
		if err := p.strand(ctx, s, true); err != nil {
			return err
		}
	} else {
		p.out.raw(`<p class="quiet">This session continues from before its first message.</p>`, "\n")
	}
	p.level = 3
	strands := p.strands()
	for i, s := range strands {
		if _, err := p.turnPage(core.Position{Branch: s.branch, Depth: s.from}, p.endGroup); err != nil {
			return err
		}
		p.gather(strands[i:], s.length())
		p.out.raw(`<div class="strand"`)
		p.out.attribute("id", strandID(s.branch))
		p.out.raw("><h2>Branch ")
		p.out.number(ordinal(s.branch))
		if turn := p.skeleton.TurnAt(core.Position{Branch: s.branch, Depth: s.from}); turn >= 0 {
			p.out.raw(` <span class="quiet" dir="auto">`)
			p.out.text(turnTitle(p.tree.Turns[turn]))
			p.out.raw("</span>")
		}
		p.out.raw("</h2>\n")
		p.origin(s)
		if err := p.strand(ctx, s, false); err != nil {
			return err
		}
		p.out.raw("</div>\n")
	}
	p.endGroup()
	return nil
}

// origin links back to the parent of a strand.
func (p *htmlPage) origin(s strand) {
	parent, ok := p.skeleton.Parent(core.Position{Branch: s.branch, Depth: s.from})
	if !ok {
		p.out.raw(`<p class="quiet">A beginning of its own.</p>`, "\n")
		return
	}
	turn := p.skeleton.TurnAt(parent)
	p.out.raw(`<p class="quiet">Continues from `)
	p.nodeLink(turn)
	p.out.raw(".</p>\n")
}

// nodeLink writes the name of a turn, as a link if the export has its first message.
func (p *htmlPage) nodeLink(turn int64) {
	at := first(p.tree.Turns[turn])
	held := p.holds(at)
	if held {
		p.link(at, "", "n"+decimal(turn))
		p.out.raw(">")
	}
	p.out.raw("n")
	p.out.number(turn)
	if held {
		p.out.raw("</a>")
	}
}

// strand writes consecutive messages in sections that a browser can skip.
func (p *htmlPage) strand(ctx context.Context, s strand, isTrunk bool) error {
	count := 0
	before := core.Message{}
	for e, err := range p.shown(ctx, s) {
		if err != nil {
			return err
		}
		at := e.message.Position()
		turned, err := p.turnPage(at, func() { p.closeSection(count, s, isTrunk) })
		if err != nil {
			return err
		}
		if turned {
			count = 0
			if !isTrunk {
				p.gather([]strand{s}, s.to-at.Depth+1)
				p.out.raw(`<div class="strand">`, "\n")
			}
		}
		switch {
		case count%sectionMessages == 0:
			if count > 0 {
				p.out.raw("</div></div>\n")
			}
			p.section(s, at.Depth, isTrunk)
			p.unforked(at)
		case e.message.Siblings > 1 || before.UID != "" && at.Branch != before.Branch:
			p.out.raw("</div>\n")
			p.unforked(at)
		}
		count++
		p.quiet(e.leftOut)
		p.quiet(p.missingBefore(at, e.message.Siblings))
		if isTrunk && e.message.Siblings > 1 {
			if err := p.fork(ctx, at); err != nil {
				return err
			}
		}
		if err := p.message(ctx, &e, &before); err != nil {
			return err
		}
		p.digest(e.digest)
		if !e.absorbed {
			before = e.message
			before.Parts = nil
		}
	}
	if count > 0 {
		p.out.raw("</div></div>\n")
	}
	if isTrunk || s.isLong() {
		p.endGroup()
	}
	p.quiet(p.missingAfter(s))
	return nil
}

// closeSection closes what is open where a page ends inside a strand.
func (p *htmlPage) closeSection(count int, s strand, isTrunk bool) {
	if count > 0 {
		p.out.raw("</div></div>\n")
	}
	if isTrunk || s.isLong() {
		p.endGroup()
	}
	if !isTrunk {
		p.out.raw("</div>\n")
	}
	p.endGroup()
}

// isLong reports whether the sections of a strand are grouped by themselves, not with those of other strands.
func (s strand) isLong() bool { return s.length() > groupMessages }

func (s strand) length() int64 { return s.to - s.from + 1 }

// section opens a section of a strand, and a group if its sections need one.
func (p *htmlPage) section(s strand, depth int64, isTrunk bool) {
	messages := min(sectionMessages, s.to-depth+1)
	if !p.isNested && (isTrunk || s.isLong()) {
		p.group(messages, min(groupMessages, s.to-depth+1))
	}
	p.out.raw(`<div class="range r`)
	p.out.number(sizeClass(messages))
	p.out.raw(`">`)
}

// gather puts the messages of the first strand on this page into a group with its neighbours, unless the strand has its own groups.
func (p *htmlPage) gather(strands []strand, messages int64) {
	if strands[0].isLong() {
		p.endGroup()
		return
	}
	size := max(messages, sectionMessages) // each strand has a section
	held, room := messages, groupMessages-size
	for _, s := range strands[1:] {
		room -= max(s.length(), sectionMessages)
		if s.isLong() || room < 0 {
			break
		}
		held += s.length()
	}
	p.group(size, held)
}

// group opens a group of sections, unless one with room for so many more messages is open. held is the number that a new one will have.
func (p *htmlPage) group(messages, held int64) {
	if p.grouped > 0 && p.grouped+messages > groupMessages {
		p.endGroup()
	}
	if p.grouped == 0 {
		p.out.raw(`<div class="range r`)
		p.out.number(sizeClass(held))
		p.out.raw(`">`, "\n")
	}
	p.grouped += messages
}

func (p *htmlPage) endGroup() {
	if p.grouped > 0 {
		p.out.raw("</div>\n")
		p.grouped = 0
	}
}

// sizeClass returns the number of the style that estimates the height of so many messages: the binary logarithm, rounded up.
func sizeClass(messages int64) int64 { return int64(bits.Len64(uint64(max(messages, 1) - 1))) } //nolint:gosec // positive

// unforked begins messages of one branch without a fork between them: the script hides those outside of a branch.
func (p *htmlPage) unforked(at core.Position) {
	p.out.raw(`<div data-at="`)
	p.out.number(at.Branch)
	p.out.raw(".")
	p.out.number(at.Depth)
	p.out.raw(`">`, "\n")
}

// digest writes what was done in the turn that ends here; nothing if it is empty.
func (p *htmlPage) digest(line string) {
	if line == "" {
		return
	}
	p.out.raw(`<p class="digest" dir="auto">`)
	p.out.text(line)
	p.out.raw("</p>\n")
}

// fork writes the folded alternatives to a message.
func (p *htmlPage) fork(ctx context.Context, at core.Position) error {
	for _, s := range p.alternatives(at) {
		p.out.raw(`<details class="alternative"><summary>Another branch from here: `)
		p.out.text(counted(s.to-s.from+1, "message", "messages"))
		if turn := p.skeleton.TurnAt(core.Position{Branch: s.branch, Depth: s.from}); turn >= 0 {
			p.out.raw(` <span class="quiet" dir="auto">`)
			p.out.text(turnTitle(p.tree.Turns[turn]))
			p.out.raw("</span>")
		}
		p.out.raw("</summary>\n")
		p.level, p.isNested = 3, true
		err := p.strand(ctx, s, false)
		p.level, p.isNested = 2, false
		if err != nil {
			return err
		}
		p.out.raw("</details>\n")
	}
	return nil
}

func strandID(branch int64) string { return "b" + decimal(branch) }
