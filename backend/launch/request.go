package launch

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"coppice/backend/lists"

	"github.com/dustin/go-humanize"

	"coppice/backend/config"
	"coppice/backend/core"
)

// RunRequest says what a session is to do. Empty fields take what the session had, else the configuration.
type RunRequest struct {
	SessionID string   `json:"sessionId"` // empty: a new session
	FromUID   string   `json:"fromUid"`   // the message to continue from; empty: the head
	Root      bool     `json:"root"`      // begin a new tree in the session, as an edited first prompt does
	Text      string   `json:"text"`      // what the person says; empty: the session goes on where it stopped
	Images    []Upload `json:"images"`
	Cites     []string `json:"cites"` // the uids of messages that what the person says is about
	Model     string   `json:"model"` // PROVIDER/MODEL
	Agent     string   `json:"agent"`
	Mode      string   `json:"mode"`
	Effort    string   `json:"effort"`
	Workspace string   `json:"workspace"` // absolute
	BudgetUSD string   `json:"budgetUsd"` // a decimal number; empty: none
	MaxSteps  int64    `json:"maxSteps"`  // 0: the agent's
	MaxTokens int64    `json:"maxTokens"` // 0: the agent's
	TimeoutMs int64    `json:"timeoutMs"` // 0: the agent's
	BaseURL   string   `json:"baseUrl"`   // in place of the provider's
	Confirmed []string `json:"confirmed"` // the tokens of Confirmations that the user has agreed to
	Name      string   `json:"name"`      // of a new session
	TakeOver  bool     `json:"takeOver"`  // end a run on another machine, see engine.Task
	Review    bool     `json:"review"`    // wait for the person after each answer
	Aside     bool     `json:"aside"`     // run beside the others of the session, only reading, see engine.Task
	Summary   bool     `json:"summary"`   // let the model know of what came before by a summary only
}

// Beside returns the request of a run that answers a message beside another one.
func (r RunRequest) Beside(sessionID, fromUID string) RunRequest {
	r.SessionID, r.FromUID, r.Root, r.Aside, r.Review = sessionID, fromUID, false, true, false
	r.Text, r.Images, r.Cites = "", nil, nil
	return r
}

// Says tells whether the person says anything.
func (r *RunRequest) Says() bool { return strings.TrimSpace(r.Text) != "" || len(r.Images) > 0 }

// Prompt returns what the person says as parts of a message; none where they say nothing.
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

// limits puts what is asked for over an agent's limits.
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
	return b, nil
}

// CheckMode returns an Invalid error for an unknown mode. An empty one is the default.
func CheckMode(mode string) error {
	if mode == "" || slices.Contains(core.Modes(), core.Mode(mode)) {
		return nil
	}
	return core.E(core.Invalid, "there is no mode %q", mode).WithHint("one of: %s", lists.Join(core.Modes()))
}
