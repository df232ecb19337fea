package mcp

import (
	"encoding/json"
	"fmt"
	"mime"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// maxMedia is how many images and sounds of one answer are passed on.
const maxMedia = 20

// result converts a server's answer: its contents in order, texts within the bounds with the whole in blobs.
func result(answer *sdk.CallToolResult) core.ToolResult {
	structured, problem := structuredOf(answer.StructuredContent)
	var parts []core.Part
	media := 0
	for _, content := range answer.Content {
		part := partOf(content)
		if part.Type == core.PartMedia {
			if media++; media > maxMedia {
				part = note("%s left out: there are more than %d", part.Media.MimeType, maxMedia)
			}
		}
		parts = join(parts, part)
	}
	if problem != "" {
		parts = join(parts, note("structured result left out: it %s", problem))
	}
	if len(parts) == 0 && structured != nil {
		parts = []core.Part{text(string(structured))}
	}
	if len(parts) == 0 {
		parts = []core.Part{text("(no output)")}
	}
	parts, blobs := boundParts(parts)
	return core.ToolResult{Parts: parts, IsError: answer.IsError, Structured: structured, Blobs: blobs}
}

// structuredOf returns a structured result as JSON, or why it is not within the bounds of what can be exported and imported again.
func structuredOf(content any) (structured json.RawMessage, problem string) {
	if content == nil {
		return nil, ""
	}
	data, err := json.Marshal(content)
	if err != nil {
		return nil, jsontext.Invalid
	}
	if problem := jsontext.Check(data); problem != "" {
		return nil, problem
	}
	return data, ""
}

// join adds a part; consecutive texts become one.
func join(parts []core.Part, part core.Part) []core.Part {
	last := len(parts) - 1
	if part.Type == core.PartText && last >= 0 && parts[last].Type == core.PartText {
		parts[last].Text += "\n" + part.Text
		return parts
	}
	return append(parts, part)
}

func partOf(content sdk.Content) core.Part {
	switch c := content.(type) {
	case *sdk.TextContent:
		return text(c.Text)
	case *sdk.ImageContent:
		return mediaOf(c.MIMEType, "", c.Data)
	case *sdk.AudioContent:
		return mediaOf(c.MIMEType, "", c.Data)
	case *sdk.EmbeddedResource:
		return resourceOf(c.Resource)
	case *sdk.ResourceLink:
		return text(linkText(c))
	default:
		data, err := json.Marshal(content)
		if err != nil {
			return note("content that cannot be read: %v", err)
		}
		return text(string(data))
	}
}

func resourceOf(r *sdk.ResourceContents) core.Part {
	switch {
	case r == nil:
		return note("an empty resource")
	case len(r.Blob) > 0:
		return mediaOf(r.MIMEType, r.URI, r.Blob)
	default:
		return text(fmt.Sprintf("[resource %s]\n%s", r.URI, r.Text))
	}
}

// linkText describes a resource that the answer only links to. It is never fetched: the URI is the server's claim.
func linkText(l *sdk.ResourceLink) string {
	said := []string{"resource " + l.URI}
	for _, word := range []string{l.Name, l.MIMEType, l.Description} {
		if word != "" {
			said = append(said, word)
		}
	}
	return "[" + strings.Join(said, ", ") + "]"
}

// mediaOf returns images, sounds and PDF documents, which models accept, unchanged, and a note for anything else.
func mediaOf(mimeType, name string, data []byte) core.Part {
	plain, _, err := mime.ParseMediaType(mimeType)
	if err != nil {
		plain = "application/octet-stream"
	}
	kind, _, _ := strings.Cut(plain, "/")
	if len(data) == 0 || (kind != "image" && kind != "audio" && plain != "application/pdf") {
		return note("%s, %d bytes of %s, not shown", strings.TrimSpace("resource "+name), len(data), plain)
	}
	return core.Part{Type: core.PartMedia, Media: &core.Media{
		MimeType: plain, Name: name, SizeBytes: int64(len(data)), Data: data,
	}}
}

func text(s string) core.Part { return core.Part{Type: core.PartText, Text: s} }

// note returns a line of ours among the server's texts.
func note(format string, args ...any) core.Part {
	return text("[" + fmt.Sprintf(format, args...) + "]")
}
