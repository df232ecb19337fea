package prose

import (
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// startsRightToLeft reports whether the first letter of a node is of a script that is written from right to left.
func startsRightToLeft(n ast.Node, source []byte) bool {
	rightToLeft, found := false, false
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		text, ok := n.(*ast.Text)
		if !entering || !ok {
			return ast.WalkContinue, nil
		}
		for _, r := range string(text.Value(source)) {
			if unicode.IsLetter(r) {
				rightToLeft, found = unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko), true
				return ast.WalkStop, nil
			}
		}
		return ast.WalkContinue, nil
	}) // the callback returns no error
	return found && rightToLeft
}
