package term

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"coppice/app/internal/present"
	"coppice/app/internal/version"
	"coppice/backend/core"
	"coppice/backend/launch"
	"coppice/backend/sqlite"
)

// derivePatience is how long a command waits for what lists show of the sessions of an older version.
const derivePatience = 2 * time.Second

// Derive derives titles and what else lists show of sessions that an older version has stored, as far as that takes little time. The
// next command continues.
func (s *Shell) Derive(ctx context.Context, db *sqlite.DB) error {
	if db.Refusal() != nil {
		return nil // the library is read-only
	}
	return brieflyDo(ctx, derivePatience, func(ctx context.Context) error { return db.Derive(ctx, nil) })
}

// brieflyDo does work that continues with the next command if it does not end in time.
func brieflyDo(ctx context.Context, patience time.Duration, work func(context.Context) error) error {
	brief, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := work(brief)
	if err != nil && ctx.Err() == nil && errors.Is(brief.Err(), context.DeadlineExceeded) {
		return nil
	}
	return err
}

// WriteTitles lets a model write titles once the user has agreed to the cost, and prints them.
func (s *Shell) WriteTitles(ctx context.Context, db *sqlite.DB, request launch.TitleRequest, agreed, asJSON bool) error {
	env, err := launch.New(version.Number, s.Trust).UserEnv(db)
	if err != nil {
		return err
	}
	titles, err := env.Titles(ctx, request)
	if err != nil {
		return err
	}
	s.sayTitles(titles)
	if len(titles.Sessions) > 0 && !agreed {
		if err := s.agreeToTitles(ctx, titles); err != nil {
			return err
		}
	}
	written := []launch.WrittenTitle{}
	cost, failed := spent{}, 0
	for at := range titles.Sessions {
		one, stored, err := titles.Write(ctx, db, at)
		if ctx.Err() != nil || core.CodeOf(err) == core.Auth {
			return err
		}
		cost.add(one.CostNanoUSD)
		switch {
		case err != nil:
			failed++
			s.Say("%s: %s", present.OneLine(titles.Sessions[at].Title), present.OneLine(err.Error()))
		case stored:
			written = append(written, one)
			if asJSON {
				continue
			}
			if err := s.Printf("%s\n", present.OneLine(one.Title)); err != nil {
				return err
			}
		}
	}
	if len(titles.Sessions) > 0 {
		s.Say("wrote %s for %s", present.Count(int64(len(written)), "title"), cost)
	}
	if asJSON {
		if err := s.PrintJSON(written); err != nil {
			return err
		}
	}
	if failed > 0 {
		return core.E(core.Invalid, "no title for %s", present.Count(int64(failed), "session"))
	}
	return nil
}

// spent is the cost of several calls.
type spent struct {
	nanoUSD int64
	partial bool // the cost of some is unknown
}

func (c *spent) add(nanoUSD *int64) {
	if nanoUSD == nil {
		c.partial = true
		return
	}
	c.nanoUSD += *nanoUSD
}

func (c spent) String() string {
	switch {
	case c.partial && c.nanoUSD == 0:
		return "an unknown cost"
	case c.partial:
		return "at least " + present.Money(&c.nanoUSD)
	}
	return present.Money(&c.nanoUSD)
}

// sayTitles prints what is about to be asked and what it costs, and what is left out.
func (s *Shell) sayTitles(t *launch.Titles) {
	cost := "an unknown cost"
	if t.CostNanoUSD != nil {
		cost = "about " + present.Money(t.CostNanoUSD)
	}
	s.Say("%s with %s: about %s for %s", present.Count(int64(len(t.Sessions)), "title"), t.Model, present.Count(t.Tokens, "token"), cost)
	for _, skip := range []struct {
		reason launch.TitleSkip
		words  string
	}{
		{launch.TitleOfUser, "with a title of your own"},
		{launch.TitlePrivate, "of a server of their own; name them to include them"},
		{launch.TitleEmpty, "without words of a user"},
	} {
		if n := t.Skipped[skip.reason]; n > 0 {
			s.Say("left out: %s %s", present.Count(n, "session"), skip.words)
		}
	}
}

func (s *Shell) agreeToTitles(ctx context.Context, t *launch.Titles) error {
	if s.Prompter == nil {
		return core.E(core.Unconfirmed, "write %s: not confirmed", present.Count(int64(len(t.Sessions)), "title")).WithHint("add --yes")
	}
	word, err := s.Prompter.Ask(ctx, fmt.Sprintf("Write %s?  [y] yes  [n] no: ", present.Count(int64(len(t.Sessions)), "title")))
	if word = strings.ToLower(strings.TrimSpace(word)); err != nil || word != "y" && word != "yes" {
		return core.E(core.Canceled, "no title was written")
	}
	return nil
}
