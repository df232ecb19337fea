package app

import "coppice/backend/config"

// settings reads the configuration for a command and reports what of a workspace's is not used.
func (s *shell) settings(workspace string) (*config.Settings, error) {
	set, err := config.Load(workspace, s.trust)
	if err != nil {
		return nil, err
	}
	for _, line := range set.Ignored {
		s.say("coppice: %s", line)
	}
	if len(set.Ignored) > 0 && !set.Trusted {
		s.say("hint: coppice config trust lists what this is, and asks whether you trust the workspace")
	}
	return set, nil
}
