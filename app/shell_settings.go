package app

// settings reads the configuration for a command and reports what of a workspace's is not used.
func (s *shell) settings(workspace string) (*settings, error) {
	set, err := loadSettings(workspace, s.trust)
	if err != nil {
		return nil, err
	}
	for _, line := range set.ignored {
		s.say("coppice: %s", line)
	}
	if len(set.ignored) > 0 && !set.Trusted {
		s.say("hint: coppice config trust lists what this is, and asks whether you trust the workspace")
	}
	return set, nil
}
