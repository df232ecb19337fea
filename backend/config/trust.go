package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/adrg/xdg"

	"coppice/backend/core"
)

// Answer is the answer of the user to the question whether a workspace is trusted.
type Answer string

// The answers. The empty one means that the question is open.
const (
	AnswerYes  Answer = "yes"
	AnswerNo   Answer = "no"
	AnswerOnce Answer = "once" // until this process ends
)

// Answers holds the answers. Those that last are in a file beside the library and not in it: a library may come from somebody else. It is
// safe for concurrent use; nil knows only the file.
type Answers struct {
	mu   sync.Mutex
	once map[string]string // what a workspace brings, by the workspace
}

// trustRecord is an answer that lasts. It holds as long as the workspace brings the same.
type trustRecord struct {
	Brings string `json:"brings"` // see settings.digest
	Answer Answer `json:"answer"`
}

// trustPath is where the answers are.
func trustPath() string { return filepath.Join(xdg.DataHome, "coppice", "trust.json") }

// answer returns the answer for a workspace that brings something.
func (t *Answers) answer(workspace, brings string) (Answer, error) {
	workspace = Resolved(workspace)
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.once[workspace] == brings {
			return AnswerOnce, nil
		}
	}
	records, err := readTrust()
	if record := records[workspace]; record.Brings == brings {
		return record.Answer, err
	}
	return "", err
}

// Remember stores an answer; an empty one opens the question again.
func (t *Answers) Remember(workspace, brings string, answer Answer) error {
	workspace = Resolved(workspace)
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.once, workspace)
	if answer == AnswerOnce {
		if t.once == nil {
			t.once = map[string]string{}
		}
		t.once[workspace] = brings
		return nil
	}
	records, err := readTrust()
	if err != nil {
		return err
	}
	records[workspace] = trustRecord{brings, answer}
	if answer == "" {
		delete(records, workspace)
	}
	data, err := json.MarshalIndent(records, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(trustPath(), data)
}

// TrustedFolder is a workspace about which the user has answered whether it is trusted.
type TrustedFolder struct {
	Path    string `json:"path"`
	Answer  Answer `json:"answer"`  // yes, no or once
	Missing bool   `json:"missing"` // the folder does not exist
}

// List returns the answers, sorted by folder.
func (t *Answers) List() ([]TrustedFolder, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	records, err := readTrust()
	if err != nil {
		return nil, err
	}
	answers := map[string]Answer{}
	for path, record := range records {
		answers[path] = record.Answer
	}
	for path := range t.once {
		answers[path] = AnswerOnce
	}
	folders := []TrustedFolder{}
	for _, path := range slices.Sorted(maps.Keys(answers)) {
		_, err := os.Stat(path)
		folders = append(folders, TrustedFolder{path, answers[path], errors.Is(err, fs.ErrNotExist)})
	}
	return folders, nil
}

// readTrust reads the answers, by workspace. A damaged file is an error: what was refused must not count as open.
func readTrust() (map[string]trustRecord, error) {
	records := map[string]trustRecord{}
	data, err := readUserFile(trustPath())
	if err != nil || len(data) == 0 {
		return records, err
	}
	if err := json.Unmarshal(data, &records); err != nil {
		return records, core.E(core.Invalid, "read %s: %v", trustPath(), err).WithHint("remove the file, and the questions are asked again")
	}
	return records, nil
}
