package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

func newContextCmd(s *term.Shell) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "context ID [NODE]",
		Short: "Print what the model was sent for an answer, or would be sent next",
		Long: `Print what the model was sent for an answer, or would be sent next.

If NODE is an answer of Coppice, it is the exact request that the answer resulted from, rebuilt from the library and compared
with the hash that was stored when it was sent. For any other message, and for the head if NODE is not given, it is the request
that would follow, with the system prompt and the tools of the last step. A run reads instructions and tools again when it starts.`,
		Example: `  coppice context 019cbd39-c208
  coppice context 019cbd39-c208 m17 --json`,
		Args: usage(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			node := ""
			if len(args) == 2 {
				node = args[1]
			}
			return printContext(cmd.Context(), s, args[0], node, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON value: messages, tools, tokens, compacted, omitted, …")
	return cmd
}

// contextJSON is what context --json prints.
type contextJSON struct {
	Messages  []core.Message       `json:"messages"` // as the request has them
	Tools     []core.ToolSpec      `json:"tools"`
	Tokens    engine.ContextTokens `json:"tokens"`
	Compacted *core.Compaction     `json:"compacted"` // null: nothing is compacted
	Omitted   []engine.Omission    `json:"omitted"`

	System      string      `json:"system"`
	Model       string      `json:"model"`
	BaseURL     string      `json:"baseUrl"`
	Effort      core.Effort `json:"effort"`
	Mode        core.Mode   `json:"mode"`
	Limits      core.Budget `json:"limits"`
	Left        engine.Left `json:"left"`        // of the limits, if the session continued there without a prompt
	StateHash   string      `json:"stateHash"`   // empty: no run recorded its state
	RequestHash string      `json:"requestHash"` // empty: it was not sent
	SentAtMs    int64       `json:"sentAtMs"`    // 0: it was not sent
	// InactiveTools are those that the session had in the tool it comes from, and that models are not offered.
	InactiveTools []core.InactiveTool `json:"inactiveTools"`
	Redacted      bool                `json:"redacted"` // secrets were replaced before the session was imported: what was sent differed there
}

func printContext(ctx context.Context, s *term.Shell, ref, node string, asJSON bool) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, ref)
		if err != nil {
			return err
		}
		uid, err := find.NodeUID(ctx, db, session, node)
		if err != nil {
			return err
		}
		next, err := launch.FormerState(ctx, db, session, uid)
		if err != nil {
			return err
		}
		if next.Inactive, err = launch.InactiveTools(ctx, db, session); err != nil {
			return err
		}
		e := &engine.Engine{Store: db}
		c, err := e.ContextOf(ctx, session.ID, uid, next)
		if err != nil {
			return err
		}
		if asJSON {
			left, err := e.Left(ctx, session.ID, uid, c.State.Limits)
			if err != nil {
				return err
			}
			return s.PrintJSON(newContextJSON(&c, left))
		}
		return s.Buffered(func(s *term.Shell) error { return drawContext(s.Out, s.Width, session, node, &c) })
	})
}

func newContextJSON(c *engine.Context, left engine.Left) contextJSON {
	out := contextJSON{
		Messages: lists.NonNil(c.Request.Messages), Tools: lists.NonNil(c.Request.Tools), Tokens: c.Parts, Compacted: c.Compacted, Omitted: lists.NonNil(c.Omitted),
		System: c.Request.System, Model: c.State.Model, BaseURL: c.State.BaseURL, Effort: c.State.Effort, Mode: c.State.Mode, Limits: c.State.Limits, Left: left,
		Redacted: c.Redacted, InactiveTools: lists.NonNil(c.State.Inactive),
	}
	if c.Sent != nil {
		out.StateHash, out.RequestHash, out.SentAtMs = c.Sent.StateHash, c.Sent.RequestHash, c.Sent.SentAtMs
	} else if c.State.Model != "" {
		_, out.StateHash, _ = c.State.Encode() // without a hash the rest is still right
	}
	return out
}

const (
	contextPreview = 500 // runes of a message that are considered for its line
	contextIndent  = 31  // columns before its text
)

// drawContext prints the sizes of the parts, and a line for each message.
func drawContext(w io.Writer, width int, session core.Session, node string, c *engine.Context) error {
	var b strings.Builder
	where := "would be sent next"
	switch {
	case c.Sent != nil:
		where = "sent for " + node
	case node != "":
		where = "would follow " + node
	}
	fmt.Fprintf(&b, "Context of %s · %s · %s\n", present.SessionName(session), where, cmp.Or(c.State.Model, "no model yet"))
	if c.Redacted {
		b.WriteString("Redacted: secrets were replaced before the session was imported, what was sent differed there\n")
	}
	part := func(name string, tokens int64, note string) {
		fmt.Fprintf(&b, "  %-14s %9s tok%s\n", name, humanize.Comma(tokens), note)
	}
	part("system prompt", c.Parts.System, "")
	part("tools", c.Parts.Tools, " · "+present.Count(int64(len(c.Request.Tools)), "tool"))
	note := " · " + present.Count(int64(len(c.Request.Messages)), "message")
	if n := len(c.Omitted); n > 0 {
		note += fmt.Sprintf(", %s omitted", humanize.Comma(int64(n)))
	}
	part("messages", c.Parts.Messages, note)
	note = ""
	if c.Parts.Window > 0 {
		note = fmt.Sprintf(" · %d %% of %s", c.Parts.Total*100/c.Parts.Window, humanize.Comma(c.Parts.Window))
	}
	part("total", c.Parts.Total, note)
	if c.Compacted != nil {
		fmt.Fprintf(&b, "Compacted: %s, %s\n", c.Compacted.Strategy, present.Count(c.Compacted.CoveredMessages, "message"))
	}
	for _, tool := range c.State.Inactive {
		fmt.Fprintf(&b, "Inactive tool: %s\n", present.OneLine(tool.Name+": "+tool.Reason))
	}
	b.WriteString("\n")
	for i := range c.Request.Messages {
		m := &c.Request.Messages[i]
		text := present.OneLine(core.Cut(firstText(m), contextPreview))
		if width > 0 {
			text = present.Cut(text, max(20, width-contextIndent))
		}
		fmt.Fprintf(&b, "%4d  %-9s %8s tok  %s\n", i+1, m.Role, humanize.Comma(engine.MessageTokens(m)), text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// firstText returns what a message begins with: a text, a call or a result.
func firstText(m *core.Message) string {
	for i := range m.Parts {
		p := &m.Parts[i]
		switch p.Type {
		case core.PartText, core.PartSummary:
			if strings.TrimSpace(p.Text) != "" {
				return p.Text
			}
		case core.PartToolCall:
			return "▸ " + p.Name + " " + string(p.Arguments)
		case core.PartToolResult:
			for _, r := range p.Result {
				if r.Text != "" {
					return r.Text
				}
			}
			return p.Name
		case core.PartReasoning, core.PartMedia, core.PartOther:
		}
	}
	return ""
}
