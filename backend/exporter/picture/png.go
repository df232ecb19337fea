package picture

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"coppice/backend/core"
)

// sharpRows is up to how many rows a picture has two pixels for each of its measures.
const sharpRows = 200

// PNG writes the tree as a picture of pixels. Characters that its font does not have, such as Chinese ones, are boxes; an SVG is
// drawn with the fonts of its viewer.
func PNG(to io.Writer, tree core.Tree, theme Theme) error {
	c := newChart(tree, maxPNGRows)
	p := painter{chart: &c, palette: light(), scale: 1}
	if theme == ThemeDark {
		p.palette = dark()
	}
	if len(c.rows) <= sharpRows {
		p.scale = 2
	}
	if err := p.loadFonts(); err != nil {
		return core.Wrap(core.Internal, err, "load the fonts")
	}
	p.paint()
	return core.Wrap(core.Unavailable, png.Encode(to, p.image), "write the picture")
}

// painter draws a chart.
type painter struct {
	*chart
	palette              palette
	scale                float64
	image                *image.RGBA
	regular, bold, large font.Face
}

func (p *painter) loadFonts() (err error) {
	if p.regular, err = p.face(goregular.TTF, textSize); err != nil {
		return err
	}
	if p.bold, err = p.face(gobold.TTF, textSize); err != nil {
		return err
	}
	p.large, err = p.face(gobold.TTF, titleSize)
	return err
}

func (p *painter) face(data []byte, size float64) (font.Face, error) {
	parsed, err := opentype.Parse(data)
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(parsed, &opentype.FaceOptions{Size: size * p.scale, DPI: 72, Hinting: font.HintingNone})
}

func (p *painter) paint() {
	p.image = image.NewRGBA(image.Rect(0, 0, int(width*p.scale), int(float64(p.height())*p.scale)))
	draw.Draw(p.image, p.image.Bounds(), image.NewUniform(hex(p.palette.background)), image.Point{}, draw.Src)
	p.text(p.large, margin, 30, p.palette.text, clipped(visible(p.title), 80))
	p.text(p.regular, margin, 50, p.palette.faint, p.facts)
	for i := range p.rows {
		if r := &p.rows[i]; r.parent >= 0 {
			p.edge(r, i)
		}
	}
	for i := range p.rows {
		p.row(&p.rows[i], i)
	}
	p.text(p.regular, margin, float64(p.height()-16), p.palette.faint, p.foot())
}

func (p *painter) row(r *row, index int) {
	if r.onPath {
		p.disc(r.x(), y(index), dot+0.75, p.palette.path)
	} else {
		p.disc(r.x(), y(index), dot+0.75, p.palette.line)
		p.disc(r.x(), y(index), dot-0.75, p.palette.fill)
	}
	number, label, text, note := r.words()
	x, base := r.x()+14, y(index)+4.5
	x = p.text(p.regular, x, base, p.palette.faint, number+" ")
	if label != "" {
		x = p.text(p.bold, x, base, p.palette.label, label+" ")
	}
	x = p.text(p.regular, x, base, p.palette.text, text+" ")
	p.text(p.regular, x, base, p.palette.faint, note)
}

// edge draws what row.edge describes.
func (p *painter) edge(r *row, index int) {
	stroke, shade := 1.5, p.palette.line
	from := &p.rows[r.parent]
	if r.onPath && from.onPath {
		stroke, shade = 2.5, p.palette.path
	}
	if from.x() == r.x() {
		p.line(from.x(), y(r.parent), r.x(), y(index), stroke, shade)
		return
	}
	x, top := from.x(), y(index)-bend
	p.line(x, y(r.parent), x, top, stroke, shade)
	const pieces = 12
	lastX, lastY := x, top
	for i := 1; i <= pieces; i++ {
		t := float64(i) / pieces
		nextX := (1-t)*(1-t)*x + 2*(1-t)*t*x + t*t*r.x()
		nextY := (1-t)*(1-t)*top + 2*(1-t)*t*y(index) + t*t*y(index)
		p.line(lastX, lastY, nextX, nextY, stroke, shade)
		lastX, lastY = nextX, nextY
	}
}

// line draws a straight line as a thin rectangle.
func (p *painter) line(x1, y1, x2, y2, stroke float64, shade string) {
	length := math.Hypot(x2-x1, y2-y1)
	if length == 0 {
		return
	}
	dx, dy := (y2-y1)/length*stroke/2, -(x2-x1)/length*stroke/2
	p.fill(shade, [][2]float64{{x1 + dx, y1 + dy}, {x2 + dx, y2 + dy}, {x2 - dx, y2 - dy}, {x1 - dx, y1 - dy}})
}

func (p *painter) disc(x, y, radius float64, shade string) {
	const corners = 32
	points := make([][2]float64, corners)
	for i := range points {
		angle := 2 * math.Pi * float64(i) / corners
		points[i] = [2]float64{x + radius*math.Cos(angle), y + radius*math.Sin(angle)}
	}
	p.fill(shade, points)
}

// fill draws a polygon. The rasterizer covers only the polygon's own rectangle, however large the picture is.
func (p *painter) fill(shade string, points [][2]float64) {
	box := image.Rectangle{Min: image.Pt(math.MaxInt32, math.MaxInt32), Max: image.Pt(math.MinInt32, math.MinInt32)}
	for _, point := range points {
		x, y := point[0]*p.scale, point[1]*p.scale
		box.Min = image.Pt(min(box.Min.X, int(math.Floor(x))), min(box.Min.Y, int(math.Floor(y))))
		box.Max = image.Pt(max(box.Max.X, int(math.Ceil(x))), max(box.Max.Y, int(math.Ceil(y))))
	}
	at := func(i int) (float32, float32) {
		return float32(points[i][0]*p.scale - float64(box.Min.X)), float32(points[i][1]*p.scale - float64(box.Min.Y))
	}
	raster := vector.NewRasterizer(box.Dx(), box.Dy())
	raster.MoveTo(at(0))
	for i := range points[1:] {
		raster.LineTo(at(i + 1))
	}
	raster.ClosePath()
	raster.Draw(p.image, box, image.NewUniform(hex(shade)), image.Point{})
}

// text draws a text from a position on its base line, and returns where it ends.
func (p *painter) text(face font.Face, x, base float64, shade, text string) float64 {
	drawer := font.Drawer{
		Dst: p.image, Src: image.NewUniform(hex(shade)), Face: face,
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * p.scale * 64), Y: fixed.Int26_6(base * p.scale * 64)},
	}
	drawer.DrawString(text)
	return float64(drawer.Dot.X) / 64 / p.scale
}

// hex returns the color of "#rrggbb".
func hex(text string) color.RGBA {
	value, err := strconv.ParseUint(text[1:], 16, 24)
	if err != nil {
		return color.RGBA{A: 0xFF} // the palettes are constants
	}
	return color.RGBA{R: uint8(value >> 16), G: uint8(value >> 8), B: uint8(value), A: 0xFF} //nolint:gosec // three bytes
}
