package failure

import (
	"fmt"
	"net/http"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/transport"
)

// kind is the reason of a failure, in more detail than a core.Code.
type kind int

const (
	rejected kind = iota
	noKey
	noCredit
	rateLimit
	overloaded
	overflow
	noModel
	noServer
	broken
)

// kindOf classifies a failure by the server's text, and by the status if the text is not clear. The status is 0 for an
// error within a stream.
func kindOf(status int, told told) kind {
	switch {
	case status == http.StatusPaymentRequired || told.says(creditWords):
		return noCredit
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return noKey
	case status == http.StatusTooManyRequests:
		return rateLimit
	case status == http.StatusRequestEntityTooLarge || told.says(overflowWords):
		return overflow
	case told.says(keyWords):
		return noKey
	case status == http.StatusNotFound && !told.says(modelWords) && told.plain:
		return noServer
	case status == http.StatusNotFound || told.says(modelWords):
		return noModel
	case status == 529 || status == http.StatusServiceUnavailable && told.says(overloadWords):
		return overloaded
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooEarly || status >= 500:
		return broken
	case status >= 400:
		return rejected
	case told.says(overloadWords):
		return overloaded
	case told.says(rateWords):
		return rateLimit
	case told.says(rejectWords):
		return rejected
	default:
		return broken
	}
}

// failure builds the error.
func (c Call) failure(status int, wait time.Duration, told told) *core.Error {
	e := c.describe(kindOf(status, told), status)
	e.RetryAfterMs = wait.Milliseconds()
	if text := c.clean(told.message); text != "" {
		e.Message += ": " + text
	}
	if wait > transport.LongestWait {
		e.Message += fmt.Sprintf("; it asks to wait %v before the next try", wait.Round(time.Second))
	}
	if id := c.clean(told.request); id != "" {
		e.Message += " (request " + id + ")"
	}
	return e
}

// describe returns the error of a kind, with its hint.
func (c Call) describe(k kind, status int) *core.Error {
	name := c.name()
	switch k {
	case noKey:
		said := name + " refuses the key"
		if c.Endpoint.Key == "" {
			said = name + " wants a key"
		}
		return core.E(core.Auth, "%s", said).WithHint("set %s, or run: coppice config key set %s", KeyVariable(c.Endpoint.Provider), name)
	case noCredit:
		return core.E(core.Auth, "the account at %s has no credit left", name).WithHint("add credit there, or choose another model: coppice models")
	case rateLimit:
		return core.E(core.RateLimit, "%s takes no more calls for now", name)
	case overloaded:
		return core.E(core.Overloaded, "%s is overloaded", name)
	case overflow:
		return core.E(core.ContextOverflow, "the conversation is too long for %s", c.model())
	case noModel:
		return core.E(core.NotFound, "%s has no %s", name, c.model()).WithHint("see what there is: coppice models")
	case noServer:
		return core.E(core.NotFound, "there is no model server at %s", c.address()).WithHint("check the address: most end with /v1")
	case broken:
		if status == 0 {
			return core.E(core.Unavailable, "%s failed", name)
		}
		return core.E(core.Unavailable, "%s failed with status %d", name, status)
	case rejected:
	}
	return core.E(core.Invalid, "%s rejects the request", name)
}

func (c Call) model() string {
	if c.Model == "" {
		return "such model"
	}
	return c.Model
}
