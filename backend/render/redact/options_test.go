package redact

import (
	"strings"
	"testing"
)

func TestOwnWords(t *testing.T) {
	r := With(Options{Words: []string{"Falcon", "falcon heavy", " ", "Größe"}})
	for text, want := range map[string]string{
		"Project FALCON, the FalconApi":       "Project [redacted word 1], the [redacted word 2]Api",
		"the Falcon Heavy":                    "the [redacted word 3]",
		"die Größe":                           "die [redacted word 4]",
		"nothing":                             "nothing",
		"mail falcon@example.org about falco": "mail [redacted email 1] about falco",
	} {
		r := With(Options{Words: []string{"Falcon", "falcon heavy", " ", "Größe"}})
		got := r.Text(text)
		if strings.Contains(strings.ToLower(got), "falcon") || strings.Contains(got, "Größe") || strings.Count(got, "[redacted") != strings.Count(want, "[redacted") {
			t.Errorf("%q became %q, want something like %q", text, got, want)
		}
	}
	if got := string(r.JSON([]byte(`{"falcon":1,"x":["The FALCON"]}`))); strings.Contains(strings.ToLower(got), "falcon") {
		t.Errorf("JSON: %s", got)
	}
}

func TestHitsAndWhatStays(t *testing.T) {
	var hits []Hit
	text := "first line\nask ann@example.org about it\nask ann@example.org, or bob@example.org"
	r := With(Options{OnHit: func(h Hit) { hits = append(hits, h) }})
	r.Text(text)
	if len(hits) != 3 || hits[0].ID != hits[1].ID || hits[0].ID == hits[2].ID {
		t.Fatalf("%+v", hits)
	}
	if h := hits[0]; h.Value != "ann@example.org" || h.Kind != Email || h.Before != "ask " || h.After != " about it" {
		t.Errorf("%+v", h)
	}
	r = With(Options{Keep: []string{hits[0].ID}})
	if got := r.Text(text); strings.Count(got, "ann@example.org") != 2 || strings.Contains(got, "bob@") {
		t.Errorf("%s", got)
	}
	if got := string(r.JSON([]byte(`{"password":"ann@example.org"}`))); strings.Contains(got, "ann@") {
		t.Errorf("a value that stays as an address stays as a password: %s", got)
	}
}
