package team

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"coppice/backend/core"
)

// truth is the value of a condition.
type truth int

const (
	no truth = iota
	unknown
	yes
)

// terminated evaluates the termination after a turn. If the result is unknown, judge is the condition that a model has to decide: it is
// asked only if nothing else decides.
func terminated(t *core.Team, s *core.TeamState, turn *Turn) (value truth, judge core.TeamCondition) {
	if t.Termination == nil {
		return no, judge
	}
	return evaluate(t.Termination, s, turn)
}

func evaluate(c *core.TeamCondition, s *core.TeamState, turn *Turn) (value truth, judge core.TeamCondition) {
	switch {
	case len(c.Any) > 0:
		for i := range c.Any {
			if one, by := evaluate(&c.Any[i], s, turn); one > value {
				value, judge = one, by
			}
		}
		return value, judge
	case len(c.All) > 0:
		value = yes
		for i := range c.All {
			if one, by := evaluate(&c.All[i], s, turn); one < value {
				value, judge = one, by
			}
		}
		return value, judge
	case c.Judge != "":
		return unknown, *c
	}
	if holds(c, s, turn) {
		return yes, judge
	}
	return no, judge
}

func holds(c *core.TeamCondition, s *core.TeamState, turn *Turn) bool {
	by := len(c.Agents) == 0 || slices.Contains(c.Agents, s.Agent)
	switch {
	case c.Pattern != "":
		found, err := regexp.MatchString(c.Pattern, turn.Text)
		return by && err == nil && found
	case c.Field != nil:
		return by && fieldHolds(c.Field, turn.Text)
	case c.MaxTurns > 0:
		return s.Turns >= c.MaxTurns
	case c.MaxTokens > 0:
		return turn.Tokens >= c.MaxTokens
	case c.MaxCostNanoUSD > 0:
		return turn.CostNanoUSD >= c.MaxCostNanoUSD
	case c.MaxMs > 0:
		return turn.ElapsedMs >= c.MaxMs
	}
	return false
}

// fieldHolds reports whether a text has a JSON object that fulfils a condition.
func fieldHolds(f *core.FieldTest, text string) bool {
	object, ok := jsonIn(text)
	if !ok {
		return false
	}
	value, exists := fieldOf(object, f.Field)
	switch {
	case f.Exists != nil:
		return exists == *f.Exists
	case f.Is != "":
		return exists && strings.EqualFold(value, f.Is)
	case f.IsNot != "":
		return !strings.EqualFold(value, f.IsNot)
	default:
		return exists && strings.Contains(strings.ToLower(value), strings.ToLower(f.Contains))
	}
}

// fieldOf returns a field of an object as text; names are joined by dots. It does not exist if it is null.
func fieldOf(object map[string]any, names string) (value string, exists bool) {
	var at any = object
	for name := range strings.SplitSeq(names, ".") {
		fields, ok := at.(map[string]any)
		if !ok {
			return "", false
		}
		at = fields[name]
	}
	if at == nil {
		return "", false
	}
	if text, ok := at.(string); ok {
		return text, true
	}
	data, err := json.Marshal(at)
	return string(data), err == nil
}

// jsonIn returns the JSON object of an answer: all of it, a fenced block, or what is between the first { and the last }.
func jsonIn(text string) (object map[string]any, ok bool) {
	first, last := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	candidates := []string{text}
	if _, fenced, found := strings.Cut(text, "```json"); found {
		fenced, _, _ = strings.Cut(fenced, "```")
		candidates = append(candidates, fenced)
	}
	if first >= 0 && last > first {
		candidates = append(candidates, text[first:last+1])
	}
	for _, c := range candidates {
		if json.Unmarshal([]byte(c), &object) == nil && object != nil {
			return object, true
		}
		object = nil
	}
	return nil, false
}

// isYes reports whether the first line of an answer that is YES or NO is YES.
func isYes(text string) bool {
	for line := range strings.Lines(text) {
		switch word := strings.ToUpper(strings.Trim(plain(line), " .!,:\"'")); {
		case word == "YES", strings.HasPrefix(word, "YES ") || strings.HasPrefix(word, "YES,") || strings.HasPrefix(word, "YES:") || strings.HasPrefix(word, "YES."):
			return true
		case word == "NO", strings.HasPrefix(word, "NO ") || strings.HasPrefix(word, "NO,") || strings.HasPrefix(word, "NO:") || strings.HasPrefix(word, "NO."):
			return false
		}
	}
	return false
}

// matches reports whether a pattern matches a path or the name of its file.
func matches(pattern, file string) bool {
	whole, err := path.Match(pattern, file)
	name, _ := path.Match(pattern, path.Base(file))
	return err == nil && (whole || name)
}

// plain returns a line without the marks of Markdown around its words.
func plain(line string) string {
	return strings.TrimSpace(strings.NewReplacer("*", "", "_", "", "`", "").Replace(line))
}
