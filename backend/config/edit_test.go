package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
)

// userFolder gives the test a folder of the user's configuration with this file, and returns a function that reads it.
func userFolder(t *testing.T, content string) func() string {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	if err := os.MkdirAll(filepath.Join(Folder(), AgentsFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(Path(), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return func() string {
		data, err := os.ReadFile(Path())
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
}

func TestSaveServerKeepsWhatIsHidden(t *testing.T) {
	read := userFolder(t, "# mine\nmcp:\n  notes:\n    command: old\n    timeout: 5s\n    env:\n      TOKEN: s3cret\n      HOST: ${HOST}\n      GONE: x\n")
	set, err := ReadUser()
	if err != nil {
		t.Fatal(err)
	}
	edit := set.Servers()[0]
	if want := map[string]string{"TOKEN": Hidden, "HOST": "${HOST}", "GONE": Hidden}; !reflect.DeepEqual(edit.Env, want) {
		t.Fatalf("env is shown as %v", edit.Env)
	}
	delete(edit.Env, "GONE")
	edit.Command, edit.Args = "npx", []string{"-y", "notes server"}
	if err := SaveServer(edit); err != nil {
		t.Fatal(err)
	}
	want := "# mine\nmcp:\n  notes:\n    command: npx\n    timeout: 5s\n    env:\n      HOST: ${HOST}\n      TOKEN: s3cret\n    args: [\"-y\", notes server]\n"
	if got := strings.ReplaceAll(read(), "'", `"`); got != want && got != strings.ReplaceAll(want, `"-y"`, "-y") {
		t.Errorf("the file is\n%s", got)
	}
	if err := RemoveServer("notes"); err != nil || strings.Contains(read(), "mcp") {
		t.Errorf("%v\n%s", err, read())
	}
}

func TestSaveServerRefusesMistakes(t *testing.T) {
	read := userFolder(t, "model: a/b\n")
	for _, e := range []ServerEdit{
		{Name: "a"}, {Name: "a", Command: "x", URL: "http://b"}, {Name: "a b", Command: "x"}, {Name: "a", URL: "nowhere"}, {Name: "a", Command: "x", Cwd: "here"},
	} {
		if err := SaveServer(e); core.CodeOf(err) != core.Invalid {
			t.Errorf("%+v: %v", e, err)
		}
	}
	if read() != "model: a/b\n" {
		t.Errorf("the file is\n%s", read())
	}
}

func TestSaveProvider(t *testing.T) {
	read := userFolder(t, "providers:\n  mine:\n    headers: {X: y}\n")
	if err := SaveProvider(ProviderEdit{Name: "mine", Protocol: endpoint.OpenAIChat, BaseURL: "http://127.0.0.1:1/v1"}); err != nil {
		t.Fatal(err)
	}
	if err := SaveProvider(ProviderEdit{Name: "other", BaseURL: "https://host/v1", KeyEnv: "OTHER_KEY"}); err != nil {
		t.Fatal(err)
	}
	set, err := ReadUser()
	want := map[string]Provider{
		"mine":  {Protocol: endpoint.OpenAIChat, BaseURL: "http://127.0.0.1:1/v1", Headers: map[string]string{"X": "y"}},
		"other": {BaseURL: "https://host/v1", KeyEnv: "OTHER_KEY"},
	}
	if err != nil || !reflect.DeepEqual(set.Providers, want) {
		t.Fatalf("%v, %+v", err, set.Providers)
	}
	// Without settings nothing of it remains, or it would be a provider without an address.
	if err := SaveProvider(ProviderEdit{Name: "other"}); err != nil || strings.Contains(read(), "other") {
		t.Errorf("%v\n%s", err, read())
	}
	for _, e := range []ProviderEdit{{Name: "My One"}, {Name: "x", BaseURL: "host"}, {Name: "x", BaseURL: "http://h", KeyEnv: "sk-1"}} {
		if err := SaveProvider(e); core.CodeOf(err) != core.Invalid {
			t.Errorf("%+v: %v", e, err)
		}
	}
	if err := RemoveProvider("mine"); err != nil || strings.Contains(read(), "providers") {
		t.Errorf("%v\n%s", err, read())
	}
}

func TestSaveAgent(t *testing.T) {
	userFolder(t, "")
	want := AgentEdit{
		Name: "reviewer", Description: "Reviews", Extends: "build", Prompt: "Review\nthis.", Model: "a/b", Mode: core.ModePlan, Effort: core.EffortLow,
		Tools: []string{"read_*"}, MaxSteps: 7,
	}
	if err := SaveAgent(want); err != nil {
		t.Fatal(err)
	}
	// What the form does not have stays.
	file := filepath.Join(Folder(), AgentsFolder, "reviewer.yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append([]byte("# why\ntimeout: 5m\n"), data...), 0o600); err != nil {
		t.Fatal(err)
	}
	want.Description = ""
	if err := SaveAgent(want); err != nil {
		t.Fatal(err)
	}
	agents, err := UserAgents()
	if err != nil || len(agents) != 1 || !reflect.DeepEqual(agents[0], want) {
		t.Fatalf("%v, %+v", err, agents)
	}
	if data, err = os.ReadFile(file); err != nil || !strings.HasPrefix(string(data), "# why\ntimeout: 5m\n") {
		t.Errorf("%v\n%s", err, data)
	}
	for _, e := range []AgentEdit{
		{Name: "My Agent", Prompt: "x"},
		{Name: "../x", Prompt: "x"},
		{Name: "empty"},
		{Name: "lost", Extends: "nobody"},
		{Name: "x", Prompt: "x", Model: "gpt"},
		{Name: "x", Prompt: "x", Tools: []string{"["}},
		{Name: "x", Extends: "x"},
	} {
		if err := SaveAgent(e); core.CodeOf(err) != core.Invalid {
			t.Errorf("%+v: %v", e, err)
		}
	}
	if err := SaveAgent(AgentEdit{Name: "second", Extends: "reviewer"}); err != nil {
		t.Error(err)
	}
	if err := RemoveAgent("reviewer"); err != nil {
		t.Error(err)
	}
	if err := RemoveAgent("reviewer"); core.CodeOf(err) != core.NotFound {
		t.Error(err)
	}
}

func TestTrustedFolders(t *testing.T) {
	userFolder(t, "")
	here, once, answers := t.TempDir(), t.TempDir(), &Answers{}
	for path, answer := range map[string]Answer{here: AnswerYes, "/nowhere/at/all": AnswerNo} {
		if err := answers.Remember(path, "x", answer); err != nil {
			t.Fatal(err)
		}
	}
	if err := answers.Remember(once, "x", AnswerOnce); err != nil {
		t.Fatal(err)
	}
	got, err := answers.List()
	want := map[TrustedFolder]bool{{Resolved(here), AnswerYes, false}: true, {Resolved("/nowhere/at/all"), AnswerNo, true}: true, {Resolved(once), AnswerOnce, false}: true}
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v, %+v", err, got)
	}
	for _, one := range got {
		if !want[one] {
			t.Errorf("unexpected %+v", one)
		}
	}
	if err := answers.Remember(here, "", ""); err != nil {
		t.Fatal(err)
	}
	if got, err = answers.List(); err != nil || len(got) != 2 {
		t.Errorf("%v, %+v", err, got)
	}
}
