package picture

import (
	"bytes"
	"fmt"
	"html"
	"io"

	"coppice/backend/core"
)

// palette is the colors of a theme.
type palette struct{ background, text, faint, line, path, label, fill string }

func light() palette {
	return palette{"#fbfaf7", "#1f1d1a", "#6f695e", "#8d8678", "#2a7548", "#7d5f14", "#ffffff"}
}

func dark() palette {
	return palette{"#171614", "#ece8e0", "#9e9789", "#857e70", "#74c390", "#d6b263", "#1e1d1a"}
}

// SVG writes the tree as a picture that any size suits. Without a theme it follows that of its viewer.
func SVG(to io.Writer, tree core.Tree, theme Theme) error {
	c := newChart(tree, maxSVGRows)
	out := &bytes.Buffer{} // bounded by maxSVGRows
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" font-family="system-ui, sans-serif" font-size="%d">`+"\n",
		width, c.height(), width, c.height(), textSize)
	fmt.Fprintf(out, "<title>%s</title>\n<style>\n", html.EscapeString(visible(c.title)))
	switch theme {
	case ThemeDark:
		dark().rules(out)
	case ThemeLight:
		light().rules(out)
	case ThemeAuto:
		light().rules(out)
		fmt.Fprint(out, "@media (prefers-color-scheme: dark) {\n")
		dark().rules(out)
		fmt.Fprint(out, "}\n")
	}
	fmt.Fprintf(out, "</style>\n<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", width, c.height())
	fmt.Fprintf(out, "<text class=\"title\" x=\"%d\" y=\"30\">%s</text>\n", margin, html.EscapeString(clipped(visible(c.title), 90)))
	fmt.Fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"50\">%s</text>\n", margin, c.facts)
	for i := range c.rows {
		if r := &c.rows[i]; r.parent >= 0 {
			fmt.Fprintf(out, "<path class=\"%s\" d=\"%s\"/>\n", r.edgeClass(&c), r.edge(&c, i))
		}
	}
	for i := range c.rows {
		c.rows[i].svg(out, i)
	}
	if foot := c.foot(); foot != "" {
		fmt.Fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"%d\">%s</text>\n", margin, c.height()-16, foot)
	}
	fmt.Fprint(out, "</svg>\n")
	_, err := to.Write(out.Bytes())
	return core.Wrap(core.Unavailable, err, "write the picture")
}

func (p palette) rules(out *bytes.Buffer) {
	fmt.Fprintf(out, `.page { fill: %s } text { fill: %s } .title { font-size: %dpx; font-weight: 600 } .faint { fill: %s } .label { fill: %s; font-weight: 600 }
.edge, .path { fill: none; stroke: %s; stroke-width: 1.5 } .path { stroke: %s; stroke-width: 2.5 }
circle { fill: %s; stroke: %s; stroke-width: 1.5 } circle.on { fill: %s; stroke: %s }
`, p.background, p.text, titleSize, p.faint, p.label, p.line, p.path, p.fill, p.line, p.path, p.path)
}

func (r *row) edgeClass(c *chart) string {
	if r.onPath && c.rows[r.parent].onPath {
		return "path"
	}
	return "edge"
}

// edge returns the line from the row of the turn before: down in its lane, then over to the lane of the turn.
func (r *row) edge(c *chart, index int) string {
	from := &c.rows[r.parent]
	if from.x() == r.x() {
		return fmt.Sprintf("M%g %gV%g", from.x(), y(r.parent), y(index))
	}
	return fmt.Sprintf("M%g %gV%gQ%g %g %g %g", from.x(), y(r.parent), y(index)-bend, from.x(), y(index), r.x(), y(index))
}

// bend is the height of the curve of an edge.
const bend = rowHeight / 2

func (r *row) svg(out *bytes.Buffer, index int) {
	number, label, text, note := r.words()
	class := "off"
	if r.onPath {
		class = "on"
	}
	fmt.Fprintf(out, "<circle class=\"%s\" cx=\"%g\" cy=\"%g\" r=\"%d\"/>\n", class, r.x(), y(index), dot)
	fmt.Fprintf(out, "<text x=\"%g\" y=\"%g\"><tspan class=\"faint\">%s</tspan>", r.x()+14, y(index)+4.5, number)
	if label != "" {
		fmt.Fprintf(out, " <tspan class=\"label\">%s</tspan>", html.EscapeString(label))
	}
	fmt.Fprintf(out, " %s", html.EscapeString(text))
	if note != "" {
		fmt.Fprintf(out, " <tspan class=\"faint\">%s</tspan>", note)
	}
	fmt.Fprint(out, "</text>\n")
}
