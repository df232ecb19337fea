package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"coppice/app/internal/formats"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/sqlite"
	"coppice/backend/sqlite/keyslot"
)

// encryptedLimit is how much longer an operation may take on an encrypted library.
const encryptedLimit = 1.25

// contestant is a library, plain or encrypted, on which the same operations are measured.
type contestant struct {
	db      *sqlite.DB
	path    string
	session string
	appends int
	imports int
}

// openContestant makes a library with sessions and a chain of messages.
func openContestant(ctx context.Context, p plan, folder, name string, encrypted bool) (c *contestant, err error) {
	c = &contestant{path: filepath.Join(folder, name+".db")}
	if encrypted {
		err = createEncrypted(c.path)
	}
	if err == nil {
		c.db, err = sqlite.Open(ctx, c.path, sqlite.Options{})
	}
	if err != nil {
		return nil, err
	}
	for i := range p.size(500) {
		if _, err := addChain(ctx, c.db, fmt.Sprint(name, i), 20); err != nil {
			return nil, err
		}
	}
	if c.session, err = addChain(ctx, c.db, name, p.size(50_000)); err != nil {
		return nil, err
	}
	return c, c.db.Index(ctx, nil)
}

func createEncrypted(path string) error {
	return sqlite.CreateEncrypted(path, keyslot.New(), sqlite.Secret{Kind: core.KeyKeyring, Text: keyslot.NewKeyringText()})
}

func (c *contestant) importInto(ctx context.Context, p plan, folder string, encrypted bool) error {
	c.imports++
	path := filepath.Join(folder, fmt.Sprintf("import-%v-%d.db", encrypted, c.imports))
	if encrypted {
		if err := createEncrypted(path); err != nil {
			return err
		}
	}
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	if _, err := (&importer.Importer{Library: db, Formats: formats.All()}).Import(ctx, []string{p.samples}, ""); err != nil {
		return err
	}
	return db.Close()
}

func (c *contestant) append(ctx context.Context) error {
	c.appends++
	m := message(c.appends)
	m.UID, m.ParentUID = fmt.Sprintf("a%d", c.appends), ""
	_, err := c.db.Append(ctx, c.session, m)
	return err
}

func (c *contestant) window(ctx context.Context, n int) error {
	_, err := c.db.Window(ctx, c.session, "", int64(rand.IntN(n-100)), 50) //nolint:gosec // any place does
	return err
}

func (c *contestant) search(ctx context.Context) error {
	_, err := c.db.Search(ctx, core.SearchQuery{Text: "fox rests", Limit: 20})
	return err
}

func (c *contestant) list(ctx context.Context) error {
	_, err := c.db.Sessions(ctx, core.SessionFilter{Limit: 100})
	return err
}

// reopen starts as a process does: nothing is cached.
func (c *contestant) reopen(ctx context.Context) (err error) {
	if err := c.db.Close(); err != nil {
		return err
	}
	if c.db, err = sqlite.Open(ctx, c.path, sqlite.Options{}); err != nil {
		return err
	}
	return c.list(ctx)
}

// measureEncrypted compares an encrypted with a plain library.
func measureEncrypted(ctx context.Context, p plan, folder string) ([]row, error) {
	plain, err := openContestant(ctx, p, folder, "plain", false)
	if err != nil {
		return nil, err
	}
	defer plain.db.Close()
	sealed, err := openContestant(ctx, p, folder, "encrypted", true)
	if err != nil {
		return nil, err
	}
	defer sealed.db.Close()
	var rows []row
	for _, step := range []struct {
		what  string
		times int
		run   func(c *contestant) error
	}{
		{"import", 3, func(c *contestant) error { return c.importInto(ctx, p, folder, c == sealed) }},
		{"append a message", 300, func(c *contestant) error { return c.append(ctx) }},
		{"search", 50, func(c *contestant) error { return c.search(ctx) }},
		{"list 100 sessions", 200, func(c *contestant) error { return c.list(ctx) }},
		{"read 50 messages", 300, func(c *contestant) error { return c.window(ctx, p.size(50_000)) }},
		{"open and list", 20, func(c *contestant) error { return c.reopen(ctx) }},
	} {
		a, b := &sample{run: func() error { return step.run(plain) }}, &sample{run: func() error { return step.run(sealed) }}
		if err := alternate(ctx, step.times, a, b); err != nil {
			return rows, err
		}
		rows = append(rows, compare(step.what+", encrypted", b, "plain:", a, encryptedLimit))
	}
	return rows, nil
}
