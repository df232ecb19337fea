package render

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
	"coppice/backend/render/plain"
	"coppice/backend/render/redact"
)

// fact is a line of an export's head.
type fact struct{ name, value string }

// title returns the title of the session, as in the library.
func (t *transcript) title() string {
	s := t.tree.Session
	for _, title := range []string{s.Title, s.Name, s.Task} {
		if line := plain.Line(title, 300); line != "" {
			return line
		}
	}
	return "Untitled session"
}

// facts returns the known facts about the session.
func (t *transcript) facts() []fact {
	s := t.tree.Session
	created, _ := moment(s.CreatedAtMs, t.options.Zone)
	updated, _ := moment(s.UpdatedAtMs, t.options.Zone)
	all := []fact{
		{"Name", s.Name},
		{"Source", sourceName(s.Source)},
		{"Model", s.Model},
		{"Agent", s.Agent},
		{"Workspace", s.WorkspacePath},
		{"Begun", created},
		{"Last message", updated + " " + time.UnixMilli(s.UpdatedAtMs).In(t.options.Zone).Format("MST")},
		{"Messages", humanize.Comma(s.MessageCount)},
		{"Branches", humanize.Comma(s.BranchCount)},
		{"Tags", strings.Join(s.Tags, ", ")},
	}
	if s.InputTokens+s.OutputTokens > 0 {
		all = append(all, fact{"Tokens", humanize.Comma(s.InputTokens) + " in, " + humanize.Comma(s.OutputTokens) + " out"})
	}
	if s.CostNanoUSD != nil {
		all = append(all, fact{"Cost", dollars(*s.CostNanoUSD)})
	}
	if s.EstimatedNanoUSD != nil {
		all = append(all, fact{"Not billed", listPrice(*s.EstimatedNanoUSD, s.UnpricedCount > 0)})
	}
	all = append(all, fact{"Session", s.ID})
	return slices.DeleteFunc(all, func(f fact) bool { return strings.TrimSpace(f.value) == "" })
}

// notes describe what the export leaves out; full is what a format abridges where the detail is full.
func (t *transcript) notes(full string) []string {
	var notes []string
	if t.tree.Session.IncompleteStart {
		notes = append(notes, "Incomplete at the start: "+sourceName(t.tree.Session.Source)+" no longer has the first messages.")
	}
	messages, branches := t.counts()
	total := t.skeleton.Tally()
	if left := total.Branches - branches; left > 0 {
		verb := "are"
		if left == 1 {
			verb = "is"
		}
		notes = append(notes, fmt.Sprintf("%s of %s %s not included (%s of %s messages are).", humanize.Comma(left),
			counted(total.Branches, "branch", "branches"), verb, humanize.Comma(messages), humanize.Comma(total.Messages)))
	} else if messages < total.Messages {
		notes = append(notes, fmt.Sprintf("%s of %s messages are included.", humanize.Comma(messages), humanize.Comma(total.Messages)))
	}
	if t.options.Redactor != nil {
		notes = append(notes, "Keys, e-mail addresses and home folders were replaced. Images and files were not looked into.")
	}
	return append(notes, t.detailNote(full))
}

// closing describes, at the end, where the export comes from and what was redacted in it.
func (t *transcript) closing() string {
	text := "Exported"
	if t.options.Generator != "" {
		text += " by " + plain.Line(t.options.Generator, 100)
	}
	if t.options.Redactor != nil {
		counts := t.options.Redactor.Counts()
		text += fmt.Sprintf(". Replaced: %s, %s, %s", counted(counts[redact.Secret], "secret", "secrets"),
			counted(counts[redact.Email], "e-mail address", "e-mail addresses"), counted(counts[redact.Home], "home folder", "home folders"))
		if words := counts[redact.Word]; words > 0 {
			text += ", " + counted(words, "word of the user", "words of the user")
		}
	}
	return text + "."
}

// turnTitle returns the title of a turn for a table of contents.
func turnTitle(turn core.Turn) string {
	preview := plain.Line(turn.Preview, 120)
	if preview == "" {
		preview = "(no text)"
	}
	if turn.Role == core.RoleUser {
		return preview
	}
	return roleWord(turn.Role) + ": " + preview
}
