package merge

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/search"
)

// item is a message, a record, what a run left, or a content on its way in.
type item struct {
	message *core.IncomingMessage
	packed  *packing.Packed  // nil if the message is known
	words   *search.Postings // those of the message among others; nil: the index has to read the message
	number  int              // of the message in words
	record  *packedRecord
	run     *core.RunItem
	blob    *core.Blob
	err     error // why it cannot be packed
}

// pack packs the item. group and words gather the body and the words of a message.
func (i *item) pack(c *packing.Codec, group *packing.Group, words *search.Postings) {
	defer func() {
		if r := recover(); r != nil {
			i.err = core.E(core.Internal, "store message %q: %v", i.uid(), r)
		}
	}()
	switch {
	case i.record != nil:
		i.err = i.record.pack(c)
	case i.message != nil && !i.message.Known:
		i.packed, i.err = c.PackInto(group, i.message.Message)
		i.message.Parts = nil // the packed one has them
		if i.err == nil {
			if number, ok := search.Gather(i.packed, words); ok {
				i.words, i.number = words, number
			}
		}
	}
}

func (i *item) uid() string {
	if i.message == nil {
		return ""
	}
	return i.message.UID
}

// packedRecord is a record ready to be written.
type packedRecord struct {
	core.Record // without its body
	hash        int64
	body        []byte
}

func (r *packedRecord) pack(c *packing.Codec) error {
	if !json.Valid(r.Body) {
		return core.E(core.Invalid, "the record of line %d is not valid JSON", r.Line)
	}
	r.hash, r.body, r.Body = recordHash(&r.Record), c.Deflate(r.Body), nil
	return nil
}

// recordHash is of what makes a record the same. Whether this version knows it may change, and so may the
// message before it, unless there are no lines to tell two records apart.
func recordHash(r *core.Record) int64 {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", r.Type)
	if r.Line == 0 {
		fmt.Fprintf(h, "%q\n", r.AfterUID)
	}
	h.Write(r.Body)
	return int64(binary.BigEndian.Uint64(h.Sum(nil))) //nolint:gosec // bits, not a number
}
