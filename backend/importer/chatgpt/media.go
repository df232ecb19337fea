package chatgpt

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// file is a medium that may be in the export, the id it has there, and what to call it where it has no name.
type file struct {
	media *core.Media
	id    string
	kind  string
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
	word, _, _ := strings.Cut(kind, "_")
	c.attach(m, word)
	if prompt := jsonl.Text(v.Get("metadata.dalle.prompt")); prompt != "" {
		m.Name = core.Preview(prompt, 80)
	}
}

func size(v gjson.Result, key string) int64 { return max(0, v.Get(key).Int()) }

func (c *content) attach(m *core.Media, kind string) {
	c.files = append(c.files, file{m, fileID(m.URI), kind})
	c.parts = append(c.parts, core.Part{Type: core.PartMedia, Media: m})
}

// fileID returns the id of a file in a pointer such as file-service://file-8Yx or
// sediment://file_00ab#file_00cd#p_0.jpg.
func fileID(pointer string) string {
	if _, id, ok := strings.Cut(pointer, "://"); ok {
		return id
	}
	return pointer
}

// attachments reads the files that the user attached. Those that the message shows are in it already, without their names.
func (c *content) attachments(list gjson.Result) {
	for _, v := range list.Array() {
		if !v.IsObject() {
			continue
		}
		m := &core.Media{
			URI: jsonl.Text(v.Get("id")), Name: jsonl.Text(v.Get("name")), MimeType: jsonl.Text(v.Get("mime_type")), SizeBytes: size(v, "size"),
			Width: size(v, "width"), Height: size(v, "height"),
		}
		if m.MimeType == "" {
			m.MimeType = jsonl.Text(v.Get("mimeType"))
		}
		shown := slices.IndexFunc(c.files, func(f file) bool { return m.URI != "" && strings.HasPrefix(f.id, m.URI) })
		if shown < 0 {
			c.attach(m, "file")
			continue
		}
		c.files[shown].media.Name, c.files[shown].media.MimeType = m.Name, m.MimeType
	}
}

// outputs reads what a program's run brought besides its text.
func (c *content) outputs(run gjson.Result) {
	if status := jsonl.Text(run.Get("status")); strings.HasPrefix(status, "failed") {
		c.failed = true
	}
	for _, v := range run.Get("messages").Array() {
		if url := jsonl.Text(v.Get("image_url")); url != "" {
			c.attach(&core.Media{MimeType: "image/png", URI: url, Width: size(v, "width"), Height: size(v, "height")}, "image")
		}
	}
}
