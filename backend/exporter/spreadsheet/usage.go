package spreadsheet

import (
	"encoding/csv"
	"io"
	"iter"

	"coppice/backend/core"
	"coppice/backend/exporter"
)

// Usage writes a row for each model call of sessions.
type Usage struct{ out *csv.Writer }

// NewUsage returns a Usage and writes the names of the columns.
func NewUsage(to io.Writer) (*Usage, error) {
	u := &Usage{csv.NewWriter(to)}
	err := u.out.Write([]string{
		"time", "session", "title", "source", "node", "message", "agent", "provider", "model", "input_tokens", "output_tokens", "cache_read_tokens",
		"cache_write_tokens", "reasoning_tokens", "cost_usd", "estimated_cost_usd", "finish_reason",
	})
	return u, core.Wrap(core.Unavailable, err, "write the table")
}

// Session adds the calls among the messages of a session. Numbers that are unknown are empty: tokens without a usage, output tokens that are a
// placeholder, and costs; the estimated cost is the list price of a call without a cost.
func (u *Usage) Session(session core.Session, messages iter.Seq2[core.Message, error]) error {
	for m, err := range messages {
		if err != nil {
			return err
		}
		if !m.IsCall() {
			continue
		}
		row := []string{
			Time(m.CreatedAtMs), session.ID, Text(session.Title), string(session.Source), "n" + Number(m.Turn), Text(m.UID), Text(m.Agent), Text(exporter.Provider(&m)), Text(m.Model),
		}
		row = append(append(row, tokens(&m)...), Dollars(m.CostNanoUSD), listPrice(&m), Text(m.FinishReason))
		if err := u.out.Write(row); err != nil {
			return core.Wrap(core.Unavailable, err, "write the table")
		}
	}
	return nil
}

// tokens returns the five cells of tokens.
func tokens(m *core.Message) []string {
	if m.Usage == nil {
		return []string{"", "", "", "", ""}
	}
	output := Number(m.Usage.OutputTokens)
	if m.HasPlaceholderOutput() {
		output = ""
	}
	return []string{
		Number(m.Usage.InputTokens), output, Number(m.Usage.CacheReadTokens), Number(m.Usage.CacheWriteTokens), Number(m.Usage.ReasoningTokens),
	}
}

// listPrice returns the list price of a call whose cost is unknown.
func listPrice(m *core.Message) string {
	if m.CostNanoUSD != nil {
		return ""
	}
	return Dollars(m.Estimate.NanoUSD)
}

// Close writes what is buffered.
func (u *Usage) Close() error {
	u.out.Flush()
	return core.Wrap(core.Unavailable, u.out.Error(), "write the table")
}
