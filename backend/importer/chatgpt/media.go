package chatgpt

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// file is a medium that may be in the export, and the id it has there.
type file struct {
	media *core.Media
	id    string
}

// asset reads a pointer to an image, a recording or a film.
func (c *content) asset(kind string, v gjson.Result) {
	m := &core.Media{URI: jsonl.Text(v.Get("asset_pointer")), SizeBytes: size(v, "size_bytes"), Width: size(v, "width"), Height: size(v, "height")}
	switch {
	case m.URI == "":
		return
	case strings.HasPrefix(kind, "audio"):
		m.MimeType = "audio/" + jsonl.Text(v.Get("format"))
	case strings.HasPrefix(kind, "video"):
		m.MimeType = "video/" + jsonl.Text(v.Get("format"))
	}
	m.MimeType = strings.TrimSuffix(m.MimeType, "/")
	c.attach(m)
	if prompt := jsonl.Text(v.Get("metadata.dalle.prompt")); prompt != "" {
		m.Name = core.Preview(prompt, 80)
	}
}

func size(v gjson.Result, key string) int64 { return max(0, v.Get(key).Int()) }

func (c *content) attach(m *core.Media) {
	c.files = append(c.files, file{m, fileID(m.URI)})
	c.parts = append(c.parts, core.Part{Type: core.PartMedia, Media: m})
}

// fileID is the id of a file in a pointer such as file-service://file-8Yx or sediment://file_00ab#file_00cd#p_0.jpg.
func fileID(pointer string) string {
	if _, id, ok := strings.Cut(pointer, "://"); ok {
		return id
	}
	return pointer
}

// attachments reads the files that a person sent along, those that are not shown in the message itself.
func (c *content) attachments(list gjson.Result) {
	for _, v := range list.Array() {
		id := jsonl.Text(v.Get("id"))
		if slices.ContainsFunc(c.files, func(f file) bool { return id != "" && strings.HasPrefix(f.id, id) }) || !v.IsObject() {
			continue
		}
		m := &core.Media{URI: id, Name: jsonl.Text(v.Get("name")), SizeBytes: size(v, "size"), Width: size(v, "width"), Height: size(v, "height")}
		if m.MimeType = jsonl.Text(v.Get("mime_type")); m.MimeType == "" {
			m.MimeType = jsonl.Text(v.Get("mimeType"))
		}
		c.attach(m)
	}
}

// outputs reads what a program's run brought besides its text.
func (c *content) outputs(run gjson.Result) {
	if status := jsonl.Text(run.Get("status")); strings.HasPrefix(status, "failed") {
		c.failed = true
	}
	for _, v := range run.Get("messages").Array() {
		if url := jsonl.Text(v.Get("image_url")); url != "" {
			c.attach(&core.Media{MimeType: "image/png", URI: url, Width: size(v, "width"), Height: size(v, "height")})
		}
	}
}
