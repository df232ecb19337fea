package launch

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"path/filepath"
	"slices"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// StoredImage returns an image in the library as an upload.
func StoredImage(ctx context.Context, db *sqlite.DB, media *core.Media) (Upload, error) {
	blob, err := db.Blob(ctx, media.Blob)
	if err != nil {
		return Upload{}, err
	}
	return Upload{Name: media.Name, MimeType: media.MimeType, Base64: base64.StdEncoding.EncodeToString(blob.Data)}, nil
}

// ReadImage reads an image from a file. It returns an Invalid error if the file is not an image or is too large.
func ReadImage(path string) (Upload, error) {
	name := filepath.Base(path)
	file, err := core.OpenRegular(path)
	if err != nil {
		return Upload{}, core.Wrap(core.Invalid, err, "read the image %s", name)
	}
	defer func() { _ = file.Close() }() // the file is only read
	data, err := io.ReadAll(io.LimitReader(file, maxUploadBytes+1))
	if err != nil {
		return Upload{}, core.Wrap(core.Invalid, err, "read the image %s", name)
	}
	if len(data) > maxUploadBytes {
		return Upload{}, core.E(core.Invalid, "the image %s is larger than %s", name, humanize.Bytes(maxUploadBytes))
	}
	return ImageOf(name, data)
}

// ImageOf returns the image that data contains. It returns an Invalid error if it is not an image.
func ImageOf(name string, data []byte) (Upload, error) {
	kind := http.DetectContentType(data)
	if !IsImage(kind) {
		return Upload{}, core.E(core.Invalid, "%s is not an image", name).WithHint("PNG, JPEG, GIF and WebP can be sent to models")
	}
	return Upload{Name: name, MimeType: kind, Base64: base64.StdEncoding.EncodeToString(data)}, nil
}

// maxUploadBytes is the largest size of an image that the user can add to a prompt. Providers have lower limits.
const maxUploadBytes = 20 << 20

// Upload is an image that the user adds to a prompt.
type Upload struct {
	Name     string `json:"name"`
	MimeType string `json:"mimeType"`
	Base64   string `json:"base64"`
}

// IsImage reports whether a media type is an image type that models accept.
func IsImage(mimeType string) bool {
	return slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, mimeType)
}
