package soak

import (
	"context"
	"encoding/json"
)

// split copies a session of this actor into a new session, joins the copy to the original as a branch, and hides a
// branch of the copy. The original is unchanged, so the acknowledged data is too.
func (a *actor) split(ctx context.Context) error {
	id := a.imported()
	if id == "" {
		return a.importNew(ctx)
	}
	p, err := a.cli("split", id, "m0", "--json")
	if err != nil || p.code != 0 {
		return err
	}
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(p.out), &made); err != nil {
		return err
	}
	for _, args := range [][]string{{"graft", made.ID, "m0", id}, {"hide", made.ID, "n1"}, {"hide", made.ID, "--undo"}} {
		if a.chance.IntN(2) == 0 {
			continue
		}
		if p, err := a.cli(args...); err != nil || p.code != 0 {
			return err
		}
	}
	return nil
}
