package cli

import (
	"context"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newTagsCmd(s *term.Shell) *cobra.Command {
	name, color, asJSON := "", "", false
	cmd := &cobra.Command{
		Use:   "tags [TAG]",
		Short: "List the tags of all sessions, rename one or set its color",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				if cmd.Flags().Changed("rename") || cmd.Flags().Changed("color") {
					return core.E(core.Invalid, "no tag named").WithHint("coppice tags TAG --rename NAME")
				}
				return listTags(cmd.Context(), s, asJSON)
			}
			return changeTag(cmd.Context(), s, args[0], cmd.Flags().Changed("color"), color, name)
		},
	}
	cmd.Flags().StringVar(&name, "rename", "", "give the tag another `NAME`; of a tag that exists, it takes the sessions")
	cmd.Flags().StringVar(&color, "color", "", "set the `COLOR` of the tag; empty: remove it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func listTags(ctx context.Context, s *term.Shell, asJSON bool) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		tags, err := db.Tags(ctx)
		if err != nil {
			return err
		}
		if asJSON {
			return s.PrintJSON(tags)
		}
		t := present.Table{Columns: []present.Column{{Title: "TAG", Flex: true}, {Title: "COLOR"}, {Title: "SESSIONS", Right: true}}}
		for _, tag := range tags {
			t.Add(tag.Name, string(tag.Color), humanize.Comma(tag.Count))
		}
		return t.Write(s.Out, s.Width)
	})
}

func changeTag(ctx context.Context, s *term.Shell, tag string, colors bool, color, name string) error {
	if !colors && name == "" {
		return core.E(core.Invalid, "nothing to change for tag %q", tag).WithHint("add --rename NAME or --color COLOR")
	}
	return s.With(ctx, func(db *sqlite.DB) error {
		if colors {
			if err := db.ColorTag(ctx, tag, core.Color(color)); err != nil {
				return err
			}
		}
		if name == "" {
			return s.Printf("set the color of %s\n", present.OneLine(tag))
		}
		if err := db.RenameTag(ctx, tag, name); err != nil {
			return err
		}
		return s.Printf("renamed %s to %s\n", present.OneLine(tag), present.OneLine(name))
	})
}
