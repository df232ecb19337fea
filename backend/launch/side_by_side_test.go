package launch_test

import (
	"testing"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
)

func event(kind engine.EventType, role core.Role, uid string) engine.Event {
	return engine.Event{Type: kind, SessionID: "s", Message: &core.Message{
		UID: uid, Role: role, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: "x"}},
	}}
}

// TestSideBySide requires that the other models answer the stored prompt, or without a prompt the message that the session
// continues from, and that they do not start if the first run ends before.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	started := event(engine.EventStarted, "", "")
	prompt := event(engine.EventMessage, core.RoleUser, "prompt")
	answer := event(engine.EventMessage, core.RoleAssistant, "answer")
	for name, c := range map[string]struct {
		request launch.RunRequest
		session core.Session
		events  []engine.Event
		from    string // empty: the others do not start
	}{
		"a prompt":                  {launch.RunRequest{Text: "go"}, core.Session{}, []engine.Event{started, prompt, answer}, "prompt"},
		"a prompt and a queued one": {launch.RunRequest{Text: "go"}, core.Session{}, []engine.Event{started, prompt, answer, event(engine.EventMessage, core.RoleUser, "later")}, "prompt"},
		"ended before the prompt":   {launch.RunRequest{Text: "go"}, core.Session{HeadUID: "head"}, []engine.Event{started}, ""},
		"no prompt, the head":       {launch.RunRequest{}, core.Session{HeadUID: "head"}, []engine.Event{started, answer}, "head"},
		"no prompt, a message":      {launch.RunRequest{FromUID: "m"}, core.Session{HeadUID: "head"}, []engine.Event{started}, "m"},
		"could not start":           {launch.RunRequest{FromUID: "m"}, core.Session{HeadUID: "head"}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.request.Review, c.request.Mode = true, "yolo"
			runs, err := launch.NewSideBySide(c.request, c.session, []string{"one", "two", "three"})
			if err != nil {
				t.Fatal(err)
			}
			if lead := runs.Lead(); lead.Model != "one" || lead.Text != c.request.Text || lead.Aside || !lead.Review {
				t.Errorf("the first run: %+v", lead)
			}
			for _, e := range c.events {
				runs.Observe(e)
			}
			ended := make(chan struct{})
			close(ended)
			others := runs.Others(ended)
			if c.from == "" {
				if len(others) != 0 {
					t.Fatalf("started without a message to answer: %+v", others)
				}
				return
			}
			if len(others) != 2 || others[0].Model != "two" || others[1].Model != "three" {
				t.Fatalf("%+v", others)
			}
			for _, other := range others {
				if other.SessionID != "s" || other.FromUID != c.from || !other.Aside || other.Review || other.Text != "" || other.Mode != "yolo" {
					t.Errorf("%+v, from %s", other, c.from)
				}
			}
		})
	}
}

func TestSideBySideNeedsAModel(t *testing.T) {
	t.Parallel()
	if _, err := launch.NewSideBySide(launch.RunRequest{}, core.Session{}, nil); core.CodeOf(err) != core.Invalid {
		t.Error(err)
	}
}
