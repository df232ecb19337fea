package launch

import (
	"context"
	"time"

	"coppice/backend/compact"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/title"
)

const (
	titleTokens       = 20  // of a usual title
	maxTitleTokens    = 400 // of an answer, with the reasoning of models that cannot do without
	titlePrompts      = 3
	mostTitleMessages = 60 // of a path, in which its first prompts are looked for
)

// TitleRequest names the sessions whose titles a model writes.
type TitleRequest struct {
	Model    string // PROVIDER/MODEL
	BaseURL  string // replaces the provider's base URL
	Sessions []core.Session
	// Named means that the user has chosen these sessions: a conversation of a private server may then be sent to the model.
	Named bool
}

// Titles is what a model is about to be asked.
type Titles struct {
	Model    string // PROVIDER/MODEL
	Sessions []core.Session
	// Skipped are the sessions that are left out, by the reason.
	Skipped map[TitleSkip]int64
	Tokens  int64 // estimate of what is sent and answered
	// CostNanoUSD is the estimate of what it costs; nil: unknown.
	CostNanoUSD *int64

	model    engine.Model
	info     core.ModelInfo
	requests []core.Request
	price    engine.Price
}

// TitleSkip is why a session is left out.
type TitleSkip string

// The reasons.
const (
	TitleOfUser  TitleSkip = "own"     // the user gave the title
	TitlePrivate TitleSkip = "private" // the conversation is one of a server that the user named for it
	TitleEmpty   TitleSkip = "empty"   // no prompt has words
)

// Titles prepares the titles of sessions, and estimates what they cost. It calls no model.
func (o *RunEnv) Titles(ctx context.Context, request TitleRequest) (*Titles, error) {
	model, info, err := o.Registry.Open(ctx, request.Model, request.BaseURL)
	if err != nil {
		return nil, err
	}
	t := &Titles{Model: info.Provider + "/" + info.ID, Skipped: map[TitleSkip]int64{}, model: model, info: info, price: o.Registry}
	for i := range request.Sessions {
		session := &request.Sessions[i]
		question, skip, err := o.titleQuestion(ctx, &request, session)
		if err != nil {
			return nil, err
		}
		if skip != "" {
			t.Skipped[skip]++
			continue
		}
		t.Sessions = append(t.Sessions, *session)
		t.requests = append(t.requests, titleCall(question, &info))
	}
	t.estimate()
	return t, nil
}

// titleQuestion returns what the model is asked of a session, or why it is left out.
func (o *RunEnv) titleQuestion(ctx context.Context, request *TitleRequest, session *core.Session) (question string, skip TitleSkip, err error) {
	if !session.TitleOrigin.Yields(core.TitleModel) {
		return "", TitleOfUser, nil
	}
	if !request.Named {
		former, err := FormerState(ctx, o.DB, *session, "")
		if err != nil {
			return "", "", err
		}
		if former.BaseURL != "" && former.BaseURL != request.BaseURL {
			return "", TitlePrivate, nil
		}
	}
	material := title.Material{Answer: session.LastAnswer, Files: session.FilesModified}
	read := 0
	for m, err := range o.DB.PathMessages(ctx, session.ID, "") {
		if err != nil {
			return "", "", err
		}
		if m.IsPrompt() {
			material.Prompts = append(material.Prompts, m.OwnWords())
		}
		if read++; len(material.Prompts) == titlePrompts || read == mostTitleMessages {
			break
		}
	}
	if question = title.Question(material); question == "" {
		return "", TitleEmpty, nil
	}
	return question, "", nil
}

func titleCall(question string, info *core.ModelInfo) core.Request {
	q := core.Request{
		Model: info.ID, System: title.Role, MaxOutputTokens: maxTitleTokens, Effort: core.EffortNone, ContextTokens: info.ContextTokens,
		Messages: []core.Message{{Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: question}}}},
	}
	if info.MaxOutputTokens > 0 {
		q.MaxOutputTokens = min(q.MaxOutputTokens, info.MaxOutputTokens)
	}
	return q
}

func (t *Titles) estimate() {
	var sum core.Usage
	for i := range t.requests {
		sum.InputTokens += compact.FixedSize(t.requests[i].System, nil).Tokens + compact.SizeOf(t.requests[i].Messages).Tokens
		sum.OutputTokens += titleTokens
	}
	t.Tokens = sum.InputTokens + sum.OutputTokens
	t.CostNanoUSD = t.cost(sum)
}

func (t *Titles) cost(usage core.Usage) *int64 {
	cost, known := t.price.Cost(t.info.Provider, t.info.ID, usage, time.Now().UnixMilli())
	if !known {
		return nil
	}
	return &cost
}

// WrittenTitle is the title that a model wrote for a session.
type WrittenTitle struct {
	SessionID   string `json:"id"`
	Title       string `json:"title"`
	Former      string `json:"former"`
	CostNanoUSD *int64 `json:"costNanoUsd"` // null: unknown
}

// Write asks the model for the title of the session at an index of Sessions, and stores it. Stored is false if the user has given the session
// a title meanwhile.
func (t *Titles) Write(ctx context.Context, db TitleStore, at int) (w WrittenTitle, stored bool, err error) {
	session := &t.Sessions[at]
	w = WrittenTitle{SessionID: session.ID, Former: session.Title}
	m, err := engine.Ask(ctx, t.model, t.requests[at])
	if m.Usage != nil {
		w.CostNanoUSD = t.cost(*m.Usage)
	}
	if m.CostNanoUSD != nil {
		w.CostNanoUSD = m.CostNanoUSD
	}
	if err != nil {
		return w, false, err
	}
	if w.Title = title.FromAnswer(m.Text()); w.Title == "" {
		return w, false, core.E(core.Invalid, "the model wrote no title for session %s", session.ID)
	}
	stored, err = db.Retitle(ctx, session.ID, w.Title)
	return w, stored, err
}

// TitleStore stores titles.
type TitleStore interface {
	Retitle(ctx context.Context, id, title string) (bool, error)
}
