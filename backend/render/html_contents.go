package render

import "coppice/backend/core"

// toolbar writes what the script needs; without scripts it is not shown.
func (p *htmlPage) toolbar() {
	p.out.raw(`<div class="tools" id="tools" role="search" hidden>`,
		`<input id="query" type="search" placeholder="Find in this transcript ( / )" aria-label="Find in this transcript">`,
		`<button id="previous" type="button">Previous</button><button id="next" type="button">Next</button>`,
		`<output id="status" aria-live="polite"></output>`,
		`<select id="view" aria-label="Branches to show" hidden><option value="">All branches</option></select>`,
		`<span class="filters" role="group" aria-label="Show">`,
		`<label><input type="checkbox" data-part="tools" checked>Tools</label>`,
		`<label><input type="checkbox" data-part="reasoning" checked>Reasoning</label>`,
		`<label><input type="checkbox" data-part="context" checked>Context</label></span>`,
		`<button id="expand" type="button">Open all</button><button id="collapse" type="button">Fold all</button>`,
		`<details class="menu"><summary>More</summary><div><button id="theme" type="button">Light or dark</button>`,
		`<button id="json" type="button" hidden>Save JSON</button><dl>`,
		`<div><dt>/</dt><dd>Find</dd></div><div><dt>j k</dt><dd>Next, previous turn</dd></div>`,
		`<div><dt>[ ]</dt><dd>Previous, next alternative</dd></div><div><dt>o</dt><dd>Open or fold all</dd></div>`,
		`<div><dt>t</dt><dd>Light or dark</dd></div></dl></div></details></div>`, "\n")
}

// branchTable writes, for the script, the parent and the fork depth of each branch, by number.
func (p *htmlPage) branchTable() {
	if !p.hasStrands() {
		return
	}
	p.out.raw(` data-branches="`)
	for i, b := range p.tree.Branches {
		if i > 0 {
			p.out.raw(" ")
		}
		p.out.number(b.Parent)
		p.out.raw(".")
		p.out.number(b.ForkDepth)
	}
	p.out.raw(`"`)
	if end, ok := p.path.At(p.path.Length() - 1); ok {
		p.out.raw(` data-head="`)
		p.out.number(end.Branch)
		p.out.raw(".")
		p.out.number(end.Depth)
		p.out.raw(`"`)
	}
}

// contents writes the map, and the turns and branches in the order of the tree.
func (p *htmlPage) contents() {
	p.out.raw(`<nav class="contents" aria-labelledby="contents">`, "\n")
	if m, ok := p.treeMap(); ok && m.lanes > 1 {
		p.out.raw(`<details class="mapped" open><summary>Map</summary>`)
		p.svg(&m)
		if !m.whole {
			p.quiet("Turns without a fork or a label are left out.")
		}
		p.out.raw("</details>\n")
	}
	p.out.raw(`<h2 id="contents">Contents</h2>`, "\n<ol>\n")
	for _, row := range p.outline() {
		p.out.raw("<li")
		if row.depth > 0 {
			p.out.raw(` class="d`)
			p.out.number(int64(min(row.depth, 6)))
			if row.s.leafUID != "" {
				p.out.raw(" fork")
			}
			p.out.raw(`"`)
		}
		p.out.raw(">")
		if row.turn == nil {
			p.branchLine(row.s)
		} else {
			p.turnLine(row.turn, row.s)
		}
		p.out.raw("</li>\n")
	}
	p.out.raw("</ol>\n</nav>\n")
}

func (p *htmlPage) branchLine(s strand) {
	p.link(core.Position{Branch: s.branch, Depth: s.from}, "branch", strandID(s.branch))
	p.out.raw(`>Branch `)
	p.out.number(ordinal(s.branch))
	p.out.raw(` <span class="quiet">`)
	p.out.text(counted(s.to-s.from+1, "message", "messages"))
	p.out.raw("</span></a>")
}

// turnLine writes a turn; s is the strand that begins with it, if any.
func (p *htmlPage) turnLine(turn *core.Turn, s strand) {
	p.link(first(*turn), "", "n"+decimal(turn.Number))
	p.out.raw(` dir="auto"`)
	p.out.attribute("title", turnTitle(*turn))
	p.out.raw(`><span class="node">n`)
	p.out.number(turn.Number)
	p.out.raw("</span> ")
	if turn.Label != "" {
		p.out.raw(`<span class="label">`)
		p.out.text(turn.Label)
		p.out.raw("</span> ")
	}
	p.out.text(turnTitle(*turn))
	if s.leafUID != "" {
		p.out.raw(` <span class="quiet">`)
		p.out.text(counted(s.to-s.from+1, "message", "messages"))
		p.out.raw("</span>")
	}
	p.out.raw("</a>")
}
