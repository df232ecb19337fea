// Package texts holds the texts of the window that the page does not draw: dialogs, notifications, and the menu bar of macOS.
package texts

import (
	"strings"
	"sync/atomic"
)

// Texts are in the user's language. The page, which has the catalogues, sends them whenever the language changes.
type Texts struct {
	ChooseFolder     string `json:"chooseFolder"`
	ChooseWatchFile  string `json:"chooseWatchFile"`
	ChooseWatchPlace string `json:"chooseWatchPlace"`
	ChooseForPage    string `json:"chooseForPage"`
	ImportFiles      string `json:"importFiles"`
	ImportFolder     string `json:"importFolder"`
	Export           string `json:"export"`
	ExportStatistics string `json:"exportStatistics"`
	BackUp           string `json:"backUp"`
	Sessions         string `json:"sessions"` // with {{patterns}}
	Images           string `json:"images"`
	AllFiles         string `json:"allFiles"`
	Open             string `json:"open"`
	Save             string `json:"save"`
	Cancel           string `json:"cancel"`

	CloseTitle   string `json:"closeTitle"`
	CloseOne     string `json:"closeOne"` // the question while one session runs
	CloseSeveral string `json:"closeSeveral"`
	StopAndClose string `json:"stopAndClose"`
	KeepRunning  string `json:"keepRunning"`

	RunWaits       string `json:"runWaits"` // with {{question}}
	RunDone        string `json:"runDone"`
	RunStopped     string `json:"runStopped"`
	RunFailed      string `json:"runFailed"`
	RunInterrupted string `json:"runInterrupted"`
	RunHibernated  string `json:"runHibernated"`
	CouldNotWake   string `json:"couldNotWake"` // with {{message}}

	// Menu has the titles of the menu bar and of its entries, by their English ones.
	Menu map[string]string `json:"menu"`
}

// English returns the texts until the page has sent those of the user's language.
func English() Texts {
	return Texts{
		ChooseFolder: "Choose the folder to work in", ChooseWatchFile: "Choose the file to watch", ChooseWatchPlace: "Choose the folder to watch",
		ChooseForPage: "Choose files", ImportFiles: "Import session files", ImportFolder: "Import a folder of sessions",
		Export: "Export", ExportStatistics: "Export statistics", BackUp: "Back up library",
		Sessions: "Sessions ({{patterns}})", Images: "Images", AllFiles: "All files", Open: "Open", Save: "Save", Cancel: "Cancel",
		CloseTitle:   "Stop and close?",
		CloseOne:     "A session is running. Stop and close? What is finished is kept, and the work can be continued later.",
		CloseSeveral: "Several sessions are running. Stop and close? What is finished is kept, and the work can be continued later.",
		StopAndClose: "Stop and close", KeepRunning: "Keep running",
		RunWaits: "Waits for you: {{question}}", RunDone: "The run is done", RunStopped: "The run was stopped", RunFailed: "The run failed",
		RunInterrupted: "The run was interrupted", RunHibernated: "The session hibernates", CouldNotWake: "Could not wake the session: {{message}}",
		Menu: map[string]string{},
	}
}

// Fill returns a text with a value in the place of its placeholder.
func Fill(text, name, value string) string { return strings.ReplaceAll(text, "{{"+name+"}}", value) }

// MenuTitle returns the title of a menu or of an entry.
func (t Texts) MenuTitle(english string) string {
	if title := t.Menu[english]; title != "" {
		return title
	}
	return english
}

// Shown holds the texts of the language on screen. Its zero value holds the English ones. It is safe for concurrent use.
type Shown struct{ now atomic.Pointer[Texts] }

// Now returns the texts.
func (s *Shown) Now() Texts {
	if now := s.now.Load(); now != nil {
		return *now
	}
	return English()
}

// Set replaces the texts. An empty one is an English one: the page may be of another version.
func (s *Shown) Set(next Texts) {
	next = withEnglish(next)
	s.now.Store(&next)
}
