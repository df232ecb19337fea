package packing

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

func TestReferenceSurvives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(0, inflateLimit).Draw(t, "from")
		want := Reference{Pack: rapid.Int64Min(0).Draw(t, "pack"), From: from, To: from + rapid.IntRange(0, inflateLimit).Draw(t, "size")}
		if got, ok := ParseReference(want.Encode()); !ok || got != want {
			t.Errorf("%+v, %v, want %+v", got, ok, want)
		}
	})
}

func TestParseReferenceRefuses(t *testing.T) {
	for _, stored := range []string{
		"", "{}", "\x28\xb5\x2f\xfd", "\x01", "\x01\x02\x02", "\x01\x02\x02\x02\x02", "\x01\x01\x02\x02",
		"\x01\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x02",
	} {
		if ref, ok := ParseReference([]byte(stored)); ok {
			t.Errorf("%q is the reference %+v", stored, ref)
		}
	}
}

// FuzzParseReference expects that no reference leads outside of a pack.
func FuzzParseReference(f *testing.F) {
	c, err := NewCodec(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{1, 2, 2, 2})
	f.Add([]byte{1, 2, 200, 1, 2})
	f.Fuzz(func(t *testing.T, stored []byte) {
		ref, ok := ParseReference(stored)
		if !ok {
			return
		}
		if _, err := c.Read(NewPack([]byte("a pack that is no frame")).Body(ref)); err != nil && core.CodeOf(err) != core.Corrupt {
			t.Error(err)
		}
	})
}

// TestSalvageReadsBeginning cuts a pack: the bodies before the cut can be read, but only by the caller that compares hashes.
func TestSalvageReadsBeginning(t *testing.T) {
	c, err := NewCodec(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := &Group{}
	var packed []*Packed
	for i := range 2000 {
		m := core.Message{UID: fmt.Sprint("u", i), Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: core.Hash([]byte{byte(i), byte(i >> 8)})}}}
		p, err := c.PackInto(g, m)
		if err != nil {
			t.Fatal(err)
		}
		packed = append(packed, p)
	}
	g.Close(c)
	last := len(packed) - 1
	for _, p := range packed {
		p.InPack(3)
	}
	damaged := NewPack(g.Frame[:len(g.Frame)*9/10])
	for i, readable := range map[int]bool{0: true, 500: true, last: false} {
		ref, ok := ParseReference(packed[i].Body)
		if !ok {
			t.Fatalf("message %d has no reference", i)
		}
		whole := core.Message{}
		if err := c.Verify(NewPack(g.Frame).Body(ref), &whole, packed[i].Hash); core.CodeOf(err) == core.Corrupt && len(whole.Parts) == 0 {
			t.Errorf("message %d of a sound pack: %v", i, err)
		}
		if _, err := c.Read(damaged.Body(ref)); err == nil {
			t.Errorf("message %d of a damaged pack is read as if nothing was wrong", i)
		}
		body, err := c.Salvage(damaged.Body(ref))
		if readable != (err == nil) {
			t.Errorf("message %d of a damaged pack: %v", i, err)
		}
		if readable && ContentHash(&packed[i].Message, body) != packed[i].Hash {
			t.Errorf("message %d of a damaged pack has another content", i)
		}
	}
}
