package query

import (
	"strings"
	"testing"
)

func TestHint(t *testing.T) {
	const always, inVain, never = "always", "in vain", "never"
	for _, test := range []struct{ text, when, says string }{
		{"roles:user error", always, "roles: is not a field and is searched for as a word; did you mean role:?"},
		{"Modell:opus", always, "did you mean model:?"},
		{"(tools:bash OR x) y", always, "did you mean tool:?"},
		{"soruces:codex", always, "did you mean source:?"},
		{"befor:2026", always, "did you mean before:?"},
		{`lable:"two words"`, always, "did you mean label:?"},
		{"role: user", always, "role: has nothing right behind it"},
		{"author:ann", inVain, "author: is not a field and is searched for as a word; the fields are role: tool: model: source: path: file: label: before: after: in: is:"},
		{"foo:bar roles:user", always, "roles: is not a field"},
		{"foo:bar", inVain, "foo: is not a field"},
		{"http://x.org std::vector localhost:8080 C:/x main.go:12 a:b", never, ""},
		{`"roles:user"`, never, ""},
		{"role:user error", never, ""},
		{"roles: role:", never, ""}, // nothing after it yet
		{"in: here is: there", never, ""},
		{"e:f :x : ::", never, ""},
	} {
		q, err := Parse(test.text, Context{Now: now()})
		if err != nil {
			t.Fatalf("%q: %v", test.text, err)
		}
		found, vain := q.Hint(true), q.Hint(false)
		if (found != "") != (test.when == always) || (vain != "") != (test.when != never) || !strings.Contains(vain, test.says) {
			t.Errorf("%q: %q, in vain %q; want %s %q", test.text, found, vain, test.when, test.says)
		}
	}
}
