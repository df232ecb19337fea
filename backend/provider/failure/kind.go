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
func kindOf(status int, r report) kind {
	switch {
	case status == http.StatusPaymentRequired || r.contains(creditWords):
		return noCredit
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return noKey
	case status == http.StatusTooManyRequests:
		return rateLimit
	case status == http.StatusRequestEntityTooLarge || r.contains(overflowWords):
		return overflow
	case r.contains(keyWords):
		return noKey
	case status == http.StatusNotFound && !r.contains(modelWords) && r.plain:
		return noServer
	case status == http.StatusNotFound || r.contains(modelWords):
		return noModel
	case status == 529 || status == http.StatusServiceUnavailable && r.contains(overloadWords):
		return overloaded
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooEarly || status >= 500:
		return broken
	case status >= 400:
		return rejected
	case r.contains(overloadWords):
		return overloaded
	case r.contains(rateWords):
		return rateLimit
	case r.contains(rejectWords):
		return rejected
	default:
		return broken
	}
}

// failure builds the error.
func (c Call) failure(status int, wait time.Duration, r report) *core.Error {
	e := c.describe(kindOf(status, r), status)
	e.RetryAfterMs = wait.Milliseconds()
	if text := c.clean(r.message); text != "" {
		e.Message += ": " + text
	}
	if wait > transport.LongestWait {
		e.Message += fmt.Sprintf("; the server asks to retry after %v", wait.Round(time.Second))
	}
	if id := c.clean(r.request); id != "" {
		e.Message += " (request " + id + ")"
	}
	return e
}

// describe returns the error of a kind, with its hint.
func (c Call) describe(k kind, status int) *core.Error {
	name := c.name()
	switch k {
	case noKey:
		said := name + " rejected the key"
		if c.Endpoint.Key == "" {
			said = name + " requires a key"
		}
		return core.E(core.Auth, "%s", said).WithHint("Set %s", KeyVariable(c.Endpoint.Provider)).WithRemedy(core.SetKey, name)
	case noCredit:
		return core.E(core.Auth, "the account at %s has no credit left", name).WithHint("Add credit there").WithRemedy(core.ChooseModel)
	case rateLimit:
		return core.E(core.RateLimit, "rate limit of %s reached", name)
	case overloaded:
		return core.E(core.Overloaded, "%s is overloaded", name)
	case overflow:
		return core.E(core.ContextOverflow, "the conversation is too long for %s", c.model())
	case noModel:
		return core.E(core.NotFound, "%s has no %s", name, c.model()).WithRemedy(core.ChooseModel)
	case noServer:
		return core.E(core.NotFound, "no model server at %s", c.address()).WithHint("Check the address: most end with /v1")
	case broken:
		if status == 0 {
			return core.E(core.Unavailable, "%s failed", name)
		}
		return core.E(core.Unavailable, "%s failed with status %d", name, status)
	case rejected:
	}
	return core.E(core.Invalid, "%s rejected the request", name)
}

func (c Call) model() string {
	if c.Model == "" {
		return "such model"
	}
	return c.Model
}
