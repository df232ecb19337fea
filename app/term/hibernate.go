package term

import (
	"context"
	"errors"
	"time"

	"coppice/app/internal/exit"
	"coppice/app/internal/find"
	"coppice/backend/core"
	"coppice/backend/engine"
)

// patient returns a context that ends after d, unless d is 0, with the Interrupt that hibernates a session.
func patient(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, d, engine.Interrupt{Reason: core.StopHibernated})
}

// isHibernation reports whether an error means that the user did not answer for too long.
func isHibernation(err error) bool {
	stop, ok := errors.AsType[engine.Interrupt](err)
	return ok && stop.Reason == core.StopHibernated
}

// hibernate ends a chat whose user has typed nothing for too long. What is in the line goes to the history.
func (c *chat) hibernate(ctx context.Context, typed string) error {
	if typed != "" && c.editor.Past != nil {
		if err := c.editor.Past.Add(typed); err != nil {
			c.Say("coppice: what is typed cannot be kept for the next chat: %v", err)
		}
	}
	if c.session.ID == "" {
		c.Say("ended: nothing was typed for %s", time.Duration(c.flags.HibernateAfter))
		return exit.Outcome(exit.Partial)
	}
	if err := c.db.Hibernate(ctx, c.session.ID, nil); err != nil {
		return err
	}
	c.Say("Hibernated: session %s is saved; nothing was typed for %s", find.ShortID(ctx, c.db, c.session.ID), time.Duration(c.flags.HibernateAfter))
	return exit.Outcome(exit.Partial)
}
