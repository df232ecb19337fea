package window

import (
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/lists"
)

// Sending describes a request to a model: the first one of a run, or one that was sent. The numbers of tokens are estimates unless Counted is set.
type Sending struct {
	Model        string     `json:"model"` // PROVIDER/MODEL
	WindowTokens int64      `json:"windowTokens"`
	Tokens       int64      `json:"tokens"`  // of the whole request
	Counted      bool       `json:"counted"` // the provider counted Tokens with its last answer, except those of newer messages
	Agent        string     `json:"agent"`
	System       string     `json:"system"` // the system prompt, with the contents of Files
	SystemTokens int64      `json:"systemTokens"`
	Files        []SentFile `json:"files"`
	Tools        []SentTool `json:"tools"`
	ToolTokens   int64      `json:"toolTokens"`
	Mode         string     `json:"mode"`      // the permission mode of the tools
	Hidden       int64      `json:"hidden"`    // messages of the path that a summary replaces
	Messages     int64      `json:"messages"`  // sent messages of the path, the summary included
	Turns        int64      `json:"turns"`     // of those messages
	FirstTurn    int64      `json:"firstTurn"` // -1: none
	LastTurn     int64      `json:"lastTurn"`  // -1: none
	PathTokens   int64      `json:"pathTokens"`
	Images       int64      `json:"images"`       // in the path and the prompt
	PromptTokens int64      `json:"promptTokens"` // 0: the request has no prompt
	Notices      []string   `json:"notices"`      // what is configured and cannot be used
	SentAtMs     int64      `json:"sentAtMs"`     // 0: it is not sent yet
}

// SentFile is a file with a project's instructions for agents.
type SentFile struct {
	Path string `json:"path"`
	Cut  bool   `json:"cut"` // only its beginning is sent
}

// SentTool is a tool that is offered to the model.
type SentTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// newSent describes a request that was sent.
func newSent(c *engine.Context) Sending {
	out := newSending(&engine.Task{ModelRef: c.State.Model, Info: core.ModelInfo{ContextTokens: c.State.ContextTokens}, Agent: c.State.Agent}, &c.Sending)
	out.SentAtMs = c.Sent.SentAtMs
	return out
}

func newSending(task *engine.Task, sent *engine.Sending) Sending {
	out := Sending{
		Model: task.ModelRef, WindowTokens: task.Info.ContextTokens, Tokens: sent.Tokens, Counted: sent.Counted,
		Agent: task.Agent.Name, System: sent.Request.System, SystemTokens: sent.SystemTokens, Files: []SentFile{},
		Tools: []SentTool{}, ToolTokens: sent.ToolTokens, Mode: string(sent.Mode),
		Hidden: int64(sent.Hidden), Messages: int64(sent.Path - sent.Hidden), Turns: sent.Turns, FirstTurn: sent.FirstTurn, LastTurn: sent.LastTurn,
		PathTokens: sent.PathTokens, Images: sent.Images, PromptTokens: sent.PromptTokens, Notices: lists.NonNil(task.Notices),
	}
	for _, file := range task.Instructions {
		out.Files = append(out.Files, SentFile{Path: file.Path, Cut: file.Cut})
	}
	for _, tool := range sent.Request.Tools {
		out.Tools = append(out.Tools, SentTool{Name: tool.Name, Description: tool.Description})
	}
	return out
}
