package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// restore makes a backup, lets a process write more, and restores the backup with a process that may be killed or whose
// disk may fail. The library must then be the old or the restored one, and have everything that the backup has.
func (r *run) restore(ctx context.Context, chance *rand.Rand) error {
	backup := filepath.Join(r.work, "restored.db")
	defer os.Remove(backup) //nolint:errcheck // the file does not exist if making it failed
	a := &actor{run: r, name: fmt.Sprintf("%dr", r.figures.rounds), chance: chance}
	calm := append(r.env, roleVar+"="+roleCLI)
	if p, err := start(calm, 0, nil, "db", "backup", backup); err != nil || p.code != 0 {
		return errors.Join(err, r.orComplain(p, "db backup"))
	}
	before := r.snapshot()
	if err := a.write(ctx); err != nil {
		return err
	}
	for text := range r.snapshot() {
		if _, kept := before[text]; !kept {
			r.release(text)
		}
	}
	p, err := a.cli("db", "restore", backup)
	if err != nil {
		return err
	}
	r.figures.restores++
	if err := r.verify(ctx); err != nil {
		return err
	}
	return r.removeAsides(p)
}

// removeAsides removes the files that a restore has set aside. A successful restore must have left at least one.
func (r *run) removeAsides(p process) error {
	asides, err := filepath.Glob(filepath.Join(filepath.Dir(r.library), "coppice.replaced-*"))
	if p.code == 0 && len(asides) == 0 {
		r.complain("db restore kept nothing aside: " + p.out + p.err)
	}
	for _, path := range asides {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// orComplain reports a problem if a process failed without a reason.
func (r *run) orComplain(p process, what string) error {
	if p.code != 0 {
		r.complain(what + ": " + p.out + p.err)
	}
	return nil
}
