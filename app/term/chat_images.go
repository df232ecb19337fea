package term

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"coppice/app/internal/present"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/launch"
)

// pastedImage is an image that the user has pasted. The prompt gets it if its mark is still in the text.
type pastedImage struct {
	mark  string
	image launch.Upload
}

// image adds an image to the next prompt.
func (c *chat) image(_ context.Context, file string) error {
	image, err := launch.ReadImage(strings.Trim(file, `"'`))
	if err != nil {
		return err
	}
	c.request.Images = append(c.request.Images, image)
	c.Say("The next prompt has %s", present.Count(int64(len(c.request.Images)), "image"))
	return nil
}

// pasted returns what is inserted for a pasted text: a mark if it is the path of an image, else the text.
func (c *chat) pasted(text string) string {
	path := imagePath(text)
	if path == "" {
		return text
	}
	image, err := launch.ReadImage(path)
	if err != nil {
		return text
	}
	return c.markOf(image)
}

// clipboardImage returns the mark of the image in the clipboard of the system.
func (c *chat) clipboardImage(ctx context.Context) (string, error) {
	image, err := readClipboard(ctx)
	if err != nil {
		return "", err
	}
	return c.markOf(image), nil
}

// markOf stores an image for the next prompt, and returns its mark.
func (c *chat) markOf(image launch.Upload) string {
	mark := fmt.Sprintf("[image %d: %s]", len(c.images)+1, present.OneLine(image.Name))
	c.images = append(c.images, pastedImage{mark, image})
	return mark
}

// withImages returns the images of a prompt: those of /image, and those whose mark is in the text.
func (c *chat) withImages(text string) []launch.Upload {
	images := slices.Clip(c.request.Images)
	for _, one := range c.images {
		if strings.Contains(text, one.mark) {
			images = append(images, one.image)
		}
	}
	return images
}

// maxPathBytes is the longest pasted text that is examined as a path.
const maxPathBytes = 4096

// imagePath returns the path that a pasted text consists of, if it ends as the name of an image does: as a terminal inserts a file that is
// dropped on it, or as it is copied from a file manager.
func imagePath(text string) string {
	path := strings.TrimSpace(text)
	if len(path) > maxPathBytes || strings.ContainsAny(path, "\n\t") {
		return ""
	}
	if len(path) > 1 && (path[0] == '"' || path[0] == '\'') && path[len(path)-1] == path[0] {
		path = path[1 : len(path)-1]
	} else if runtime.GOOS != "windows" {
		path = strings.ReplaceAll(path, `\ `, " ")
	}
	if address, err := url.Parse(path); err == nil && address.Scheme == "file" {
		path = address.Path
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return config.HomePath(path)
	}
	return ""
}

// clipboardPatience is how long a program may take to return what is in the clipboard.
const clipboardPatience = 3 * time.Second

// clipboardCommands returns the programs that print the image in the clipboard, in the order in which they are tried.
func clipboardCommands(system string) [][]string {
	switch system {
	case "darwin":
		return [][]string{{"pngpaste", "-"}, {"osascript", "-e", "get the clipboard as «class PNGf»"}}
	case "windows":
		return nil
	default:
		return [][]string{{"wl-paste", "--no-newline", "--type", "image/png"}, {"xclip", "-selection", "clipboard", "-target", "image/png", "-out"}}
	}
}

// readClipboard returns the image in the clipboard of the system.
func readClipboard(ctx context.Context) (launch.Upload, error) {
	ctx, cancel := context.WithTimeout(ctx, clipboardPatience)
	defer cancel()
	var names []string
	for _, command := range clipboardCommands(runtime.GOOS) {
		names = append(names, command[0])
		path, err := exec.LookPath(command[0])
		if err != nil {
			continue
		}
		found, err := exec.CommandContext(ctx, path, command[1:]...).Output() //nolint:gosec // one of clipboardCommands
		if err == nil && len(found) > 0 {
			return launch.ImageOf("clipboard.png", fromAppleScript(found))
		}
		return launch.Upload{}, core.E(core.NotFound, "the clipboard has no image")
	}
	if len(names) == 0 {
		return launch.Upload{}, core.E(core.Unavailable, "images in the clipboard cannot be read on this system; paste the path of a file")
	}
	return launch.Upload{}, core.E(core.Unavailable, "reading an image from the clipboard needs one of: %s", strings.Join(names, ", "))
}

// fromAppleScript returns the bytes of an image that osascript prints as «data PNGf89504E…», or other data as it is.
func fromAppleScript(data []byte) []byte {
	digits, isScript := bytes.CutPrefix(bytes.TrimSpace(data), []byte("«data PNGf"))
	if !isScript {
		return data
	}
	image, err := hex.DecodeString(string(bytes.TrimSuffix(digits, []byte("»"))))
	if err != nil {
		return data
	}
	return image
}
