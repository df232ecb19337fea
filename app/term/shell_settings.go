package term

import "coppice/backend/config"

// Settings reads the configuration for a command and prints which settings of a workspace are not used.
func (s *Shell) Settings(workspace string) (*config.Settings, error) {
	set, err := config.Load(workspace, s.Trust)
	if err != nil {
		return nil, err
	}
	for _, line := range set.Ignored {
		s.Say("coppice: %s", line)
	}
	if len(set.Ignored) > 0 && !set.Trusted {
		s.Say("hint: coppice config trust lists what this is, and asks whether you trust the workspace")
	}
	return set, nil
}
