package term

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coppice/app/internal/present"
	"coppice/backend/core"
)

// PrintCheckpoints prints a table of checkpoints, oldest first.
func (s *Shell) PrintCheckpoints(found []core.RunCheckpoint) error {
	t := present.Table{Columns: []present.Column{
		{Title: "CHECKPOINT"}, {Title: "NAME", Flex: true}, {Title: "NODE"}, {Title: "AGENT", Spare: true}, {Title: "MODEL"}, {Title: "MODE"}, {Title: "AGE", Right: true},
	}}
	for i := range found {
		c := &found[i]
		model, mode := cmp.Or(c.State.Model, "no run yet"), string(c.State.Mode)
		if c.Damaged {
			model, mode = "damaged", ""
		}
		t.Add(c.ID, present.OneLine(checkpointName(c)), c.Node, present.OneLine(c.State.Agent.Name), present.OneLine(model), mode, present.Age(s.Now(), c.CreatedAtMs))
	}
	return t.Write(s.Out, s.Width)
}

func checkpointName(c *core.RunCheckpoint) string {
	if c.Name == nil {
		return ""
	}
	return *c.Name
}

// PrintNamed prints what was named, and that restoring it returns there.
func (s *Shell) PrintNamed(c *core.RunCheckpoint) error {
	return s.Printf("%s is checkpoint %s, at %s\n", present.OneLine(checkpointName(c)), c.ID, c.Node)
}

// RestoredLine returns where a session continues after a restore, and with what.
func RestoredLine(done *core.Restored, node core.Message) string {
	at := "before the first message"
	if done.Session.HeadUID != "" {
		at = fmt.Sprintf("from n%d (m%d)", node.Turn, node.Seq)
	}
	words := []string{present.SessionName(done.Session) + " continues " + at}
	switch state := &done.State; {
	case done.Checkpoint.Damaged:
		words = append(words, "the run state of the checkpoint is damaged: the next run has the settings of the last one")
	case state.Model != "":
		for _, setting := range []string{state.Agent.Name, state.Model, state.BaseURL, string(state.Effort), string(state.Mode)} {
			if setting != "" {
				words = append(words, present.OneLine(setting))
			}
		}
	}
	return strings.Join(words, " · ")
}

// checkpoint names the head, or prints the newest checkpoint on the way to it.
func (c *chat) checkpoint(ctx context.Context, name string) error {
	if err := c.there(); err != nil {
		return err
	}
	if name != "" {
		named, err := c.db.NameCheckpoint(ctx, c.session.ID, "", name)
		if err != nil {
			return err
		}
		c.Say("Checkpoint %s: %s (/restore %s returns here)", named.ID, present.OneLine(name), named.ID)
		return nil
	}
	all, err := c.db.Checkpoints(ctx, c.session.ID, core.CheckpointFilter{})
	if err != nil {
		return err
	}
	here := slices.DeleteFunc(all, func(one core.RunCheckpoint) bool { return one.UID != c.session.HeadUID })
	if len(here) == 0 {
		c.Say("This point has no checkpoint; /checkpoint NAME makes one")
		return nil
	}
	return c.PrintCheckpoints(here)
}

func (c *chat) checkpoints(ctx context.Context, _ string) error {
	if err := c.there(); err != nil {
		return err
	}
	found, err := c.db.Checkpoints(ctx, c.session.ID, core.CheckpointFilter{})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		c.Say("No checkpoints yet: each answer of a model is one, and /checkpoint NAME names a point")
		return nil
	}
	return c.PrintCheckpoints(found)
}

// restore returns to a checkpoint, or to the position before the last restore. The settings that the user chose during the chat give way to
// those of the checkpoint.
func (c *chat) restore(ctx context.Context, ref string) error {
	if err := c.there(); err != nil {
		return err
	}
	var done core.Restored
	var err error
	if ref == "--undo" || ref == "undo" {
		done, err = c.db.UndoRestore(ctx, c.session.ID)
	} else {
		done, err = c.db.RestoreCheckpoint(ctx, c.session.ID, ref)
	}
	if err != nil {
		return err
	}
	c.forget()
	c.session = done.Session
	c.request.Model, c.request.BaseURL, c.request.Agent, c.request.Mode, c.request.Effort = "", "", "", "", ""
	var node core.Message
	if done.Session.HeadUID != "" {
		if node, err = c.db.Message(ctx, done.Session.ID, done.Session.HeadUID); err != nil {
			return err
		}
	}
	c.Say("%s", RestoredLine(&done, node))
	return nil
}
