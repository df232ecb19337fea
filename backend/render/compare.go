package render

import (
	"context"
	"strings"
	"unicode/utf8"

	"coppice/backend/core"
	"coppice/backend/render/plain"
	"coppice/backend/toolcall/diff"
)

// WordDiff compares the words of two turns.
type WordDiff struct {
	Left  []diff.Span `json:"left"`  // never nil
	Right []diff.Span `json:"right"` // never nil
	// Same is the percentage of the characters of both that are in both.
	Same int64 `json:"same"`
	Cut  bool  `json:"cut"` // only the beginnings are compared
}

// PathRange is a range of a path.
type PathRange struct {
	LeafUID  string `json:"leafUid"`
	From     int64  `json:"from"`     // a depth
	Messages int64  `json:"messages"` // 0: none
}

// Bounds on how much of a turn is compared.
const (
	maxWordMessages = 400
	maxWordBytes    = 96 << 10
)

// CompareWords compares the texts of two ranges word by word: texts and summaries, and for each tool call the line on
// its card.
func (r *Renderer) CompareWords(ctx context.Context, store Store, session core.Session, left, right PathRange) (WordDiff, error) {
	d := WordDiff{Left: []diff.Span{}, Right: []diff.Span{}}
	var texts [2]string
	for i, place := range []PathRange{left, right} {
		text, cut, err := r.wordsOf(ctx, store, session, place)
		if err != nil {
			return d, err
		}
		texts[i] = text
		d.Cut = d.Cut || cut
	}
	leftSpans, rightSpans := diff.Words(texts[0], texts[1])
	d.Left, d.Right = append(d.Left, leftSpans...), append(d.Right, rightSpans...)
	if all := utf8.RuneCountInString(texts[0]) + utf8.RuneCountInString(texts[1]); all > 0 {
		same := 0
		for _, span := range append(leftSpans, rightSpans...) {
			if !span.Changed {
				same += utf8.RuneCountInString(span.Text)
			}
		}
		d.Same = int64(100 * same / all)
	}
	return d, nil
}

// wordsOf returns the words of a range, one paragraph for each part.
func (r *Renderer) wordsOf(ctx context.Context, store Store, session core.Session, place PathRange) (text string, cut bool, err error) {
	if place.Messages <= 0 {
		return "", false, nil
	}
	window, err := store.Window(ctx, session.ID, place.LeafUID, place.From, min(place.Messages, maxWordMessages))
	if err != nil {
		return "", false, core.Wrap(core.CodeOf(err), err, "read what is to be compared")
	}
	cut = place.Messages > maxWordMessages
	var out strings.Builder
	for m := range window.Messages {
		for i := range window.Messages[m].Parts {
			paragraph := r.wordsOfPart(&window.Messages[m].Parts[i], session.WorkspacePath)
			if paragraph == "" {
				continue
			}
			if out.Len() > 0 {
				out.WriteString("\n\n")
			}
			out.WriteString(paragraph)
			cut = cut || window.Messages[m].Parts[i].Truncated != nil
		}
		if out.Len() > maxWordBytes {
			break
		}
	}
	text, more := plain.Head(out.String(), maxWordBytes)
	return text, cut || more, nil
}

func (r *Renderer) wordsOfPart(part *core.Part, workspace string) string {
	switch part.Type {
	case core.PartText, core.PartSummary:
		return strings.TrimSpace(r.plain.Text(part.Text))
	case core.PartToolCall:
		return strings.TrimSpace("▸ " + plain.Line(part.Name, shortField) + "  " + r.call(part).summary(workspace))
	default:
		return ""
	}
}
