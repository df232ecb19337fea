package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
)

// maxBlob is the size of the largest content that any version of Coppice stored. A content is read and written as a
// stream, so maxValue does not apply to it.
const maxBlob = 256 << 20

// blob is core.Blob with its size, for users who read the file.
type blob struct {
	Hash      string
	MimeType  string
	SizeBytes int64
	Data      []byte // base64 in JSON
}

// blobHead is a blob without its data, which are the last member.
type blobHead struct {
	Hash      string `json:"hash"`
	MimeType  string `json:"mimeType"`
	SizeBytes int64  `json:"sizeBytes"`
}

// blob writes a blob on one line.
func (w *writer) blob(b blob) {
	head, err := encode(blobHead{b.Hash, b.MimeType, b.SizeBytes})
	if w.err == nil {
		w.err = err
	}
	if w.err != nil {
		return
	}
	w.text(string(head[:len(head)-1]) + `,"data":"`)
	to := base64.NewEncoder(base64.StdEncoding, w.out)
	_, err = to.Write(b.Data)
	if w.err = errors.Join(w.err, err); w.err == nil {
		w.err = to.Close()
	}
	w.text(`"}`)
}

// blobs iterates over a list of blobs. It skips their data unless keep is set.
func (t *text) blobs(ctx context.Context, keep bool, take func(at int64, b blob, misfit error) error) error {
	if next, err := t.peek(""); err != nil || next != '[' {
		if err != nil {
			return err
		}
		return t.misfit("a list of blobs is expected")
	}
	t.at++
	for first := true; ; first = false {
		end, err := t.separator(first, ']')
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || end {
			return err
		}
		at := t.at
		b, err := t.blob(keep)
		if err != nil && !isMisfit(err) {
			return err
		}
		if err := take(at, b, err); err != nil {
			return err
		}
	}
}

// blob reads a blob. A value that is not a blob is read to its end, too, and returned as a misfit.
func (t *text) blob(keep bool) (blob, error) {
	var b blob
	var misfit error
	err := t.members(func(name string) error {
		err := t.blobMember(&b, name, keep)
		if isMisfit(err) {
			misfit, err = cmp.Or(misfit, err), nil
		}
		return err
	})
	if err == nil {
		err = misfit
	}
	return b, err
}

func (t *text) blobMember(b *blob, name string, keep bool) error {
	switch name {
	case "hash":
		return t.value(&b.Hash)
	case "mimeType":
		return t.value(&b.MimeType)
	case "sizeBytes":
		return t.value(&b.SizeBytes)
	case "data":
		var err error
		b.Data, err = t.base64(b.SizeBytes, keep)
		return err
	}
	return t.skip()
}

// base64 reads a string of base64 of about sizeBytes.
func (t *text) base64(sizeBytes int64, keep bool) ([]byte, error) {
	if next, err := t.peek(""); err != nil || next != '"' {
		if err != nil {
			return nil, err
		}
		return nil, t.misfit("data in base64 are expected")
	}
	at := t.at
	in := &quoted{from: bufio.NewReaderSize(&disk{io.NewSectionReader(t.data, at+1, t.size-at-1)}, 64<<10)}
	var data bytes.Buffer
	var err error
	if keep {
		data.Grow(int(max(0, min(sizeBytes, maxBlob, t.size-at))) + bytes.MinRead) // so that it is not copied while it grows
		_, err = io.Copy(&data, io.LimitReader(base64.NewDecoder(base64.StdEncoding, in), maxBlob+1))
	}
	if _, rest := io.Copy(io.Discard, in); errors.Is(rest, errLineEnd) {
		return nil, &problem{at: at, message: "not valid JSON: " + rest.Error()}
	} else if rest != nil {
		return nil, wrong(rest, at)
	}
	t.at += 1 + in.read
	switch {
	case err != nil:
		return nil, &problem{at: at, message: "the data of a blob: " + err.Error(), misfit: true}
	case data.Len() > maxBlob:
		return nil, &problem{at: at, message: "a blob of more than " + humanize.IBytes(maxBlob), misfit: true}
	}
	return data.Bytes(), nil
}

// disk marks errors of reading a file.
type disk struct{ io.Reader }

func (d *disk) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &readError{err}
	}
	return n, err
}

// quoted reads the rest of a JSON string in which only the slash may be escaped, and ends after the closing quotation
// mark. Other escapes stay as they are: base64 has none.
type quoted struct {
	from *bufio.Reader
	read int64 // of the text, the closing mark included
	done bool
}

var errLineEnd = errors.New("a string ends with its line")

func (q *quoted) Read(p []byte) (int, error) {
	if q.done {
		return 0, io.EOF
	}
	if _, err := q.from.Peek(1); err != nil {
		return 0, unexpectedEnd(err)
	}
	ahead, _ := q.from.Peek(min(q.from.Buffered(), len(p)))
	n := bytes.IndexAny(ahead, "\"\\\n")
	if n < 0 {
		n = len(ahead)
	}
	if n > 0 {
		return q.take(copy(p, ahead[:n]))
	}
	switch ahead[0] {
	case '\n':
		return 0, errLineEnd
	case '"':
		q.done = true
		_, _ = q.take(1) // it is in the buffer
		return 0, io.EOF
	}
	escape, err := q.from.Peek(2)
	if err != nil {
		return 0, unexpectedEnd(err)
	}
	_, err = q.take(2)
	if p[0] = '\\'; escape[1] == '/' {
		p[0] = '/'
	}
	return 1, err
}

func (q *quoted) take(n int) (int, error) {
	q.read += int64(n)
	return q.from.Discard(n)
}

func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// blobProblem describes why a blob is left out; empty if it is sound.
func blobProblem(b *blob, misfit error) string {
	switch {
	case misfit != nil && b.Hash != "":
		return fmt.Sprintf("blob %s is left out: %v", core.Preview(b.Hash, 80), misfit)
	case misfit != nil || core.Hash(b.Data) != b.Hash:
		return "a blob is not what its hash says; it is left out"
	}
	return ""
}
