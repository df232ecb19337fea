package config

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"coppice/backend/lazyregexp"
)

// frontMatter holds the values between the two lines --- at the beginning of a Markdown file, as text by their keys.
type frontMatter map[string]string

var frontLine = lazyregexp.New(`^([A-Za-z_-]+):\s*(.*)$`)

// splitFrontMatter returns the front matter of a Markdown file and what follows it. Other tools accept values that are not YAML, such as
// "argument-hint: [file] [line]", so where the YAML is broken each line counts for itself.
func splitFrontMatter(data []byte) (front frontMatter, body string) {
	text := strings.ReplaceAll(strings.TrimPrefix(strings.ToValidUTF8(string(data), "\uFFFD"), "\uFEFF"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, strings.TrimSpace(text)
	}
	head, body, ok := strings.Cut("\n"+rest, "\n---\n")
	if !ok {
		if head, ok = strings.CutSuffix("\n"+rest, "\n---"); !ok {
			return nil, strings.TrimSpace(text)
		}
		body = ""
	}
	front = frontMatter{}
	nodes := map[string]yaml.Node{}
	if err := yaml.Unmarshal([]byte(head), &nodes); err == nil {
		for key, node := range nodes {
			front[key] = plainValue(&node)
		}
		return front, strings.TrimSpace(body)
	}
	for line := range strings.Lines(head) {
		if m := frontLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			front[m[1]] = strings.Trim(strings.TrimSpace(m[2]), `"'`)
		}
	}
	return front, strings.TrimSpace(body)
}

// plainValue returns a value on one line: a text, or the texts of a list in brackets; empty for anything else.
func plainValue(node *yaml.Node) string {
	switch node.Kind {
	case yaml.ScalarNode:
		if node.Tag == "!!null" {
			return ""
		}
		return strings.Join(strings.Fields(node.Value), " ")
	case yaml.SequenceNode:
		var words []string
		for _, item := range node.Content {
			words = append(words, plainValue(item))
		}
		return "[" + strings.Join(words, ", ") + "]"
	default:
		return ""
	}
}
