package window

import (
	"context"
	"strings"
	"time"

	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

// Prompt is a message in the form that the composer edits.
type Prompt struct {
	UID       string          `json:"uid"`
	ParentUID string          `json:"parentUid"` // empty: it starts a tree
	Turn      int64           `json:"turn"`
	Text      string          `json:"text"` // the whole text
	Images    []launch.Upload `json:"images"`
}

// Answer is the last text of a model on a path.
type Answer struct {
	UID  string `json:"uid"` // empty if no answer was found
	Turn int64  `json:"turn"`
	Text string `json:"text"`
	Cut  bool   `json:"cut"` // Text is only the beginning of the answer
}

const (
	answerReach = 200 // how many of the last messages are searched for an answer
	answerRunes = 24_000
)

// MessageBindings return the messages of a session.
type MessageBindings struct{ *program }

// GetWindow returns a range of the path that ends at leafUID, or of the path to the head if leafUID is empty.
func (b *MessageBindings) GetWindow(sessionID, leafUID string, from, limit int64) (render.WindowView, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (render.WindowView, error) {
		b.changes.Watch(sessionID)
		session, err := db.Session(ctx, sessionID)
		if err != nil {
			return render.WindowView{}, err
		}
		window, err := db.Window(ctx, session.ID, leafUID, from, limit)
		if err != nil {
			return render.WindowView{}, err
		}
		return b.render.Window(ctx, db, session, window)
	})
}

// GetToolDetail returns the details of the tool call in a message's part. resultUID is that of the card's block.
func (b *MessageBindings) GetToolDetail(sessionID, uid string, part int64, resultUID string) (render.ToolDetail, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (render.ToolDetail, error) {
		session, err := db.Session(ctx, sessionID)
		if err != nil {
			return render.ToolDetail{}, err
		}
		return b.render.Detail(ctx, db, session, uid, part, resultUID)
	})
}

// GetMessageMarkdown returns a message as Markdown, for the clipboard.
func (b *MessageBindings) GetMessageMarkdown(sessionID, uid string) (string, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (string, error) {
		message, err := db.Message(ctx, sessionID, uid)
		if err != nil {
			return "", err
		}
		if err := db.Hydrate(ctx, &message); err != nil {
			return "", err
		}
		return b.render.MessageMarkdown(message), nil
	})
}

// maxCopied is how much Markdown is copied to the clipboard.
const maxCopied = 4 << 20

// GetMarkdown returns a turn or a path as Markdown, for the clipboard: the turn of a message, or the path that ends at it.
func (b *MessageBindings) GetMarkdown(sessionID, leafUID string, isTurn bool) (string, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (string, error) {
		options := render.ExportOptions{Scope: render.ScopePath, LeafUID: leafUID, Zone: time.Local, IsExcerpt: true}
		if isTurn {
			options.Scope = render.ScopeTurn
		}
		var out limitedText
		err := b.render.Markdown(ctx, &out, db, sessionID, options)
		return strings.TrimSpace(out.String()), err
	})
}

// limitedText is a text of at most maxCopied bytes.
type limitedText struct{ strings.Builder }

func (l *limitedText) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxCopied {
		return 0, core.E(core.Invalid, "the text is longer than %d MB", maxCopied>>20).WithHint("Export it as a file.")
	}
	return l.Builder.Write(p)
}

// GetSent returns the request that an answer resulted from, rebuilt from the library. The error is NotFound if none was recorded,
// as for an imported message.
func (b *MessageBindings) GetSent(sessionID, uid string) (Sending, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (Sending, error) {
		sent, err := (&engine.Engine{Store: db}).ContextOf(ctx, sessionID, uid, core.RunState{})
		if err == nil && sent.Sent == nil {
			err = core.E(core.NotFound, "no request is recorded for this message").WithHint("Only answers that Coppice received from a model have one")
		}
		if err == nil && sent.Redacted {
			err = core.E(core.Conflict, "what was sent cannot be shown: secrets in it were replaced before the session was imported")
		}
		if err != nil {
			return Sending{}, err
		}
		return newSent(&sent), nil
	})
}

// GetPrompt returns a message in the form that the composer edits.
func (b *MessageBindings) GetPrompt(sessionID, uid string) (Prompt, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (Prompt, error) {
		message, err := db.Message(ctx, sessionID, uid)
		if err != nil {
			return Prompt{}, err
		}
		if err := db.Hydrate(ctx, &message); err != nil {
			return Prompt{}, err
		}
		prompt := Prompt{UID: message.UID, ParentUID: message.ParentUID, Turn: message.Turn, Images: []launch.Upload{}}
		var texts []string
		for i := range message.Parts {
			switch part := &message.Parts[i]; {
			case part.Type == core.PartText:
				texts = append(texts, part.Text)
			case part.Type == core.PartMedia && part.Media != nil && part.Media.Blob != "":
				image, err := launch.StoredImage(ctx, db, part.Media)
				if err != nil {
					return prompt, err
				}
				prompt.Images = append(prompt.Images, image)
			}
		}
		prompt.Text = strings.Join(texts, "\n\n")
		return prompt, nil
	})
}

// GetAnswer returns the last answer with text on the path to a leaf, at a depth of at least from, so that the user can cite
// it.
func (b *MessageBindings) GetAnswer(sessionID, leafUID string, from int64) (Answer, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (Answer, error) {
		window, err := db.Window(ctx, sessionID, leafUID, -answerReach, 0)
		if err != nil {
			return Answer{}, err
		}
		for i := len(window.Messages) - 1; i >= 0; i-- {
			message := &window.Messages[i]
			if message.Depth < from || message.Role != core.RoleAssistant {
				continue
			}
			if text := strings.TrimSpace(present.Text(message.Parts)); text != "" {
				short := core.Cut(text, answerRunes)
				return Answer{UID: message.UID, Turn: message.Turn, Text: short, Cut: short != text}, nil
			}
		}
		return Answer{}, nil
	})
}
