package term

import (
	"context"
	"strings"
	"time"

	"coppice/app/internal/find"
	"coppice/backend/core"
)

// completionTime is how long completion may take after the user presses the Tab key.
const completionTime = 3 * time.Second

// complete returns the completions of the end of a line, and the index of the byte at which they begin.
func (c *chat) complete(ctx context.Context, before string) (from int, all []string) {
	if at := strings.LastIndexAny(before, " \n\t") + 1; strings.HasPrefix(before[at:], "@") {
		return at + 1, c.files(before[at+1:])
	}
	name, rest, hasRest := strings.Cut(before, " ")
	if !strings.HasPrefix(before, "/") || strings.Contains(before, "\n") {
		return 0, nil
	}
	if !hasRest {
		for _, command := range chatCommands() {
			all = append(all, "/"+command.name)
		}
		for _, own := range c.ownCommands() {
			if !isBuiltIn(own.Name) {
				all = append(all, "/"+own.Name)
			}
		}
		return 0, beginning(name, all)
	}
	if name == "/image" {
		return len(name) + 1, c.files(rest)
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	return len(name) + 1, beginning(rest, c.possible(ctx, name))
}

// possible returns the possible arguments of a command.
func (c *chat) possible(ctx context.Context, command string) []string {
	var words []string
	switch command {
	case "/model":
		return c.modelNames(ctx)
	case "/agent":
		if c.ready != nil {
			for _, a := range c.ready.env.AllAgents() {
				words = append(words, a.Name)
			}
		}
	case "/mode":
		for _, mode := range core.Modes() {
			words = append(words, string(mode))
		}
	case "/branch":
		labels, _ := c.db.Labels(ctx, c.session.ID) // on an error there is nothing to offer
		for _, label := range labels {
			words = append(words, label.Text)
		}
	case "/resume":
		sessions, _ := c.db.Sessions(ctx, core.SessionFilter{Limit: listedSessions}) // as above
		short, _ := c.db.ShortIDs(ctx, find.IDs(sessions)...)
		words = append(words, short...)
		for i := range sessions {
			if sessions[i].Name != "" {
				words = append(words, sessions[i].Name)
			}
		}
	}
	return words
}

// modelNames returns the names of the models. It asks the providers once.
func (c *chat) modelNames(ctx context.Context) []string {
	if c.models != nil || c.ready == nil {
		return c.models
	}
	catalog, err := c.ready.env.Registry.Models(ctx)
	if err != nil {
		return nil
	}
	c.models = []string{}
	for _, m := range catalog.Models {
		c.models = append(c.models, m.Provider+"/"+m.ID)
	}
	return c.models
}

// beginning returns the strings that begin with a word.
func beginning(word string, all []string) []string {
	var some []string
	for _, one := range all {
		if strings.HasPrefix(one, word) {
			some = append(some, one)
		}
	}
	return some
}
