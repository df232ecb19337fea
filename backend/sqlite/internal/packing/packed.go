package packing

import (
	"bytes"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/excerpt"
	"coppice/backend/toolcall"
)

// Packed is a message ready to be written, but for its place.
type Packed struct {
	spilled
	Preview  string
	Answer   string             // the beginning of what a model answers with it; empty: nothing
	Bounded  bool               // its numbers were limited
	Touches  []toolcall.Touch   // the files that its calls ask to change
	Outcomes []toolcall.Outcome // what its results report of such changes
	Hash     int64
	Body     []byte // as it is stored; nil: Group holds it
	Group    *Group

	from, to int // in Group
}

// Pack checks a message, encodes it and compresses its body. A Kind that is left open is KindMessage.
func (c *Codec) Pack(m core.Message) (*Packed, error) {
	p, err := c.PackInto(&Group{}, m)
	if err == nil {
		p.InRow(c)
	}
	return p, err
}

// PackInto is Pack for a message whose body may be added to a group. The caller calls InPack or InRow, after it has closed
// the group.
func (c *Codec) PackInto(g *Group, m core.Message) (*Packed, error) {
	if m.Kind == "" {
		m.Kind = core.KindMessage
	}
	if err := checkMessage(&m); err != nil {
		return nil, err
	}
	bounded := m.Bound()
	m.Estimate = c.Estimate(&m)
	p := &Packed{spilled: Spill(m), Bounded: bounded}
	p.Touches, p.Outcomes = c.Tools.Touches(m.Parts)
	from := len(g.data)
	data, err := EncodeBody(g.data, &p.Message)
	if err != nil {
		return nil, err
	}
	encoded := data[from:]
	p.Preview, p.Answer = excerpt.PreviewAndAnswer(&p.Message)
	p.Hash = ContentHash(&p.Message, encoded)
	if len(encoded) < packedLimit {
		p.Group, p.from, p.to = g, from, len(data)
		g.data, g.UIDs = data, append(g.UIDs, m.UID)
		return p, nil
	}
	small, ok := c.Shrink(encoded)
	if !ok {
		small = bytes.Clone(encoded)
	}
	p.Body = small
	return p, nil
}

func checkMessage(m *core.Message) error {
	kinds := []core.Kind{core.KindMessage, core.KindMeta, core.KindCommand, core.KindCompaction, core.KindBranchSummary}
	roles := []core.Role{core.RoleSystem, core.RoleUser, core.RoleAssistant, core.RoleTool}
	switch {
	case m.UID == "":
		return core.E(core.Invalid, "a message has no uid")
	case !slices.Contains(kinds, m.Kind):
		return core.E(core.Invalid, "message %q is of the unknown kind %q", m.UID, m.Kind)
	case !slices.Contains(roles, m.Role):
		return core.E(core.Invalid, "message %q is of the unknown role %q", m.UID, m.Role)
	}
	return nil
}
