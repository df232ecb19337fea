package render

import (
	"context"
	"encoding/base64"
	"net/http"

	"coppice/backend/core"
	"coppice/backend/render/plain"
)

const (
	// maxImageBytes and maxImagesBytes bound how much one image, and all together, may add to a page.
	maxImageBytes  = 8 << 20
	maxImagesBytes = 64 << 20
)

// imageType returns the type of bytes that a page may show as an image; empty for anything else. The declared type is
// ignored: an SVG runs scripts whatever its name.
func imageType(data []byte) string {
	switch kind := http.DetectContentType(data); kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return kind
	}
	return ""
}

// media writes an image into the page, or the name of what cannot be shown.
func (p *htmlPage) media(ctx context.Context, media *core.Media) error {
	if media == nil {
		return nil
	}
	if media.Blob == "" {
		p.placeholder(media, "not kept")
		return nil
	}
	blob, err := p.source.Blob(ctx, media.Blob)
	if core.CodeOf(err) == core.NotFound {
		p.placeholder(media, "missing")
		return nil
	}
	if err != nil {
		return core.Wrap(core.CodeOf(err), err, "read the attachment %s", media.Blob)
	}
	size := int64(len(blob.Data))
	kind := imageType(blob.Data)
	if kind == "" || size > maxImageBytes || size > p.imageBytes {
		p.placeholder(media, byteSize(size)+", not shown here")
		return nil
	}
	p.imageBytes -= size
	p.image(media, kind, blob.Data)
	return nil
}

func (p *htmlPage) image(media *core.Media, kind string, data []byte) {
	p.out.raw(`<figure class="picture"><img alt="`)
	p.out.text(mediaName(media))
	p.out.raw(`" loading="lazy"`)
	if media.Width > 0 && media.Height > 0 {
		p.out.attribute("width", decimal(media.Width))
		p.out.attribute("height", decimal(media.Height))
	}
	p.out.raw(` src="data:`)
	p.out.text(kind)
	p.out.raw(";base64,")
	encoder := base64.NewEncoder(base64.StdEncoding, p.out.w)
	_, _ = encoder.Write(data) // errors stay in the writer until flush
	_ = encoder.Close()
	p.out.raw(`"></figure>`, "\n")
}

func (p *htmlPage) placeholder(media *core.Media, why string) {
	p.out.raw(`<p class="quiet" dir="auto">`)
	p.out.text(mediaName(media) + " (" + why + ")")
	p.out.raw("</p>\n")
}

// mediaName returns the name of an attachment for users.
func mediaName(media *core.Media) string {
	switch {
	case media.Name != "":
		return plain.Line(media.Name, lineLength)
	case media.URI != "":
		return plain.Line(media.URI, lineLength)
	case media.MimeType != "":
		return plain.Line(media.MimeType, 100)
	}
	return "attachment"
}
