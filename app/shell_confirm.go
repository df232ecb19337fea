package app

import (
	"context"
	"strings"

	"coppice/backend/core"
)

// confirm asks the user at the terminal to agree to what a request needs. Canceled where they do not.
func (s *shell) confirm(ctx context.Context, o *outfit, request *RunRequest, session core.Session) error {
	if s.person == nil {
		return nil
	}
	asked, err := o.confirmations(ctx, *request, session)
	if err != nil {
		return err
	}
	for _, one := range asked {
		lines := s.person.exactLines(strings.ToUpper(one.Text[:1])+one.Text[1:]+".", "", "")
		if seen, err := s.person.showQuestion(ctx, append([]string{""}, lines...)); err != nil || !seen {
			return unconfirmed([]Confirmation{one})
		}
		s.person.forgetTyped()
		word, err := s.person.ask(ctx, one.Action+"?  [y] yes  [n] no: ")
		if word = strings.ToLower(strings.TrimSpace(word)); err != nil || word != "y" && word != "yes" {
			return unconfirmed([]Confirmation{one})
		}
		request.Confirmed = append(request.Confirmed, one.Token)
	}
	return nil
}
