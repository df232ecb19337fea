package salvage

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"

	"coppice/backend/sqlite/cryptvfs"
)

const (
	logHeaderBytes   = 32
	frameHeaderBytes = 24
	logMagic         = 0x377f0682 // the lowest bit is set if checksums are of big-endian words
)

// wal is a write-ahead log: where in it the newest committed form of each page lies.
type wal struct {
	file     logFile
	pageSize int
	frames   map[uint32]int64
	pages    uint32 // of the database after the last commit; 0: none
	highest  uint32 // the largest page in frames
}

// logFile is where the pages of a log are read.
type logFile interface {
	io.ReaderAt
	io.Closer
}

// openEncryptedLog reads the log of an unlocked database; nil if it does not exist, or nothing of it can be used.
func openEncryptedLog(path string) (*wal, error) {
	file, err := cryptvfs.OpenLog(path)
	if file == nil || err != nil {
		return nil, err
	}
	w := &wal{file: file, pageSize: file.PageSize(), frames: map[uint32]int64{}}
	pending := map[uint32]int64{}
	for frame := range file.Frames() {
		if frame.Page == 0 || frame.Page > maxPages || frame.Size > maxPages {
			continue
		}
		if pending[frame.Page] = frame.At; frame.Size > 0 {
			w.commit(pending, frame.Size)
		}
	}
	if w.pages == 0 {
		return nil, file.Close()
	}
	return w, nil
}

// openLog reads the log at path; nil if it does not exist, or nothing of it can be used.
func openLog(path string) (*wal, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // it does not exist
	} else if err != nil {
		return nil, err
	}
	w := &wal{file: file, frames: map[uint32]int64{}}
	if !w.read(file) {
		return nil, file.Close()
	}
	return w, nil
}

// read goes through the frames and reports whether there is a committed one. A frame is checked with the checksum of the
// frame before it, so the frames behind a damaged one can still be used.
func (w *wal) read(file *os.File) bool {
	info, err := file.Stat()
	head := make([]byte, logHeaderBytes)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if _, err := w.file.ReadAt(head, 0); err != nil {
		return false
	}
	kind := binary.BigEndian.Uint32(head)
	if w.pageSize = pageSizeOf(binary.BigEndian.Uint32(head[8:])); kind&^1 != logMagic || w.pageSize == 0 {
		return false
	}
	words := binary.ByteOrder(binary.LittleEndian)
	if kind&1 == 1 {
		words = binary.BigEndian
	}
	sum := [2]uint32{binary.BigEndian.Uint32(head[24:]), binary.BigEndian.Uint32(head[28:])}
	pending := map[uint32]int64{}
	frame := make([]byte, frameHeaderBytes+w.pageSize)
	for at := int64(logHeaderBytes); at+int64(len(frame)) <= info.Size(); at += int64(len(frame)) {
		if _, err := w.file.ReadAt(frame, at); err != nil {
			break
		}
		if string(frame[8:16]) != string(head[16:24]) {
			break // written before the log was last begun again
		}
		before := sum
		sum = [2]uint32{binary.BigEndian.Uint32(frame[16:]), binary.BigEndian.Uint32(frame[20:])}
		if checksum(words, checksum(words, before, frame[:8]), frame[frameHeaderBytes:]) != sum {
			continue
		}
		page, commit := binary.BigEndian.Uint32(frame), binary.BigEndian.Uint32(frame[4:])
		if page == 0 || page > maxPages || commit > maxPages {
			continue
		}
		if pending[page] = at + frameHeaderBytes; commit > 0 {
			w.commit(pending, commit)
		}
	}
	return w.pages > 0
}

func (w *wal) commit(pending map[uint32]int64, pages uint32) {
	for page, at := range pending {
		w.frames[page] = at
		delete(pending, page)
	}
	w.pages, w.highest = pages, 0
	for page := range w.frames {
		if page <= pages {
			w.highest = max(w.highest, page)
		}
	}
}

// checksum continues the checksum of the log over data, whose length is a multiple of 8.
func checksum(words binary.ByteOrder, sum [2]uint32, data []byte) [2]uint32 {
	for ; len(data) >= 8; data = data[8:] {
		sum[0] += words.Uint32(data) + sum[1]
		sum[1] += words.Uint32(data[4:]) + sum[0]
	}
	return sum
}
