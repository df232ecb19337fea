// Package window implements the window: the methods that its page calls, the runs that it shows live, files for the page,
// menus and dialogs. It is the only package that uses Wails.
package window

// bindings holds the methods that the page calls, grouped by noun. Each method recovers from panics and returns them as
// errors, because Wails would leave the promise unsettled. Arguments contain no secrets, because Wails logs them.
type bindings struct {
	*program
	*SessionBindings
	*MessageBindings
	*TreeBindings
	*DigestBindings
	*CheckpointBindings
	*TitleBindings
	*TrashBindings
	*CompareBindings
	*SearchBindings
	*StatisticsBindings
	*ComposerBindings
	*RunBindings
	*ImportBindings
	*ExportBindings
	*JobBindings
	*LibraryBindings
	*SettingsBindings
	*ModelBindings
	*AgentBindings
}

// newBindings returns the methods of a window. It opens no library.
func newBindings(h host, window windowStateFile) *bindings {
	p := newProgram(h, window)
	return &bindings{
		program:            p,
		SessionBindings:    &SessionBindings{p},
		MessageBindings:    &MessageBindings{p},
		TreeBindings:       &TreeBindings{p},
		DigestBindings:     &DigestBindings{p},
		CheckpointBindings: &CheckpointBindings{p},
		TitleBindings:      &TitleBindings{p},
		TrashBindings:      &TrashBindings{p},
		CompareBindings:    &CompareBindings{p},
		SearchBindings:     &SearchBindings{p},
		StatisticsBindings: &StatisticsBindings{p},
		ComposerBindings:   &ComposerBindings{p},
		RunBindings:        &RunBindings{p},
		ImportBindings:     &ImportBindings{p},
		ExportBindings:     &ExportBindings{p},
		JobBindings:        &JobBindings{p},
		LibraryBindings:    &LibraryBindings{p},
		SettingsBindings:   &SettingsBindings{p},
		ModelBindings:      &ModelBindings{p},
		AgentBindings:      &AgentBindings{p},
	}
}

// bound returns the structs that Wails binds.
func (b *bindings) bound() []any {
	return []any{
		b.SessionBindings, b.MessageBindings, b.TreeBindings, b.DigestBindings, b.CheckpointBindings, b.TitleBindings, b.TrashBindings, b.CompareBindings, b.SearchBindings, b.StatisticsBindings,
		b.ComposerBindings, b.RunBindings, b.ImportBindings, b.ExportBindings, b.JobBindings, b.LibraryBindings, b.SettingsBindings,
		b.ModelBindings, b.AgentBindings,
	}
}
