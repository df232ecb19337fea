package render

import "coppice/backend/render/plain"

// The measures of a map in pixels: between lanes, between rows, around everything, and the radius of a node.
const (
	mapLane   = 16
	mapRow    = 18
	mapMargin = 12
	mapDot    = 5
)

// svg writes the map: an edge from each turn to its parent, and each turn as a link to where it is shown. Turns that the
// export leaves out are hollow.
func (p *htmlPage) svg(m *treeMap) {
	width, height := int64(m.lanes*mapLane+2*mapMargin), int64(m.rows*mapRow+2*mapMargin)
	p.out.raw(`<svg class="map" width="`)
	p.out.number(width)
	p.out.raw(`" height="`)
	p.out.number(height)
	p.out.raw(`" viewBox="0 0 `)
	p.out.number(width)
	p.out.raw(" ")
	p.out.number(height)
	p.out.raw(`" role="group" aria-label="Map of the tree">`, "\n")
	for i := range m.nodes {
		if node := &m.nodes[i]; node.parent >= 0 {
			p.edge(&m.nodes[node.parent], node)
		}
	}
	for i := range m.nodes {
		p.dot(&m.nodes[i])
	}
	p.out.raw("</svg>\n")
}

func (n *mapNode) x() int64 { return int64(n.lane*mapLane + mapMargin + mapLane/2) }
func (n *mapNode) y() int64 { return int64(n.row*mapRow + mapMargin + mapRow/2) }

// edge draws the way from a node down to its child: along the lane of the parent, then over to that of the child.
func (p *htmlPage) edge(from, to *mapNode) {
	p.out.raw(`<path class="`, edgeClass(from, to), `" d="M`)
	p.out.number(from.x())
	p.out.raw(" ")
	p.out.number(from.y())
	if from.lane != to.lane {
		p.out.raw("C")
		p.out.number(from.x())
		p.out.raw(" ")
		p.out.number(to.y())
		p.out.raw(" ")
		p.out.number(to.x())
		p.out.raw(" ")
		p.out.number(from.y())
		p.out.raw(" ")
	} else {
		p.out.raw("L")
	}
	p.out.number(to.x())
	p.out.raw(" ")
	p.out.number(to.y())
	p.out.raw(`"/>`, "\n")
}

func edgeClass(from, to *mapNode) markup {
	if from.onPath && to.onPath {
		return "path"
	}
	return "edge"
}

func (p *htmlPage) dot(n *mapNode) {
	if n.isHeld {
		p.link(first(*n.turn), "", "n"+decimal(n.turn.Number))
		p.out.raw(">")
	}
	p.out.raw(`<circle class="`)
	switch {
	case !n.isHeld:
		p.out.raw("out")
	case n.onPath:
		p.out.raw("path")
	default:
		p.out.raw("dot")
	}
	if n.turn.Label != "" {
		p.out.raw(" labelled")
	}
	p.out.raw(`" cx="`)
	p.out.number(n.x())
	p.out.raw(`" cy="`)
	p.out.number(n.y())
	p.out.raw(`" r="`)
	p.out.number(mapDot)
	p.out.raw(`"><title>`)
	p.out.text(mapTitle(n))
	p.out.raw("</title></circle>")
	if n.isHeld {
		p.out.raw("</a>")
	}
	p.out.raw("\n")
}

// mapTitle describes a turn on the map.
func mapTitle(n *mapNode) string {
	title := "n" + decimal(n.turn.Number) + " "
	if n.turn.Label != "" {
		title += plain.Line(n.turn.Label, 100) + ": "
	}
	title += turnTitle(*n.turn)
	if !n.isHeld {
		title += " (not included)"
	}
	return title
}
