package sqlite

// group adds up. Families come one after the other, so the last one tells whether one is new.
type group struct {
	counts
	sessions int64
	family   int64
}

func (g *group) add(family int64, c *counts) {
	g.addBounded(c)
	if g.family != family || g.sessions == 0 {
		g.family = family
		g.sessions++
	}
}
