package term

import (
	"context"
	"strings"

	"coppice/backend/core"
	"coppice/backend/launch"
)

// confirm asks the user at the terminal to agree to what a request needs. It returns a Canceled error if the user does
// not agree.
func (s *Shell) confirm(ctx context.Context, o *launch.RunEnv, request *launch.RunRequest, session core.Session) error {
	if s.Prompter == nil {
		return nil
	}
	asked, err := o.Confirmations(ctx, *request, session)
	if err != nil {
		return err
	}
	for _, one := range asked {
		lines := s.Prompter.exactLines(strings.ToUpper(one.Text[:1])+one.Text[1:]+".", "", "")
		if seen, err := s.Prompter.showQuestion(ctx, s.Signals, append([]string{""}, lines...)); err != nil || !seen {
			return launch.Unconfirmed([]launch.Confirmation{one})
		}
		s.Prompter.forgetTyped()
		word, err := s.Prompter.key(ctx, s.Signals, one.Action+"?  [y] yes  [n] no: ")
		if err != nil || word != "y" {
			return launch.Unconfirmed([]launch.Confirmation{one})
		}
		request.Confirmed = append(request.Confirmed, one.Token)
	}
	return nil
}
