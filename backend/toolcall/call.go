package toolcall

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
)

// Call is a tool call with its arguments decoded.
type Call struct {
	Action Action
	Target []string // the arguments that describe what the call is about; the first one set is shown
	Part   *core.Part
	Args   gjson.Result
}

// Text returns the only text of a call whose arguments have no names: what the model wrote, or a patch.
func (c Call) Text() string {
	if c.Part.Text != "" {
		return c.Part.Text
	}
	for _, name := range []string{"input", "patch", "patchText", "diff"} {
		if v := c.Args.Get(name); v.Type == gjson.String {
			return v.Str
		}
	}
	return ""
}

// First returns the first of the named arguments that is set, as text.
func (c Call) First(names ...string) string {
	for _, name := range names {
		if text := Words(c.Args.Get(name)); text != "" {
			return text
		}
	}
	return ""
}

// Words returns a value as a user would write it: a list of strings as words.
func Words(v gjson.Result) string {
	switch {
	case v.Type == gjson.String, v.Type == gjson.Number:
		return v.String()
	case v.IsArray():
		var out []string
		v.ForEach(func(_, item gjson.Result) bool {
			if item.Type == gjson.String {
				out = append(out, item.Str)
			}
			return len(out) < 100
		})
		return strings.Join(out, " ")
	}
	return ""
}

// FirstTarget returns the first argument that describes what the call is about; empty if it has none.
func (c Call) FirstTarget() string { return c.First(c.Target...) }

// AnyText returns the first string among the arguments, or the text that the model wrote.
func (c Call) AnyText() string {
	found := c.Part.Text
	if c.Args.IsObject() {
		c.Args.ForEach(func(_, v gjson.Result) bool {
			if v.Type == gjson.String && strings.TrimSpace(v.Str) != "" {
				found = v.Str
				return false
			}
			return true
		})
	}
	return found
}

// Command returns the command line without the shell that Codex puts before it.
func (c Call) Command() string {
	for _, name := range c.Target {
		v := c.Args.Get(name)
		if v.IsArray() {
			if list := v.Array(); len(list) == 3 && strings.HasPrefix(list[1].Str, "-") && strings.HasSuffix(list[1].Str, "c") {
				return list[2].Str
			}
		}
		if text := Words(v); text != "" {
			return text
		}
	}
	return c.AnyText()
}
