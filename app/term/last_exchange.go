package term

import (
	"context"
	"strings"

	"coppice/app/internal/present"
	"coppice/app/term/markdown"
	"coppice/backend/core"
)

// The last exchange is searched in this many messages, and shortened to this many lines and characters each.
const (
	exchangeMessages = 200
	exchangeLines    = 12
	exchangeRunes    = 1200
)

// lastExchange returns the last prompt on the path and what follows it.
func (c *chat) lastExchange(ctx context.Context) ([]core.Message, error) {
	window, err := c.db.Window(ctx, c.session.ID, "", -exchangeMessages, exchangeMessages)
	if err != nil {
		return nil, err
	}
	begin := 0
	for i := range window.Messages {
		if window.Messages[i].IsPrompt() {
			begin = i
		}
	}
	return window.Messages[begin:], nil
}

// showLast prints the last exchange to the user at the terminal: the last prompt on the path, and the texts that answer it.
func (c *chat) showLast(ctx context.Context) error {
	if c.Prompter == nil || c.session.HeadUID == "" {
		return nil
	}
	if c.session.IncompleteStart {
		c.Say("%s", c.paint(present.Dim, "· the first messages of this session are missing"))
	}
	messages, err := c.lastExchange(ctx)
	if err != nil {
		return err
	}
	var shown []core.Message
	for _, m := range messages {
		if text := present.Text(m.Parts); text != "" && (m.IsPrompt() || m.Role == core.RoleAssistant) {
			shown = append(shown, m)
		}
	}
	if last := len(shown) - 1; last > 0 && shown[0].IsPrompt() {
		shown = []core.Message{shown[0], shown[last]}
	}
	for i := range shown {
		c.showExcerpt(&shown[i])
	}
	return nil
}

// showExcerpt prints the beginning of a prompt or an answer.
func (c *chat) showExcerpt(m *core.Message) {
	text := excerptOf(present.Text(m.Parts))
	switch {
	case m.IsPrompt():
		c.Say("%s%s", c.paint(present.Bold, chatPrompt), present.Safe(text))
	case c.Plain || !c.ErrIsTerminal:
		c.Say("%s%s", c.paint(present.Dim, "assistant> "), present.Safe(text))
	default:
		width, _ := c.screenSize()
		lines := markdown.New(c.Color).Lines(present.Safe(text), min(width-1, widestText))
		c.Say("\n%s", present.Ink(strings.Join(lines, "\n")))
	}
}

// excerptOf returns the beginning of a text, marked if it is not all of it.
func excerptOf(text string) string {
	text = strings.TrimSpace(text)
	short := core.Cut(text, exchangeRunes)
	if lines := strings.SplitN(short, "\n", exchangeLines+1); len(lines) > exchangeLines {
		short = strings.Join(lines[:exchangeLines], "\n")
	}
	if len(short) < len(text) {
		short += " …"
	}
	return short
}
