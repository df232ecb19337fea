package fake

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// call holds the fields of a request that the check needs.
type call struct {
	Contents []content `json:"contents"`
	Tools    []struct {
		Functions []struct {
			Name   string         `json:"name"`
			Schema map[string]any `json:"parametersJsonSchema"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
	Config struct {
		Thinking *struct {
			Budget *int   `json:"thinkingBudget"`
			Level  string `json:"thinkingLevel"`
		} `json:"thinkingConfig"`
	} `json:"generationConfig"`
}

type content struct {
	Role  string                       `json:"role"`
	Parts []map[string]json.RawMessage `json:"parts"`
}

// function is a call or a response.
type function struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Args     map[string]any `json:"args"`
	Response map[string]any `json:"response"`
}

const anySignature = "skip_thought_signature_validator"

var functionName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$`)

// check returns the server's error text for an invalid request; empty if it is valid. The caller holds the lock.
func (s *Server) check(model string, body []byte) string {
	var c call
	if err := json.Unmarshal(body, &c); err != nil {
		return "Invalid JSON payload received. " + err.Error()
	}
	if len(c.Contents) == 0 {
		return "contents is not specified"
	}
	modern := strings.Contains(model, "gemini-3") || strings.Contains(model, "latest")
	if t := c.Config.Thinking; t != nil && (modern && t.Budget != nil || !modern && t.Level != "") {
		return "Thinking level or budget is not supported for this model."
	}
	for _, t := range c.Tools {
		for _, f := range t.Functions {
			if _, dialect := f.Schema["$schema"]; dialect || !functionName.MatchString(f.Name) {
				return "Invalid function declaration " + f.Name
			}
		}
	}
	for i, content := range c.Contents {
		if flaw := s.checkContent(model, content, modern); flaw != "" {
			return fmt.Sprintf("contents[%d]: %s", i, flaw)
		}
		if flaw := paired(c.Contents, i); flaw != "" {
			return fmt.Sprintf("contents[%d]: %s", i, flaw)
		}
	}
	return ""
}

func (s *Server) checkContent(model string, c content, modern bool) string {
	if c.Role != "user" && c.Role != "model" {
		return "Please use a valid role: user, model."
	}
	if len(c.Parts) == 0 {
		return "must include at least one parts field"
	}
	called := false
	for _, p := range c.Parts {
		var signature string
		_ = json.Unmarshal(p["thoughtSignature"], &signature) // invalid JSON: no signature
		_, calls := p["functionCall"]
		switch {
		case len(p) == 0 || string(p["text"]) == `""` && signature == "":
			return "required oneof field 'data' must have one initialized field"
		case signature != "" && signature != anySignature && s.signed[signature] != model:
			return "Thought signature is not valid"
		case calls && modern && !called && signature == "":
			return "Function call is missing a thought_signature in functionCall parts."
		case (signature == anySignature) && !modern:
			return "Thought signature is not valid"
		}
		called = called || calls
	}
	return ""
}

// paired checks that the next content answers the calls of a content, in their order.
func paired(contents []content, i int) string {
	var calls, responses []function
	if i > 0 {
		calls = functions(contents[i-1], "functionCall")
	}
	responses = functions(contents[i], "functionResponse")
	if len(calls) != len(responses) {
		return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
	}
	for j, r := range responses {
		if r.Name != calls[j].Name || r.ID != calls[j].ID || r.Response == nil || calls[j].Args == nil || !functionName.MatchString(r.Name) {
			return "function response " + r.Name + " does not fit its call"
		}
	}
	if i == len(contents)-1 && len(functions(contents[i], "functionCall")) > 0 {
		return "Please ensure that function call turn comes immediately before a function response turn."
	}
	return ""
}

func functions(c content, kind string) []function {
	var all []function
	for _, p := range c.Parts {
		var f function
		if raw, ok := p[kind]; ok && json.Unmarshal(raw, &f) == nil {
			all = append(all, f)
		}
	}
	return all
}
