package window

import (
	"context"
	"strings"

	"coppice/backend/launch"

	"coppice/app/internal/guard"

	"coppice/backend/lists"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// Prompt is what a message says, as the composer takes it.
type Prompt struct {
	UID       string          `json:"uid"`
	ParentUID string          `json:"parentUid"` // empty: it begins a tree
	Turn      int64           `json:"turn"`
	Text      string          `json:"text"` // whole
	Images    []launch.Upload `json:"images"`
}

// GetPrompt returns what a message says, to be edited.
func (b *Bindings) GetPrompt(sessionID, uid string) (Prompt, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (Prompt, error) {
		message, err := db.Message(ctx, sessionID, uid)
		if err != nil {
			return Prompt{}, err
		}
		if err := db.Hydrate(ctx, &message); err != nil {
			return Prompt{}, err
		}
		prompt := Prompt{UID: message.UID, ParentUID: message.ParentUID, Turn: message.Turn, Images: []launch.Upload{}}
		var texts []string
		for i := range message.Parts {
			switch part := &message.Parts[i]; {
			case part.Type == core.PartText:
				texts = append(texts, part.Text)
			case part.Type == core.PartMedia && part.Media != nil && part.Media.Blob != "":
				image, err := launch.StoredImage(ctx, db, part.Media)
				if err != nil {
					return prompt, err
				}
				prompt.Images = append(prompt.Images, image)
			}
		}
		prompt.Text = strings.Join(texts, "\n\n")
		return prompt, nil
	})
}

// ReadImages reads image files that a person dropped on the composer. Invalid where one is no image that models take.
func (b *Bindings) ReadImages(paths []string) (images []launch.Upload, err error) {
	err = guard.Run(func() error {
		for _, path := range paths {
			if sqlite.Owns(b.library.where(), path) { // whoever closes it may take away SQLite's locks on it
				return core.E(core.Invalid, "%s is a file of the library", path)
			}
			image, err := launch.ReadImage(path)
			if err != nil {
				return err
			}
			images = append(images, image)
		}
		return nil
	})
	return lists.NonNil(images), err
}

// ListKeys returns which providers have a key and where it is from. No provider is called for it.
func (b *Bindings) ListKeys() ([]launch.KeySource, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]launch.KeySource, error) {
		o, err := b.outfit(ctx, db, "", core.Session{})
		if err != nil {
			return nil, err
		}
		return launch.KeySources(ctx, o.Settings)
	})
}
