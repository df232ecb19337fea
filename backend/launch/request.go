package launch

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/lists"
)

// RunRequest describes a run. Empty fields default to the session's last run, else to the configuration.
type RunRequest struct {
	SessionID string   `json:"sessionId"` // empty: a new session
	FromUID   string   `json:"fromUid"`   // the message to continue from; empty: the head
	Root      bool     `json:"root"`      // start a new tree in the session, as for an edited first prompt
	Text      string   `json:"text"`      // the prompt; empty: continue where the session stopped
	Images    []Upload `json:"images"`
	Cites     []string `json:"cites"` // the uids of messages that the prompt refers to
	Model     string   `json:"model"` // PROVIDER/MODEL
	Agent     string   `json:"agent"`
	Team      string   `json:"team,omitempty"` // the name or the file of a team; empty: that of the session, unless Agent is given
	// AgentModels are the models of agents of the team, by name, instead of those that they have.
	AgentModels map[string]string `json:"agentModels,omitempty"`
	// TeamChanges change the team before it works, see team.ParseChange.
	TeamChanges []string `json:"teamChanges,omitempty"`
	Mode        string   `json:"mode"`
	Effort      string   `json:"effort"`
	Workspace   string   `json:"workspace"`           // absolute
	BudgetUSD   string   `json:"budgetUsd"`           // a decimal number; empty: no limit
	MaxSteps    int64    `json:"maxSteps"`            // 0: the agent's limit
	MaxTokens   int64    `json:"maxTokens"`           // 0: the agent's limit
	TimeoutMs   int64    `json:"timeoutMs"`           // 0: the agent's limit
	Unlimited   []string `json:"unlimited,omitempty"` // the limits to remove: max_steps, max_tokens, timeout
	// Remembered means that the limits were set earlier, in the window for instance: an equal one is not a new one for this run.
	Remembered bool     `json:"-"`
	BaseURL    string   `json:"baseUrl"`   // replaces the provider's base URL
	Confirmed  []string `json:"confirmed"` // the tokens of Confirmations that the user has agreed to
	Name       string   `json:"name"`      // of a new session
	TakeOver   bool     `json:"takeOver"`  // take over from a run on another machine, see engine.Task
	// Compaction is the strategy that compacts the context, or none; empty: that of the session, else the agent's.
	Compaction string `json:"compaction"`
	// Compact compacts the context of the session and asks for no answer; Focus is what the summary should keep.
	Compact bool   `json:"-"`
	Focus   string `json:"focus,omitempty"`
	Review  bool   `json:"review"` // wait for the user after each answer
	Aside   bool   `json:"aside"`  // run beside other runs of the session, with read access only, see engine.Task
	// HibernateAfterMs ends the run as hibernated if the user does not answer a question for so long; 0: the run waits.
	HibernateAfterMs int64 `json:"hibernateAfterMs,omitempty"`
	// Wake is why a hibernated session continues by itself.
	Wake *engine.Wake `json:"-"`
	// OutputSchema is the JSON Schema that the answer must satisfy; nil: that of a run that is continued without a prompt, else none.
	OutputSchema []byte `json:"-"`
	Summary      bool   `json:"summary"` // send a summary instead of the earlier messages
}

// Says reports whether the request has a prompt.
func (r *RunRequest) Says() bool { return strings.TrimSpace(r.Text) != "" || len(r.Images) > 0 }

// Prompt returns the parts of the request's prompt, or nil if it has none.
func (r *RunRequest) Prompt() ([]core.Part, error) {
	var parts []core.Part
	if strings.TrimSpace(r.Text) != "" {
		parts = append(parts, core.Part{Type: core.PartText, Text: r.Text})
	}
	for _, image := range r.Images {
		data, err := base64.StdEncoding.DecodeString(image.Base64)
		if err != nil {
			return nil, core.Wrap(core.Invalid, err, "read the image %s", image.Name)
		}
		if len(data) > maxUploadBytes {
			return nil, core.E(core.Invalid, "the image %s has %s, %s is the most", image.Name, humanize.Bytes(uint64(len(data))), humanize.Bytes(maxUploadBytes))
		}
		parts = append(parts, core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: image.MimeType, Name: image.Name, Data: data, SizeBytes: int64(len(data))}})
	}
	return parts, nil
}

// limits returns b with the limits of the request applied.
func (r *RunRequest) limits(b core.Budget) (core.Budget, error) {
	if r.BudgetUSD != "" {
		var budget config.Dollars
		if err := budget.UnmarshalText([]byte(r.BudgetUSD)); err != nil {
			return b, err
		}
		b.CostNanoUSD = int64(budget)
	}
	b.Steps = cmp.Or(r.MaxSteps, b.Steps)
	b.Tokens = cmp.Or(r.MaxTokens, b.Tokens)
	b.TimeoutMs = cmp.Or(r.TimeoutMs, b.TimeoutMs)
	for name, limit := range map[string]*int64{"max_steps": &b.Steps, "max_tokens": &b.Tokens, "timeout": &b.TimeoutMs} {
		if slices.Contains(r.Unlimited, name) {
			*limit = 0
		}
	}
	return b, nil
}

// sets reports whether the request sets or removes a limit that was the former one.
func (r *RunRequest) sets(name string, limit, former int64) bool {
	return limit > 0 && (limit != former || !r.Remembered) || slices.Contains(r.Unlimited, name)
}

// CheckCompaction returns an Invalid error for an unknown strategy. An empty one is valid and means the default.
func CheckCompaction(strategy string) error {
	known := core.CompactionStrategies()
	if strategy == "" || slices.Contains(known, core.CompactionStrategy(strategy)) {
		return nil
	}
	return core.E(core.Invalid, "unknown compaction strategy %q", strategy).WithHint("one of: %s", lists.Join(known))
}

// CheckMode returns an Invalid error for an unknown mode. An empty mode is valid and means the default.
func CheckMode(mode string) error {
	if mode == "" || slices.Contains(core.Modes(), core.Mode(mode)) {
		return nil
	}
	return core.E(core.Invalid, "unknown mode %q", mode).WithHint("one of: %s", lists.Join(core.Modes()))
}
