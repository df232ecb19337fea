package core

import (
	"io"
	"io/fs"
	"os"
)

// OpenRegular opens a regular file for reading. A named pipe, a device or a folder is Invalid, and opening it never
// blocks: a pipe without a writer would otherwise block the caller for ever. Use it for every file that another program
// may have created.
func OpenRegular(path string) (*os.File, error) {
	info, err := os.Stat(path) // a device may act on being opened
	if err != nil {
		return nil, err
	}
	if err := CheckRegular(path, info); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	return stillRegular(path, file, err)
}

// OpenRegularIn is OpenRegular for a path below a root. Links cannot lead out of the root.
func OpenRegularIn(root *os.Root, path string) (*os.File, error) {
	info, err := root.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := CheckRegular(path, info); err != nil {
		return nil, err
	}
	file, err := root.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	return stillRegular(path, file, err)
}

// stillRegular closes a file that replaced a regular one between the check and the opening.
func stillRegular(path string, file *os.File, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = CheckRegular(path, info)
	}
	if err != nil {
		_ = file.Close() // nothing was written
		return nil, err
	}
	return file, nil
}

// CheckRegular returns Invalid if a file is not regular, and names its kind.
func CheckRegular(path string, info fs.FileInfo) error {
	kind := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	default:
		kind = "not a regular file"
	}
	return E(Invalid, "read %s: it is %s", path, kind)
}

// ReadRegular returns the bytes of a regular file, see OpenRegular. One of more than maxBytes is Invalid.
func ReadRegular(path string, maxBytes int64) ([]byte, error) {
	file, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	data, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err == nil && int64(len(data)) > maxBytes {
		err = E(Invalid, "read %s: it has more than %d bytes", path, maxBytes)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}
