package core_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
)

func TestMessageRoundTrip(t *testing.T) {
	const whole = `{"uid":"u1","seq":3,"turn":1,"branch":2,"depth":4,"parentUid":"u0","siblings":2,"siblingIndex":1,` +
		`"role":"assistant","kind":"message","name":"Reviewer","agent":"build","model":"m","parts":[` +
		`{"type":"reasoning","text":"hm <b>","native":{"signature":"SIG=="}},` +
		`{"type":"tool_call","id":"c1","name":"edit","arguments":{"b":1,"a":[1.50,1e3]},"server":true},` +
		`{"type":"tool_result","id":"c1","isError":true,"result":[{"type":"text","text":"ok","later":1}],"structured":[null],"durationMs":5},` +
		`{"type":"media","media":{"mimeType":"image/png","blob":"sha256:00","w":2,"h":1,"alt":"a chart"}},` +
		`{"type":"x_future","text":"t","payload":{"z":0,"a":"<&>"}}],` +
		`"usage":{"inputTokens":5,"outputTokens":6,"native":{"in":5},"audioTokens":7},"costNanoUsd":0,"finishReason":"stop",` +
		`"origin":{"provider":"p","region":"eu"},"createdAtMs":9,"meta":{"k":"v"},"alpha":[],"beta":null}`
	var m core.Message
	if err := json.Unmarshal([]byte(whole), &m); err != nil {
		t.Fatal(err)
	}
	if m.Parts[4].Type != "x_future" || string(m.Parts[4].Extra["payload"]) != `{"z":0,"a":"<&>"}` || len(m.Extra) != 2 {
		t.Fatalf("unknown fields were not kept: %+v", m)
	}
	if m.CostNanoUSD == nil || *m.CostNanoUSD != 0 {
		t.Fatal("a cost of 0 became unknown")
	}
	got, err := m.MarshalJSON()
	if err != nil || string(got) != whole {
		t.Fatalf("%v\n got %s\nwant %s", err, got, whole)
	}
}

func TestPartKeepsWhatDoesNotFit(t *testing.T) {
	tests := map[string]string{
		"known name, other type":     `{"type":"x_future","isError":"no","result":"done","text":{"deep":1}}`,
		"results that are no parts":  `{"type":"tool_result","id":"a","result":[1,"two"]}`,
		"a result within a result":   `{"type":"tool_result","result":[{"type":"tool_result","result":[{"type":"text","text":"x"}]}]}`,
		"half of a media":            `{"type":"media","media":{"mimeType":"image/png","w":"wide"}}`,
		"a name in other case":       `{"type":"text","text":"a","Text":"b"}`,
		"an escaped name":            `{"type":"text","a\"b\u0001":1}`,
		"a huge number":              `{"type":"x","n":123456789012345678901234567890.0001}`,
		"a number too large for int": `{"type":"tool_result","durationMs":1e300}`,
	}
	for name, part := range tests {
		t.Run(name, func(t *testing.T) {
			var p core.Part
			if err := json.Unmarshal([]byte(part), &p); err != nil {
				t.Fatal(err)
			}
			got, err := p.MarshalJSON()
			if err != nil || string(got) != part {
				t.Fatalf("%v\n got %s\nwant %s", err, got, part)
			}
		})
	}
}

func TestMarshalSurvivesBadRawFields(t *testing.T) {
	bad := json.RawMessage("{half \xff")
	m := core.Message{
		UID: "u", Meta: bad, Usage: &core.Usage{Native: bad}, Extra: map[string]json.RawMessage{"later": bad, "uid": json.RawMessage(`"other"`)},
		Parts: []core.Part{{Type: core.PartToolCall, Arguments: bad, Native: bad, Result: []core.Part{{Type: "text", Structured: bad}}, Extra: map[string]json.RawMessage{"x": nil}}},
	}
	data, err := json.Marshal(m)
	if err != nil || !json.Valid(data) {
		t.Fatalf("%s, %v", data, err)
	}
	if n := strings.Count(string(data), `"{half �"`); n != 6 {
		t.Errorf("%d of 6 bad values became strings: %s", n, data)
	}
	if strings.Contains(string(data), "other") || !bytes.Equal(m.Meta, bad) {
		t.Errorf("an extra field replaced a known one, or the message was changed: %s", data)
	}
}

func TestMessageErrorsNameTheField(t *testing.T) {
	for field, data := range map[string]string{
		"seq":   `{"uid":"u","seq":"three"}`,
		"parts": `{"uid":"u","parts":[{"type":5}]}`,
		"usage": `{"uid":"u","usage":{"inputTokens":"many"}}`,
	} {
		var m core.Message
		err := m.UnmarshalJSON([]byte(data))
		if core.CodeOf(err) != core.Invalid || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, data := range []string{``, `null`, `[]`, `"text"`, `{`, `{"a`, `{"a":`, `{"a":1`, `{"a" 1}`, `{"x":{"y":}`} {
		var m core.Message
		_ = m.UnmarshalJSON([]byte(data)) // must return
	}
}

// TestDeepNesting reads what a hostile file may hold: its cost must be proportional to its size.
func TestDeepNesting(t *testing.T) {
	deep := strings.Repeat(`{"type":"tool_result","result":[`, 4_000) + strings.Repeat(`]}`, 4_000)
	var p core.Part
	if err := json.Unmarshal([]byte(deep), &p); err != nil {
		t.Fatal(err)
	}
	got, err := p.MarshalJSON()
	if err != nil || !strings.HasPrefix(string(got), deep[:1000]) {
		t.Fatalf("%.200s, %v", got, err)
	}
}

// FuzzMessageJSON checks that every message that can be read can be written, and that reading it again gives the same
// message and the same bytes.
func FuzzMessageJSON(f *testing.F) {
	f.Add([]byte(`{"uid":"u","parts":[{"type":"text","text":"a"},{"type":"x","y":[1,{"z":"\ud800"}]}],"later":{"a":1}}`))
	f.Add([]byte(`{"parts":[{"type":"tool_result","result":[{"type":"media","media":{"mimeType":"a","q":1}}],"native":{ "a" : 1 }}],"usage":{"u":1}}`))
	f.Add([]byte(`{"Role":"user","role":"user","parts":[{"type":"tool_result","result":[[]],"isError":3}],"origin":{},"meta":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var first core.Message
		if json.Unmarshal(data, &first) != nil {
			return
		}
		written, err := json.Marshal(first)
		if err != nil {
			t.Fatalf("cannot be written: %v", err)
		}
		var second core.Message
		if err := json.Unmarshal(written, &second); err != nil {
			t.Fatalf("cannot be read again: %v\n%s", err, written)
		}
		again, err := json.Marshal(second)
		if err != nil || !bytes.Equal(written, again) {
			t.Fatalf("%v\n%s\n%s", err, written, again)
		}
		if !reflect.DeepEqual(keys(first.Extra), keys(second.Extra)) {
			t.Fatalf("extra fields changed: %v, %v", first.Extra, second.Extra)
		}
	})
}

func keys(m map[string]json.RawMessage) map[string]bool {
	names := map[string]bool{}
	for name := range m {
		names[name] = true
	}
	return names
}
