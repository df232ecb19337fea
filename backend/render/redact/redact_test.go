package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

func TestText(t *testing.T) {
	// Keys are composed here, so that no scanner takes this file for a leak.
	long := strings.Repeat("a1B2", 12)
	cases := []struct{ name, in, want string }{
		{"OpenAI", "use sk-" + "proj-" + long + ".", "use [redacted secret 1]."},
		{"Anthropic", "sk-" + "ant-api03-" + long, "[redacted secret 1]"},
		{"GitHub", "x=ghp_" + long[:36], "x=[redacted secret 1]"},
		{"AWS", "AKIA" + strings.Repeat("Z", 16), "[redacted secret 1]"},
		{"web token", "eyJ" + long + ".eyJ" + long + "." + long, "[redacted secret 1]"},
		{"PEM", "a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb", "a\n[redacted secret 1]\nb"},
		{"cut PEM", "-----BEGIN PRIVATE KEY-----\nMII", "[redacted secret 1]"},
		{"public key stays", "-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----"},
		{"header", "Authorization: Bearer abc.def-123", "Authorization: Bearer [redacted secret 1]"},
		{"curl", `-H "Authorization: Basic dXNlcjpwYXNz"`, `-H "Authorization: Basic [redacted secret 1]"`},
		{"setting", "api_key: abcd1234\nDB_PASSWORD=hunter", "api_key: [redacted secret 1]\nDB_PASSWORD=[redacted secret 2]"},
		{"quoted", `secret = "correct-horse"`, `secret = "[redacted secret 1]"`},
		{"address", "postgres://ann:pass@db/x", "postgres://ann:[redacted secret 1]@db/x"},
		{"code stays", "token := readToken1(x)\npassword = getPassword()\nmaxTokens: 4096\nsecret: ${SECRET}", "token := readToken1(x)\npassword = getPassword()\nmaxTokens: 4096\nsecret: ${SECRET}"},
		{"prose stays", "The token is a word; keys = none.", "The token is a word; keys = none."},
		{"homes", "/home/ann/a /Users/bob/b C:\\Users\\eve\\c \"/home/ann\" file:///home/ann/x", "~/a ~/b ~\\c \"~\" file://~/x"},
		{"folders of Claude Code", "~/.claude/projects/-home-ann-app/x", "~/.claude/projects/~-app/x"},
		{"no homes", "/usr/home/x ./home/ann https://e.org/homepage", "/usr/home/x ./home/ann https://e.org/homepage"},
		{"mail", "ann@example.org, bob@example.org, ann@example.org", "[redacted email 1], [redacted email 2], [redacted email 1]"},
		{"versions stay", "lodash@4.17.21 @types/node", "lodash@4.17.21 @types/node"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			r := New()
			got := r.Text(tc.in)
			if got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
			if again := r.Text(got); again != got {
				t.Errorf("a second time: %s", again)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	cases := []struct{ in, want string }{
		{`{"password":"short","b":[1,null,"x"]}`, `{"password":"[redacted secret 1]","b":[1,null,"x"]}`},
		{`{"apiKey": {"token" : "abcd"}, "tokens": "abcd"}`, `{"apiKey": {"token" : "[redacted secret 1]"}, "tokens": "abcd"}`},
		{`{"a":"x\n\/home/ann/b \u0022"}`, `{"a":"x\n~/b \""}`},
		{`{"a":"\u003cb\u003e"}`, `{"a":"\u003cb\u003e"}`},
		{`"ann@example.org"`, `"[redacted email 1]"`},
		{``, ``},
	}
	for _, tc := range cases {
		if got := string(New().JSON(json.RawMessage(tc.in))); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.in, got, tc.want)
		}
	}
}

func TestJSONStaysValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := map[string]string{
			rapid.SampledFrom([]string{"token", "a", `x"y`, "password"}).Draw(t, "name"): rapid.String().Draw(t, "value") +
				rapid.SampledFrom([]string{"", ` "a@b.co`, `\/home/ann/`, "\x00"}).Draw(t, "end"),
		}
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		r := New()
		once := r.JSON(data)
		if !json.Valid(once) {
			t.Fatalf("%s became %s", data, once)
		}
		if twice := r.JSON(once); string(twice) != string(once) {
			t.Fatalf("%s, a second time %s", once, twice)
		}
	})
}

func TestMessageReachesEveryField(t *testing.T) {
	leak := "ann@example.org"
	data := json.RawMessage(`{"a":"` + leak + `"}`)
	part := func() core.Part {
		return core.Part{
			Text: leak, Arguments: data, Structured: data, Native: data, Extra: map[string]json.RawMessage{"x": data},
			Media: &core.Media{Name: leak, URI: "mailto:" + leak},
		}
	}
	nested := part()
	nested.Result = []core.Part{part()}
	m := core.Message{
		Name: leak, Error: leak, Meta: data, Extra: map[string]json.RawMessage{"x": data, "token": json.RawMessage(`"abcd"`)},
		Usage: &core.Usage{Native: data}, Parts: []core.Part{nested},
	}
	r := New()
	got, err := json.Marshal(r.Message(m))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(got), leak) || strings.Contains(string(got), "abcd") {
		t.Errorf("leaks: %s", got)
	}
	if m.Parts[0].Result[0].Text != leak || m.Parts[0].Media.Name != leak || string(m.Usage.Native) != string(data) {
		t.Error("the message given was changed")
	}
	if r.Counts()[Email] != 19 || r.Counts()[Secret] != 1 {
		t.Errorf("counted %v", r.Counts())
	}
}

func TestSessionAndTree(t *testing.T) {
	leak := "/home/ann/x"
	tree := core.Tree{
		Session: core.Session{Title: leak, Task: leak, Name: leak, SourcePath: leak, WorkspacePath: leak, FilesModified: []string{leak}, Meta: []byte(`"` + leak + `"`)},
		Turns:   []core.Turn{{Preview: leak, Label: leak}},
	}
	r := New()
	got, err := json.Marshal(r.Tree(tree))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(got), "ann") || tree.Session.FilesModified[0] != leak || tree.Turns[0].Label != leak {
		t.Errorf("%s", got)
	}
}

func TestBlob(t *testing.T) {
	picture := core.Blob{Hash: "sha256:a", MimeType: "image/png", Data: []byte("\x89PNG\x00 ann@example.org")}
	text := core.Blob{Hash: "sha256:b", MimeType: "text/plain", Data: []byte("to ann@example.org")}
	r := New()
	if got := r.Blob(picture); got.Hash != picture.Hash || string(got.Data) != string(picture.Data) {
		t.Errorf("a picture became %+v", got)
	}
	if got := r.Blob(text); string(got.Data) != "to [redacted email 1]" || got.Hash != core.Hash(got.Data) {
		t.Errorf("a text became %q, %s", got.Data, got.Hash)
	}
}

func FuzzText(f *testing.F) {
	f.Add("000000000000 /home/0-----BEGIN PRIVATE KEY-----")
	f.Add("token=abc123 /home/ann ann@example.org -----BEGIN PRIVATE KEY-----")
	f.Fuzz(func(t *testing.T, text string) {
		r := New()
		once := r.Text(text)
		if twice := r.Text(once); twice != once && strings.Count(once, "[redacted") == strings.Count(twice, "[redacted") {
			t.Errorf("%q, a second time %q", once, twice)
		}
	})
}

// TestNameBesideKey checks that a home folder is found whose name runs into a key.
func TestNameBesideKey(t *testing.T) {
	got := New().Text("see /home/ann-----BEGIN PRIVATE KEY-----\nabc")
	if want := "see ~[redacted secret 1]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
