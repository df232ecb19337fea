package app

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/render"
)

// Bindings are the methods the window calls. Each is guarded: a panic becomes an error, because
// Wails would leave the promise unsettled. Arguments carry no secrets, because Wails logs them.
type Bindings struct {
	ctx context.Context
}

// SessionPage is a stretch of a list of sessions.
type SessionPage struct {
	Sessions []core.Session `json:"sessions"`
	Total    int64          `json:"total"` // sessions that match, without limit and offset
}

// Location is where a message is to be shown.
type Location struct {
	SessionID string `json:"sessionId"`
	LeafUID   string `json:"leafUid"` // the end of the path to show: the leaf last visited below the message, else the newest
	UID       string `json:"uid"`
	Depth     int64  `json:"depth"` // the message's index on the path
}

// FoundSource is a place on this machine that holds sessions of another tool.
type FoundSource struct {
	Source    core.Source `json:"source"`
	Path      string      `json:"path"`
	Files     int64       `json:"files"`
	SizeBytes int64       `json:"sizeBytes"`
}

// Job is a long work: an import, an export, a check.
type Job struct {
	ID          string        `json:"id"`
	Kind        string        `json:"kind"` // import export backup check
	Progress    core.Progress `json:"progress"`
	Done        bool          `json:"done"`
	Canceled    bool          `json:"canceled"`
	Error       string        `json:"error"` // why it failed; empty otherwise
	Hint        string        `json:"hint"`
	Report      core.Report   `json:"report"` // of an import
	Path        string        `json:"path"`   // of an export: what was written
	StartedAtMs int64         `json:"startedAtMs"`
}

// ExportRequest says what to export.
type ExportRequest struct {
	SessionIDs []string `json:"sessionIds"`
	Format     string   `json:"format"`  // md html json jsonl
	Scope      string   `json:"scope"`   // path alternatives tree
	LeafUID    string   `json:"leafUid"` // the end of the path, where there is one session; empty: the head
	Redact     bool     `json:"redact"`
}

// Settings are what a person sets in the window.
type Settings struct {
	Theme       string `json:"theme"`       // system light dark
	ZoomPercent int64  `json:"zoomPercent"` // 50 to 300
}

// About describes the program and its file.
type About struct {
	Version string     `json:"version"`
	Stats   core.Stats `json:"stats"`
}

// ListSessions returns a page of sessions.
func (b *Bindings) ListSessions(filter core.SessionFilter) (SessionPage, error) {
	return SessionPage{}, nil
}

// GetFacets returns what sessions can be filtered by.
func (b *Bindings) GetFacets() (core.Facets, error) { return core.Facets{}, nil }

// GetSession returns one session by any reference to it.
func (b *Bindings) GetSession(ref string) (core.Session, error) { return core.Session{}, nil }

// RenameSession sets the title.
func (b *Bindings) RenameSession(id, title string) error { return nil }

// PinSessions pins or unpins.
func (b *Bindings) PinSessions(ids []string, pinned bool) error { return nil }

// ArchiveSessions puts sessions into the archive or takes them out.
func (b *Bindings) ArchiveSessions(ids []string, archived bool) error { return nil }

// TrashSessions moves sessions to the trash.
func (b *Bindings) TrashSessions(ids []string) error { return nil }

// RestoreSessions takes sessions out of the trash.
func (b *Bindings) RestoreSessions(ids []string) error { return nil }

// PurgeSessions removes sessions in the trash for good; all of it where ids is empty. It returns how many.
func (b *Bindings) PurgeSessions(ids []string) (int64, error) { return 0, nil }

// GetWindow returns a stretch of the path that ends at leafUID; the path to the head where that is empty.
func (b *Bindings) GetWindow(sessionID, leafUID string, from, limit int64) (render.WindowView, error) {
	return render.WindowView{}, nil
}

// GetToolDetail returns what opens under the tool card of a message's part.
func (b *Bindings) GetToolDetail(sessionID, uid string, part int64) (render.ToolDetail, error) {
	return render.ToolDetail{}, nil
}

// GetMessageMarkdown returns a message as Markdown, for the clipboard.
func (b *Bindings) GetMessageMarkdown(sessionID, uid string) (string, error) { return "", nil }

// GetTree returns the tree of turns.
func (b *Bindings) GetTree(sessionID string) (core.Tree, error) { return core.Tree{}, nil }

// ListSiblings returns the alternatives at a message's place, itself included, in the order of creation.
func (b *Bindings) ListSiblings(sessionID, uid string) ([]core.Sibling, error) { return nil, nil }

// Locate returns where to show a node: a message's uid, m17, n3 or a label.
func (b *Bindings) Locate(sessionID, node string) (Location, error) { return Location{}, nil }

// Visit remembers the leaf a person looks at, so that Locate comes back to it.
func (b *Bindings) Visit(sessionID, leafUID string) error { return nil }

// MoveHead makes the next message a child of the node.
func (b *Bindings) MoveHead(sessionID, node string) (core.Session, error) { return core.Session{}, nil }

// SetLabel names the turn of a message; an empty text removes the name.
func (b *Bindings) SetLabel(sessionID, uid, text string) error { return nil }

// Search looks through the text of messages. A new search ends the one before it with the code canceled.
func (b *Bindings) Search(query core.SearchQuery) ([]core.Hit, error) { return nil, nil }

// FindSources returns the known places on this machine that hold sessions.
func (b *Bindings) FindSources() ([]FoundSource, error) { return nil, nil }

// ChooseFiles opens the system's dialog for files to import; empty when it was closed.
func (b *Bindings) ChooseFiles() ([]string, error) { return nil, nil }

// ChooseFolder opens the system's dialog for a folder to import; empty when it was closed.
func (b *Bindings) ChooseFolder() (string, error) { return "", nil }

// ChooseExportPath opens the system's dialog for the file to write; empty when it was closed.
func (b *Bindings) ChooseExportPath(suggested string) (string, error) { return "", nil }

// StartImport begins to import files and folders and returns the job's id.
func (b *Bindings) StartImport(paths []string) (string, error) { return "", nil }

// StartExport begins an export to a file and returns the job's id.
func (b *Bindings) StartExport(request ExportRequest, path string) (string, error) { return "", nil }

// StartBackup begins to copy the library to a file and returns the job's id.
func (b *Bindings) StartBackup(path string) (string, error) { return "", nil }

// StartCheck begins to check the library and returns the job's id.
func (b *Bindings) StartCheck() (string, error) { return "", nil }

// GetJob returns how a job stands.
func (b *Bindings) GetJob(id string) (Job, error) { return Job{}, nil }

// CancelJob ends a job; what it has finished stays.
func (b *Bindings) CancelJob(id string) error { return nil }

// LoadSamples adds the sample library.
func (b *Bindings) LoadSamples() (core.Report, error) { return core.Report{}, nil }

// GetSettings returns the settings.
func (b *Bindings) GetSettings() (Settings, error) { return Settings{}, nil }

// SetSettings keeps the settings.
func (b *Bindings) SetSettings(settings Settings) error { return nil }

// GetState returns a piece of the window's state, JSON; empty where there is none.
func (b *Bindings) GetState(key string) (string, error) { return "", nil }

// SetState keeps a piece of the window's state, JSON.
func (b *Bindings) SetState(key, value string) error { return nil }

// GetAbout describes the program and its file.
func (b *Bindings) GetAbout() (About, error) { return About{}, nil }

// OpenURL opens a link of the schemes http, https and mailto in the person's browser.
func (b *Bindings) OpenURL(url string) error { return nil }

// RevealFile shows a file that Coppice wrote in the person's file manager.
func (b *Bindings) RevealFile(path string) error { return nil }
