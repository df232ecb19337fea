package title

import (
	"regexp"
	"sync"
)

// pattern returns a regular expression. It is compiled when it is first needed: most commands of a short life need none, and compiling all
// of them takes half a millisecond.
type pattern func() *regexp.Regexp

// later returns the pattern of an expression.
func later(expression string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
