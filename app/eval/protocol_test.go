package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"coppice/backend/provider/openai/fake"
	"coppice/backend/provider/providertest"
)

// serveSolutions starts a server that solves tasks by the protocol of OpenAI's chat completions.
func serveSolutions(t *testing.T, tasks []task) (url string) {
	t.Helper()
	server := fake.New()
	server.Answer = func(r providertest.Request) fake.Answer {
		for _, one := range tasks {
			prompt, err := json.Marshal(one.Prompt)
			if err == nil && bytes.Contains(r.Body, bytes.Trim(prompt, `"`)) {
				return solution(t, one.Script, r.Body)
			}
		}
		return fake.Answer{Text: "This is none of the tasks."}
	}
	listener := httptest.NewServer(server)
	t.Cleanup(listener.Close)
	return listener.URL + "/v1"
}

// solution returns the answer of a script that follows those in a request.
func solution(t *testing.T, script, request []byte) fake.Answer {
	var steps []struct {
		Text      string
		ToolCalls []struct {
			Name      string
			Arguments json.RawMessage
		}
	}
	var sent struct{ Messages []struct{ Role string } }
	if json.Unmarshal(script, &steps) != nil || json.Unmarshal(request, &sent) != nil {
		t.Errorf("no messages in %s", request)
		return fake.Answer{}
	}
	at := 0
	for _, m := range sent.Messages {
		if m.Role == "assistant" {
			at++
		}
	}
	if at >= len(steps) {
		return fake.Answer{Text: "There is nothing left to do."}
	}
	answer := fake.Answer{Text: steps[at].Text}
	for i, call := range steps[at].ToolCalls {
		answer.Calls = append(answer.Calls, fake.Call{ID: fmt.Sprintf("call_%d_%d", at, i), Name: call.Name, Arguments: string(call.Arguments)})
	}
	return answer
}

// TestOverProtocol runs tasks with a server that speaks a real protocol: the figures are those that it bills, at list price.
func TestOverProtocol(t *testing.T) {
	t.Parallel()
	e := newEvaluation(t, "")
	var some []task
	for _, one := range e.tasks {
		if strings.Contains(" ambiguous-edit answer-by-schema unusual-paths long-output protected-file git-history ", " "+one.Name+" ") {
			some = append(some, one)
		}
	}
	e.tasks, e.model, e.baseURL = some, "openai/gpt-5-mini", serveSolutions(t, some)
	r := e.evaluate(t.Context())
	for _, a := range r.Attempts {
		if !a.Passed || a.CostNanoUSD == nil || *a.CostNanoUSD == 0 || a.InputTokens < 1000 || a.OutputTokens == 0 {
			t.Errorf("%+v", a)
		}
	}
	if r.Passes != 6 || r.Model != "openai/gpt-5-mini" {
		t.Errorf("%d passes of %s: %s", r.Passes, r.Model, r.Fatal)
	}
}

// TestUnknownPrice runs a model without a known price: no default limit stops it, and the table shows no $0.
func TestUnknownPrice(t *testing.T) {
	t.Parallel()
	e := newEvaluation(t, "unusual-paths")
	e.model, e.baseURL = "openai/nobody-prices-this", serveSolutions(t, e.tasks)
	var table strings.Builder
	r := e.evaluate(t.Context())
	if err := r.print(&table); err != nil || r.Passes != 1 || strings.Contains(table.String(), "$") || !strings.Contains(table.String(), "unknown") {
		t.Errorf("%v: %+v\n%s", err, r.Attempts, &table)
	}
	e.budgetUSD = "0.50"
	if r = e.evaluate(t.Context()); r.Passes != 0 || !strings.HasPrefix(r.Attempts[0].Problem, "budget_exceeded\n") {
		t.Errorf("with a limit in dollars: %+v", r.Attempts)
	}
}

// TestServerThatFails requires that a refused key ends the evaluation, and that an error of the server is a failed attempt.
func TestServerThatFails(t *testing.T) {
	t.Parallel()
	e := newEvaluation(t, "read-answer")
	refusing := fake.New()
	refusing.Key = "sk-other"
	listener := httptest.NewServer(refusing)
	t.Cleanup(listener.Close)
	e.model, e.baseURL, e.repeats = "openai/gpt-5-mini", listener.URL+"/v1", 3
	if r := e.evaluate(t.Context()); r.Fatal == "" || r.Passes > 0 || len(r.Attempts) > e.jobs {
		t.Errorf("%d attempts: %q", len(r.Attempts), r.Fatal)
	}
	broken := fake.New()
	broken.Answer = func(providertest.Request) fake.Answer {
		return fake.Answer{Fault: fake.Fault{Status: 400, Body: `{"error":{"message":"no such thing","type":"invalid_request_error","code":null,"param":null}}`}}
	}
	second := httptest.NewServer(broken)
	t.Cleanup(second.Close)
	e.baseURL, e.repeats = second.URL+"/v1", 1
	r := e.evaluate(t.Context())
	if r.Fatal != "" || len(r.Attempts) != 1 || r.Attempts[0].Passed || !strings.Contains(r.Attempts[0].Problem, "no such thing") {
		t.Errorf("%+v", r)
	}
}
