package anthropic

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
)

// callIDs gives the tool calls of a conversation ids that the protocol takes: of letters, digits, _ and -, 64 at
// most, each used once. The same conversation gets the same ids, so that the prompt stays the same for the cache.
type callIDs struct {
	used map[string]bool
	sent map[string]string // by our id: what the latest call with it was sent as
}

func newCallIDs() *callIDs {
	return &callIDs{used: map[string]bool{}, sent: map[string]string{}}
}

var allowedID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

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

var allowedName = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// toolName makes a name that the protocol takes of the name of a tool elsewhere.
func toolName(name string) string {
	name = allowedName.ReplaceAllString(name, "_")
	if name == "" {
		return "tool"
	}
	return strings.TrimSpace(name[:min(len(name), 128)])
}
