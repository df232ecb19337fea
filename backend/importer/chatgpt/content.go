package chatgpt

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// understood are the types of content of which nothing but the parts is kept.
var understood = []string{
	"text", "multimodal_text", "code", "execution_output", "thoughts", "reasoning_recap", "user_editable_context", "model_editable_context", "system_error",
}

// content is a message's content on its way to parts.
type content struct {
	of     gjson.Result
	cited  *strings.Replacer // nil: nothing is cited
	parts  []core.Part
	files  []file
	failed bool
}

func (c *content) kind() string { return jsonl.Text(c.of.Get("content_type")) }

func (c *content) read() {
	field := func(name string) string { return jsonl.Text(c.of.Get(name)) }
	switch c.kind() {
	case "text", "multimodal_text":
		c.pieces(c.of.Get("parts"))
	case "code":
		c.say(fenced(field("language"), c.code()))
	case "execution_output":
		c.say(field("text"))
	case "thoughts":
		for _, t := range c.of.Get("thoughts").Array() {
			c.think(joined("\n\n", jsonl.Text(t.Get("summary")), jsonl.Text(t.Get("content"))))
		}
	case "reasoning_recap":
		c.think(field("content"))
	case "user_editable_context":
		c.say(field("user_profile"))
		c.say(field("user_instructions"))
	case "model_editable_context":
		c.say(field("model_set_context"))
	case "system_error":
		c.failed = true
		c.say(joined(": ", field("name"), field("text")))
	case "tether_quote", "sonic_webpage":
		c.say(joined("\n\n", link(field("title"), field("url")), field("text")))
	case "tether_browsing_display":
		c.say(joined("\n\n", field("summary"), field("result")))
	case "computer_output":
		c.asset("image", c.of.Get("screenshot"))
		c.say(field("text"))
	default:
		c.other()
	}
}

// other reads an unknown type of content: its words, else all of it verbatim.
func (c *content) other() {
	c.pieces(c.of.Get("parts"))
	for _, name := range []string{"text", "content", "result"} {
		c.say(jsonl.Text(c.of.Get(name)))
	}
	if len(c.parts) == 0 && c.of.IsObject() {
		c.parts = append(c.parts, core.Part{Type: core.PartOther, Native: jsonl.Raw(c.of)})
	}
}

func (c *content) say(text string) {
	if c.cited != nil {
		text = c.cited.Replace(text)
	}
	if strings.TrimSpace(text) != "" {
		c.parts = append(c.parts, core.Part{Type: core.PartText, Text: text})
	}
}

func (c *content) think(text string) {
	if strings.TrimSpace(text) != "" {
		c.parts = append(c.parts, core.Part{Type: core.PartReasoning, Text: text})
	}
}

func (c *content) pieces(list gjson.Result) {
	jsonl.Each(list, func(_ string, v gjson.Result) bool {
		c.piece(v)
		return true
	})
}

// piece reads one of several parts: words, or an object that names its type.
func (c *content) piece(v gjson.Result) {
	kind := jsonl.Text(v.Get("content_type"))
	switch {
	case v.Type == gjson.String:
		c.say(jsonl.Text(v))
	case !v.IsObject():
	case kind == "audio_transcription":
		c.say(jsonl.Text(v.Get("text")))
	case kind == "real_time_user_audio_video_asset_pointer":
		c.asset("audio", v.Get("audio_asset_pointer"))
		c.asset("video", v.Get("video_container_asset_pointer"))
		jsonl.Each(v.Get("frames_asset_pointers"), func(_ string, frame gjson.Result) bool {
			c.asset("image", frame)
			return true
		})
	case jsonl.Text(v.Get("asset_pointer")) != "":
		c.asset(kind, v)
	default:
		c.parts = append(c.parts, core.Part{Type: core.PartOther, Native: jsonl.Raw(v)})
	}
}

// code is what was written in a programming language, or for a tool.
func (c *content) code() string {
	if c.kind() != "code" {
		return ""
	}
	return jsonl.Text(c.of.Get("text"))
}

// fenced puts code into a block of Markdown, with a fence that the code does not contain.
func fenced(language, code string) string {
	if strings.TrimSpace(code) == "" {
		return ""
	}
	if language == "unknown" {
		language = ""
	}
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimRight(code, "\n") + "\n" + fence
}

func link(title, url string) string {
	switch {
	case url == "":
		return title
	case title == "":
		return "<" + url + ">"
	default:
		return "[" + title + "](" + url + ")"
	}
}

// joined joins what is not empty.
func joined(between string, texts ...string) string {
	var said []string
	for _, t := range texts {
		if t != "" {
			said = append(said, t)
		}
	}
	return strings.Join(said, between)
}
