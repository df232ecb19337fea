// Package present formats values as text for users: numbers, costs, ages, tables and trees.
package present

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/rivo/uniseg"

	"coppice/backend/core"
	"coppice/backend/render/plain"
)

// SessionName returns the name of a session for use in a sentence.
func SessionName(s core.Session) string {
	for _, name := range []string{s.Title, s.Name, s.Task} {
		if name != "" {
			return fmt.Sprintf("%q", Cut(OneLine(name), 60))
		}
	}
	return s.ID
}

// SessionTitle returns the title of a session for lists.
func SessionTitle(s core.Session) string {
	for _, name := range []string{s.Title, s.Task, s.Name} {
		if name != "" {
			return OneLine(name)
		}
	}
	return "(untitled)"
}

// Count returns a number with its noun: 1 session, 1,204 sessions.
func Count(n int64, noun string) string {
	if n != 1 {
		if noun[len(noun)-1] == 'h' { // branch
			noun += "e"
		}
		noun += "s"
	}
	return humanize.Comma(n) + " " + noun
}

// Money returns a cost as text. An unknown cost is empty, never 0.
func Money(nanoUSD *int64) string {
	if nanoUSD == nil {
		return ""
	}
	dollars := float64(*nanoUSD) / 1e9
	switch {
	case *nanoUSD == 0 || dollars >= 0.1:
		return fmt.Sprintf("$%.2f", dollars)
	case dollars < 0.00005:
		return "<$0.0001"
	default:
		return strings.TrimSuffix(fmt.Sprintf("$%.4f", dollars), "00")
	}
}

// Estimate returns a cost at list price as text, marked if some of it is unknown: ≈ $4.12+. It is empty if none is known.
func Estimate(nanoUSD *int64, partial bool) string {
	if nanoUSD == nil {
		return ""
	}
	text := "≈ " + Money(nanoUSD)
	if partial {
		text += "+"
	}
	return text
}

// SessionCost returns the cost of a session and, apart from it, the list price of its calls whose cost is unknown.
func SessionCost(s *core.Session) string {
	billed, estimated := Money(s.CostNanoUSD), Estimate(s.EstimatedNanoUSD, s.UnpricedCount > 0)
	if billed != "" && estimated != "" {
		return billed + ", " + estimated
	}
	return billed + estimated
}

// Age returns the time since a moment, or the date if it is long ago.
func Age(now time.Time, ms int64) string {
	if ms == 0 {
		return ""
	}
	at := time.UnixMilli(ms)
	switch since := now.Sub(at); {
	case since < time.Minute:
		return "now"
	case since < time.Hour:
		return fmt.Sprintf("%d min", int(since.Minutes()))
	case since < 48*time.Hour:
		return fmt.Sprintf("%d h", int(since.Hours()))
	case since < 60*24*time.Hour:
		return fmt.Sprintf("%d d", int(since.Hours()/24))
	default:
		return at.Format("2006-01-02")
	}
}

// Moment returns a time as text in the user's time zone.
func Moment(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).Format("2006-01-02 15:04")
}

// Cut shortens a line to a number of columns, with an ellipsis.
func Cut(line string, columns int) string {
	if columns <= 0 || uniseg.StringWidth(line) <= columns {
		return line
	}
	width, rest, state := 0, line, -1
	for len(rest) > 0 {
		_, after, clusterWidth, next := uniseg.FirstGraphemeClusterInString(rest, state)
		if width+clusterWidth > columns-1 {
			break
		}
		width += clusterWidth
		rest, state = after, next
	}
	return line[:len(line)-len(rest)] + "…"
}

// Size returns a number of bytes as text.
func Size(bytes int64) string { return humanize.Bytes(uint64(max(bytes, 0))) } //nolint:gosec // clamped to be positive

// OneLine returns a text as one line, with control characters made visible.
func OneLine(text string) string {
	return plain.Visible(strings.Join(strings.Fields(text), " "))
}

// Safe makes a piece of a model's text harmless for a terminal.
func Safe(text string) string {
	return plain.Visible(strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r", ""))
}

// Text joins the texts of parts.
func Text(parts []core.Part) string {
	text := ""
	for _, p := range parts {
		if p.Type == core.PartText {
			text += p.Text
		}
	}
	return text
}
