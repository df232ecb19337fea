package team_test

import (
	"testing"

	"coppice/backend/core"
	"coppice/backend/team"
)

func TestParseChange(t *testing.T) {
	for _, c := range []struct {
		text string
		want team.Change
		ok   bool
	}{
		{"/skip critic", team.Change{Verb: "skip", Agent: "critic"}, true},
		{" /unskip critic\n", team.Change{Verb: "unskip", Agent: "critic"}, true},
		{"/model critic=openai/gpt-5.5", team.Change{Verb: "model", Agent: "critic", Model: "openai/gpt-5.5"}, true},
		{"/model openai/gpt-5.5", team.Change{}, false},
		{"/model critic", team.Change{Verb: "model", Agent: "critic"}, false},
		{"/add review", team.Change{Verb: "add", Agent: "review"}, true},
		{"/add review=script/demo", team.Change{Verb: "add", Agent: "review", Model: "script/demo"}, true},
		{"/skip", team.Change{}, false},
		{"/skip a b", team.Change{}, false},
		{"skip critic", team.Change{}, false},
		{"/usr/bin is a folder", team.Change{}, false},
	} {
		got, ok := team.ParseChange(c.text)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%q: %+v, %v", c.text, got, ok)
		}
	}
}

func TestSkip(t *testing.T) {
	for _, c := range []struct{ selection, agent, why string }{
		{"round_robin", "nobody", `unknown agent "nobody"`},
		{"{strategy: llm, manager: a}", "a", "skip a: the team cannot select agents without it"},
		{"{strategy: adversarial, author: a, critic: b}", "b", "skip b: the team cannot select agents without it"},
		{"{strategy: parallel, join: judge, judge: c}", "c", "skip c: the team cannot select agents without it"},
	} {
		_, err := team.Skip(*read(t, abc+"selection: "+c.selection+"\ntermination: {max_turns: 3}\n"), c.agent, true)
		if err == nil || err.Error() != c.why || core.CodeOf(err) != core.Invalid {
			t.Errorf("%s, %s: %v", c.selection, c.agent, err)
		}
	}
	crew := *read(t, abc+"selection: {strategy: parallel, join: union}\n")
	for _, name := range []string{"a", "b"} {
		var err error
		if crew, err = team.Skip(crew, name, true); err != nil {
			t.Fatal(err)
		}
	}
	if got := team.BranchesOf(&crew, &core.TeamState{}); len(got) != 1 || got[0].Agent != "c" {
		t.Errorf("branches %+v", got)
	}
	if _, err := team.Skip(crew, "c", true); err == nil {
		t.Error("the last agent is skipped")
	}
}
