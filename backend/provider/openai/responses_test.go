package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/openai"
	"coppice/backend/provider/openai/fake"
	"coppice/backend/provider/providertest"
)

func TestResponsesRequest(t *testing.T) {
	body := sent(t, protocols["responses"], at(nil), conversation())
	is(t, "input", body["input"], `[
		{"role":"user","content":[{"type":"input_text","text":"Before: much."}]},
		{"role":"user","content":[{"type":"input_text","text":"Look at"},{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,UE5H"}]},
		{"role":"assistant","content":"I look."},
		{"type":"function_call","call_id":"toolu_A","name":"look","arguments":"{\"a\":\"<1>\"}"},
		{"type":"function_call","call_id":"call_b747fa59be17cda48ed014f30204f2f0","name":"now","arguments":"{\"invalid_json\":\"{\\\"half\"}"},
		{"type":"function_call_output","call_id":"toolu_A","output":[{"type":"input_text","text":"a picture"},{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,UE5H"}]},
		{"type":"function_call_output","call_id":"call_b747fa59be17cda48ed014f30204f2f0","output":"(no output)"},
		{"role":"user","content":[{"type":"input_text","text":"And?"}]}
	]`)
	delete(body, "input")
	is(t, "the rest", body, `{
		"model":"o4-mini","stream":true,"store":false,"instructions":"Be brief.","temperature":0.5,"max_output_tokens":1000,
		"prompt_cache_key":"session-1","tool_choice":"required",
		"include":["reasoning.encrypted_content"],"reasoning":{"effort":"high","summary":"auto"},
		"tools":[
			{"type":"function","name":"look","description":"Looks.","strict":false,"parameters":{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}}}},
			{"type":"function","name":"now","strict":false,"parameters":{"type":"object","properties":{}}}]
	}`)
}

// items is a response of these items, as a server writes it that sends each of them in one piece.
func items(status string, list ...string) string {
	var b strings.Builder
	for i, item := range list {
		index := string(rune('0' + i))
		b.WriteString(`data: {"type":"response.output_item.done","output_index":` + index + `,"item":` + item + "}\n\n")
	}
	return b.String() + `data: {"type":"response.` + status + `","response":{"id":"r1","model":"m","status":"` + status + `","output":[]}}` + "\n\n"
}

const (
	thought = `{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"First <b>"},{"type":"summary_text","text":"then"}],"encrypted_content":"gAAAA+/=="}`
	message = `{"id":"msg_1","type":"message","status":"completed","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"Hi <b>","annotations":[],"logprobs":[]}]}`
	calling = `{"id":"fc_1","type":"function_call","status":"completed","call_id":"c1","name":"x","arguments":"{\"a\": 1}","future":[1.50]}`
	search  = `{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}}`
)

// responsesReplay streams items and returns the part of the next request that repeats them.
func responsesReplay(t *testing.T, stream string, change func(*core.Request, *endpoint.Endpoint)) []any {
	t.Helper()
	e := at(speaking(stream))
	m, err := collect(t, openai.NewResponses(e).Stream(t.Context(), ask("?")))
	if err != nil {
		t.Fatal(err)
	}
	r := ask("?")
	r.Messages = append(r.Messages, stored(t, m), results(m), providertest.User("go on"))
	if change != nil {
		change(&r, &e)
	}
	input := sent(t, protocols["responses"], e, r)["input"].([]any)
	return input[1 : len(input)-1]
}

// Items are sent back unchanged, in their order, to the same model of the same provider, and to no other.
func TestResponsesReplay(t *testing.T) {
	output := `{"type":"function_call_output","call_id":"c1","output":"ok"}`
	whole := items("completed", thought, message, search, thought, calling)
	native := "[" + strings.Join([]string{thought, message, search, thought, calling, output}, ",") + "]"
	is(t, "all", responsesReplay(t, whole, nil), native)

	neutral := `[{"role":"assistant","content":"Hi <b>"},{"type":"function_call","call_id":"c1","name":"x","arguments":"{\"a\": 1}"},` + output + `]`
	compact := strings.ReplaceAll(neutral, `\": 1`, `\":1`) // as the store writes it
	is(t, "another model", responsesReplay(t, whole, func(r *core.Request, _ *endpoint.Endpoint) { r.Model = "other" }), compact)
	is(t, "another provider", responsesReplay(t, whole, func(_ *core.Request, e *endpoint.Endpoint) { e.Provider = "azure" }), compact)
	is(t, "another protocol", responsesReplay(t, whole, func(r *core.Request, _ *endpoint.Endpoint) { r.Messages[1].Origin.Protocol = "openai.chat" }), compact)

	is(t, "reasoning with nothing behind it", responsesReplay(t, items("completed", message, thought), nil), "["+message+"]")
	is(t, "reasoning alone", responsesReplay(t, items("completed", thought), nil), "[]")

	lost := strings.Replace(thought, `"gAAAA+/=="`, `null`, 1)
	is(t, "reasoning that only a server which keeps it could read", responsesReplay(t, items("completed", lost, message, calling), nil), compact)
}

func TestResponsesParts(t *testing.T) {
	m, err := collect(t, openai.NewResponses(at(speaking(items("completed", thought, message, search)))).Stream(t.Context(), ask("?")))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Parts) != 3 || m.Parts[0].Text != "First <b>\n\nthen" || m.Parts[1].Text != "Hi <b>" || m.Parts[2].Type != core.PartOther {
		t.Errorf("%+v", m.Parts)
	}
	for i, want := range []string{thought, message, search} {
		if string(m.Parts[i].Native) != want {
			t.Errorf("native %d is %s", i, m.Parts[i].Native)
		}
	}
}

func TestResponsesDialects(t *testing.T) {
	end := `data: {"type":"response.completed","response":{"status":"completed","output":[` + message + "," + calling + `]}}` + "\n\n"
	tests := []struct {
		name, stream, text, calls, finish string
		code                              core.Code
	}{
		{"items in the end alone", end, "Hi <b>", `x({"a": 1})`, core.FinishToolCall, ""},
		{
			"no heads of items", `data: {"type":"response.output_text.delta","output_index":0,"delta":"Hi <b>"}` + "\n\n" + end,
			"Hi <b>", `x({"a": 1})`, core.FinishToolCall, "",
		},
		{"unknown events", `data: {"type":"response.something.new","x":1}` + "\n\n" + end, "Hi <b>", `x({"a": 1})`, core.FinishToolCall, ""},
		{
			"no arguments", items("completed", strings.Replace(calling, `"{\"a\": 1}"`, `""`, 1)),
			"", `x({})`, core.FinishToolCall, "",
		},
		{
			"half the arguments", items("incomplete", strings.NewReplacer(`"{\"a\": 1}"`, `"{\"a\":"`, "completed", "incomplete").Replace(calling)),
			"", `x!{"a":`, core.FinishLength, "",
		},
		{
			"before the arguments", items("incomplete", strings.NewReplacer(`"{\"a\": 1}"`, `""`, "completed", "incomplete").Replace(calling)),
			"", `x!`, core.FinishLength, "",
		},
		{
			"an item that was never finished", `data: {"type":"response.output_item.added","output_index":0,"item":` + calling + "}\n\n" + items("completed"),
			"", "", "", core.TruncatedStream,
		},
		{
			"a text that was never finished", `data: {"type":"response.output_text.delta","output_index":0,"delta":"Hi"}` + "\n\n" + items("incomplete"),
			"Hi", "", core.FinishLength, "",
		},
		{
			"failed", `data: {"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"it broke"}}}` + "\n\n",
			"", "", "", core.Unavailable,
		},
		{
			"too long", `data: {"type":"error","error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"Your input exceeds the context window"}}` + "\n\n",
			"", "", "", core.ContextOverflow,
		},
		{"an error without a type", `data: {"error":{"message":"overloaded"}}` + "\n\n", "", "", "", core.Overloaded},
		{"an end of the other protocol", "data: [DONE]\n\n", "", "", "", core.TruncatedStream},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := collect(t, openai.NewResponses(at(speaking(test.stream))).Stream(t.Context(), ask("?")))
			if test.code != "" {
				if err == nil || err.Code != test.code {
					t.Errorf("%v, want %s", err, test.code)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if m.Text() != test.text || calls(m) != test.calls || m.FinishReason != test.finish {
				t.Errorf("%q, %s, %s", m.Text(), calls(m), m.FinishReason)
			}
		})
	}
}

func TestResponsesSummaries(t *testing.T) {
	stream := `data: {"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"First "}

data: {"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"<b>"}

data: {"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":1,"delta":"then"}

data: {"type":"response.output_item.done","output_index":0,"item":` + thought + `}

data: {"type":"response.completed","response":{"status":"completed"}}

`
	m, err := collect(t, openai.NewResponses(at(speaking(stream))).Stream(t.Context(), ask("?"))) // compares the pieces with the part
	if err != nil || len(m.Parts) != 1 || m.Parts[0].Type != core.PartReasoning {
		t.Errorf("%v, %+v", err, m.Parts)
	}
}

// A conversation with the fake server, which rejects what OpenAI rejects.
func TestConversation(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		server := fake.New(
			fake.Answer{Reasoning: "I must look.", Text: "Looking.", Calls: []fake.Call{paris, berlin}},
			fake.Answer{Reasoning: "Once more.", Calls: []fake.Call{{ID: "call_C", Name: "now"}}},
			fake.Answer{Text: "It rains."},
			fake.Answer{Text: "You are welcome."},
		)
		e := serving(t, server)
		r := ask("How is the weather?")
		for range 2 {
			for {
				m, err := collect(t, connect(e).Stream(t.Context(), r))
				if err != nil {
					t.Fatal(err)
				}
				r.Messages = append(r.Messages, stored(t, m))
				if m.FinishReason != core.FinishToolCall {
					break
				}
				r.Messages = append(r.Messages, results(m))
			}
			r.Messages = append(r.Messages, providertest.User("Thanks."))
		}
		requests := server.Requests()
		var last struct{ Messages, Input []json.RawMessage }
		if err := json.Unmarshal(requests[len(requests)-1].Body, &last); err != nil {
			t.Fatal(err)
		}
		if n := len(last.Messages) + len(last.Input); n < 8 {
			t.Errorf("the last request has %d messages", n)
		}
		if body := string(requests[3].Body); strings.Contains(body, "gAAAA") != (last.Input != nil) || !strings.Contains(body, "call_C") {
			t.Error(body)
		}
	})
}

// An account that may not receive summaries gets its answer without them, and is not asked again.
func TestSummaryRefused(t *testing.T) {
	server := fake.New(
		fake.Answer{Fault: fake.Fault{Status: 400, Body: `{"error":{"message":"Your organization must be verified to generate reasoning summaries.","type":"invalid_request_error","param":"reasoning.summary","code":"unsupported_value"}}`}},
		fake.Answer{Text: "One."}, fake.Answer{Text: "Two."},
	)
	m := openai.NewResponses(serving(t, server))
	for _, want := range []string{"One.", "Two."} {
		if m, err := collect(t, m.Stream(t.Context(), ask("?"))); err != nil || m.Text() != want {
			t.Errorf("%q, %v", m.Text(), err)
		}
	}
	requests := server.Requests()
	if len(requests) != 3 || !strings.Contains(string(requests[0].Body), "summary") || strings.Contains(string(requests[1].Body)+string(requests[2].Body), "summary") {
		t.Errorf("%d requests", len(requests))
	}
}
