package anthropic

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"coppice/backend/lazyregexp"
)

// callIDs gives the tool calls of a conversation ids that the protocol accepts: letters, digits, _ and -, at most 64
// characters, each used once. The same conversation gets the same ids, so that the provider's cache matches the prompt.
type callIDs struct {
	used map[string]bool
	sent map[string]string // from our id to the id that the latest call with it was sent with
}

func newCallIDs() *callIDs {
	return &callIDs{used: map[string]bool{}, sent: map[string]string{}}
}

var allowedID = lazyregexp.New(`^[a-zA-Z0-9_-]{1,64}$`)

// call returns the id to send for a call.
func (c *callIDs) call(id string) string {
	sent := id
	for n := 2; !allowedID.MatchString(sent) || c.used[sent]; n++ {
		sent = digest(id + "#" + strconv.Itoa(n))
	}
	c.used[sent] = true
	c.sent[id] = sent
	return sent
}

// result returns the id to send for the result of the latest call with this id.
func (c *callIDs) result(id string) string {
	if sent, ok := c.sent[id]; ok {
		return sent
	}
	return c.call(id)
}

func digest(id string) string {
	sum := sha256.Sum256([]byte(id))
	return "call_" + hex.EncodeToString(sum[:12])
}

var allowedName = lazyregexp.New(`[^a-zA-Z0-9_-]`)

// toolName converts a tool's name to one that the protocol accepts.
func toolName(name string) string {
	name = allowedName.ReplaceAllString(name, "_")
	if name == "" {
		return "tool"
	}
	return strings.TrimSpace(name[:min(len(name), 128)])
}
