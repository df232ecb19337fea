package window

import (
	"coppice/backend/engine"
	"coppice/backend/lists"
)

// Sending is what a model is sent first by a run. Tokens are guessed by the length of the texts unless it is said that they are counted.
type Sending struct {
	Model        string     `json:"model"` // PROVIDER/MODEL
	WindowTokens int64      `json:"windowTokens"`
	Tokens       int64      `json:"tokens"`  // all of it
	Counted      bool       `json:"counted"` // Tokens are, by the provider of the last answer, but for what came since
	Agent        string     `json:"agent"`
	System       string     `json:"system"` // all that stands before the conversation, the files included
	SystemTokens int64      `json:"systemTokens"`
	Files        []SentFile `json:"files"`
	Tools        []SentTool `json:"tools"`
	ToolTokens   int64      `json:"toolTokens"`
	Mode         string     `json:"mode"`      // what the tools may do
	Hidden       int64      `json:"hidden"`    // messages of the path that a summary stands for
	Messages     int64      `json:"messages"`  // of the path, that summary included
	Turns        int64      `json:"turns"`     // of those messages
	FirstTurn    int64      `json:"firstTurn"` // -1: none
	LastTurn     int64      `json:"lastTurn"`  // -1: none
	PathTokens   int64      `json:"pathTokens"`
	Images       int64      `json:"images"`       // of the path and the prompt
	PromptTokens int64      `json:"promptTokens"` // 0: the model answers what is there
	Notices      []string   `json:"notices"`      // what of the set-up cannot be used
}

// SentFile is a file in which a project says how it wants to be worked on.
type SentFile struct {
	Path string `json:"path"`
	Cut  bool   `json:"cut"` // only its beginning is sent
}

// SentTool is a tool that the model is told of.
type SentTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

func newSending(task *engine.Task, sent *engine.Sending) Sending {
	out := Sending{
		Model: task.ModelRef, WindowTokens: task.Info.ContextTokens, Tokens: sent.Tokens, Counted: sent.Counted,
		Agent: task.AgentName, System: sent.Request.System, SystemTokens: sent.SystemTokens, Files: []SentFile{},
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
