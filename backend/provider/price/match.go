package price

import (
	"regexp"
	"strings"
	"time"

	"coppice/backend/lazyregexp"
)

// rule matches names: one of its alternatives must match, with all its conditions. A condition is an operator and a
// text: = equals, ^ is a prefix, $ is a suffix, * contains, ~ matches the expression, ! does not equal.
type rule [][]condition

type condition struct {
	sign byte
	text string
	expr *regexp.Regexp
}

// UnmarshalText splits the operator from the text.
func (c *condition) UnmarshalText(text []byte) error {
	c.sign, c.text = text[0], string(text[1:])
	return nil
}

func (r rule) compile() error {
	for _, conditions := range r {
		for c := range conditions {
			if s := conditions[c].sign; s != '~' && s != '!' {
				continue
			}
			expr, err := regexp.Compile(conditions[c].text)
			if err != nil {
				return err
			}
			conditions[c].expr = expr
		}
	}
	return nil
}

// fits reports whether a name, in lower case, matches.
func (r rule) fits(name string) bool {
	for _, conditions := range r {
		if all(conditions, name) {
			return true
		}
	}
	return false
}

func all(conditions []condition, name string) bool {
	for i := range conditions {
		if !conditions[i].holds(name) {
			return false
		}
	}
	return true
}

func (c *condition) holds(name string) bool {
	switch c.sign {
	case '=':
		return name == c.text
	case '^':
		return strings.HasPrefix(name, c.text)
	case '$':
		return strings.HasSuffix(name, c.text)
	case '*':
		return strings.Contains(name, c.text)
	case '~':
		return c.expr.MatchString(name)
	case '!':
		return !c.expr.MatchString(name)
	default:
		return false
	}
}

// find returns the entry of a model, or nil if the table has none.
func (t *Table) find(provider, model string) *model {
	p := t.provider(provider)
	if p == nil {
		return nil
	}
	name := strings.ToLower(strings.TrimSpace(model))
	if m := t.sold(p, name); m != nil {
		return m
	}
	if dashed := dashDates(name); dashed != name {
		return t.sold(p, dashed)
	}
	return nil
}

func (t *Table) provider(name string) *provider {
	name = strings.ToLower(strings.TrimSpace(name))
	for p := range t.providers {
		if t.providers[p].ID == name {
			return &t.providers[p]
		}
	}
	for p := range t.providers {
		if t.providers[p].Match.fits(name) {
			return &t.providers[p]
		}
	}
	return nil
}

// sold finds a model of a provider, or of the providers whose models it resells.
func (t *Table) sold(p *provider, name string) *model {
	if m := p.model(name); m != nil {
		return m
	}
	for _, id := range p.Fallback {
		if other := t.provider(id); other != nil {
			if m := other.model(name); m != nil {
				return m
			}
		}
	}
	return nil
}

func (p *provider) model(name string) *model {
	for m := range p.Models {
		if p.Models[m].Match.fits(name) {
			return &p.Models[m]
		}
	}
	return nil
}

var compactDate = lazyregexp.New(`-(20\d{6})(-|:|$)`)

// dashDates writes the dates in a model's name as the table does: -20260901 becomes -2026-09-01.
func dashDates(name string) string {
	return compactDate.ReplaceAllStringFunc(name, func(match string) string {
		date, err := time.Parse("20060102", match[1:9])
		if err != nil {
			return match
		}
		return "-" + date.Format(time.DateOnly) + match[9:]
	})
}
