// Package fake implements a server with Ollama's native protocol, for tests: it plays a script, and rejects what the
// real server rejects.
package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"coppice/backend/provider/fault"
	"coppice/backend/provider/providertest"
)

// Server is an http.Handler that answers each chat with the next reply of its script. An invalid chat uses no reply.
type Server struct {
	providertest.Script[Reply]
	// Models are the server's models; if empty, it accepts any model and describes none.
	Models []Model

	mu     sync.Mutex
	billed Usage
}

// Usage is the token count of a reply.
type Usage struct{ Input, Output int64 }

// Model is a model of the server.
type Model struct {
	Name         string
	Context      int64
	Parameters   string   // of its model file
	Capabilities []string // completion, tools, vision, thinking, embedding
	RemoteHost   string
}

// New returns a server with a script.
func New(replies ...Reply) *Server {
	s := &Server{}
	s.Then(replies...)
	return s
}

// Billed returns the sum of the usage of all replies that were sent completely.
func (s *Server) Billed() Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.billed
}

// ServeHTTP answers chats, the list of models and their descriptions.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request, ok := providertest.NewRequest(r)
	if !ok {
		return // the client left
	}
	switch r.Method + " " + r.URL.Path {
	case "POST /api/chat":
		s.chat(w, r, request)
	case "GET /api/tags":
		s.list(w)
	case "POST /api/show":
		s.show(w, request.Body)
	default:
		fault.Refuse(w, fault.Fault{Status: http.StatusNotFound, Body: "404 page not found"})
	}
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request, request providertest.Request) {
	n := s.Note(request)
	c, status, flaw := s.check(request.Body)
	if flaw != "" {
		refuse(w, status, flaw)
		return
	}
	reply, ok := s.Next(request)
	switch {
	case !ok:
		refuse(w, http.StatusTeapot, "the script is at its end")
	case reply.Fault.Kind == fault.Status:
		f := reply.Fault
		if f.Body == "" {
			f.Body = fmt.Sprintf(`{"error":%s}`, quoted(http.StatusText(f.Status)))
		}
		fault.Refuse(w, f)
	default:
		f := reply.Fault
		if f.Kind == fault.Event && f.Body == "" {
			f.Body = `{"error":"an error was encountered while running the model: unexpected EOF"}` + "\n"
		}
		fault.Play(w, r, "application/x-ndjson", reply.Lines(c.Model, n), f, func() { s.bill(reply.usage()) })
	}
}

func (s *Server) bill(u Usage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.billed.Input += u.Input
	s.billed.Output += u.Output
}

func (s *Server) find(name string) (Model, bool) {
	for _, m := range s.Models {
		if m.Name == name || m.Name == name+":latest" {
			return m, true
		}
	}
	return Model{}, false
}

func (s *Server) list(w http.ResponseWriter) {
	models := []map[string]any{}
	for _, m := range s.Models {
		models = append(models, map[string]any{"name": m.Name, "model": m.Name, "size": 1})
	}
	write(w, map[string]any{"models": models})
}

func (s *Server) show(w http.ResponseWriter, body []byte) {
	var asked struct {
		Model string `json:"model"`
	}
	_ = json.Unmarshal(body, &asked) // invalid JSON asks for no model
	m, ok := s.find(asked.Model)
	if !ok {
		refuse(w, http.StatusNotFound, "model '"+asked.Model+"' not found")
		return
	}
	info := map[string]any{"general.architecture": "llama"}
	if m.Context > 0 {
		info["llama.context_length"] = m.Context
	}
	shown := map[string]any{"parameters": m.Parameters, "model_info": info, "capabilities": m.Capabilities}
	if m.RemoteHost != "" {
		shown["remote_host"] = m.RemoteHost
	}
	write(w, shown)
}

// chat is what the check reads of a request.
type chat struct {
	Model    string          `json:"model"`
	Think    json.RawMessage `json:"think"`
	Messages []struct {
		Role      string   `json:"role"`
		Images    [][]byte `json:"images"`
		ToolCalls []struct {
			Function struct {
				Name      string         `json:"name"`
				Arguments map[string]any `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"messages"`
	Tools []struct {
		Type     string `json:"type"`
		Function struct {
			Name       string         `json:"name"`
			Parameters map[string]any `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	Options map[string]any `json:"options"`
}

// check returns the server's error text for an invalid chat, and its status; empty if the chat is valid.
func (s *Server) check(body []byte) (chat, int, string) {
	var c chat
	if err := json.Unmarshal(body, &c); err != nil {
		return c, http.StatusBadRequest, err.Error() // the real server decodes into such a struct too: arguments are objects
	}
	m, ok := s.find(c.Model)
	switch {
	case c.Model == "":
		return c, http.StatusBadRequest, "model is required"
	case len(s.Models) > 0 && !ok:
		return c, http.StatusNotFound, fmt.Sprintf("model %q not found, try pulling it first", c.Model)
	case ok && len(c.Tools) > 0 && !strings.Contains(strings.Join(m.Capabilities, " "), "tools"):
		return c, http.StatusBadRequest, "registry.ollama.ai/library/" + c.Model + " does not support tools"
	case ok && string(c.Think) == "true" && !strings.Contains(strings.Join(m.Capabilities, " "), "thinking"):
		return c, http.StatusBadRequest, fmt.Sprintf("%q does not support thinking", c.Model)
	}
	for _, message := range c.Messages {
		switch message.Role {
		case "system", "user", "assistant", "tool":
		default:
			return c, http.StatusBadRequest, "invalid message role: " + message.Role
		}
	}
	return c, 0, ""
}

func refuse(w http.ResponseWriter, status int, message string) {
	fault.Refuse(w, fault.Fault{Status: status, Body: fmt.Sprintf(`{"error":%s}`, quoted(message))})
}

func write(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // the client may have left
}

func quoted(text string) string {
	data, _ := json.Marshal(text) // a text has a JSON form
	return string(data)
}
