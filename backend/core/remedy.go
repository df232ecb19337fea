package core

import "errors"

// RemedyKind is what helps after an error, if that needs a command, a flag or a button. The backend names the kind; the
// terminal and the window put it into their own words.
type RemedyKind string

// The kinds of remedies, with their arguments.
const (
	SetKey          RemedyKind = "set_key"          // store the key of a provider: its name
	ChooseModel     RemedyKind = "choose_model"     // choose another model
	ListModels      RemedyKind = "list_models"      // list the models
	SetAddress      RemedyKind = "set_address"      // set the address of a model server
	AddProvider     RemedyKind = "add_provider"     // add a provider
	AddModel        RemedyKind = "add_model"        // make a first model available; a model that needs no key
	ListSessions    RemedyKind = "list_sessions"    // list the sessions
	ListNodes       RemedyKind = "list_nodes"       // show the tree of a session: its id, or none
	ListCheckpoints RemedyKind = "list_checkpoints" // list the checkpoints of a session
	CheckLibrary    RemedyKind = "check_library"    // check the library for damage, and recover it
	RecoverLibrary  RemedyKind = "recover_library"  // recover the library, or restore a backup
	RecoverFile     RemedyKind = "recover_file"     // recover a file that no longer looks like a library
	ChooseLibrary   RemedyKind = "choose_library"   // open another library
	ChooseOutput    RemedyKind = "choose_output"    // write to another file
	CloseLibrary    RemedyKind = "close_library"    // close the library in other processes
	UnlockLibrary   RemedyKind = "unlock_library"   // unlock the library, which is encrypted
	TakeOver        RemedyKind = "take_over"        // end a run of another machine
	NameWorkspace   RemedyKind = "name_workspace"   // agree to a workspace, or name another one: its path
	NameProject     RemedyKind = "name_project"     // name a smaller workspace, or agree to a wide one: its path
	NameModel       RemedyKind = "name_model"       // name the former or the new model: both
)

// RemedyKinds returns all kinds.
func RemedyKinds() []RemedyKind {
	return []RemedyKind{
		SetKey, ChooseModel, ListModels, SetAddress, AddProvider, AddModel, ListSessions, ListNodes, ListCheckpoints, CheckLibrary, RecoverLibrary,
		RecoverFile, ChooseLibrary, ChooseOutput, CloseLibrary, UnlockLibrary, TakeOver, NameWorkspace, NameProject, NameModel,
	}
}

// Remedy is what helps after an error. The zero value is no remedy.
type Remedy struct {
	Kind RemedyKind
	Args []string // see the kinds
}

// WithRemedy returns the error with a remedy. A hint that the error has becomes the beginning of what is shown.
func (e *Error) WithRemedy(kind RemedyKind, args ...string) *Error {
	e.Remedy = Remedy{kind, args}
	return e
}

// HelpOf returns the hint and the remedy of the outermost error in the chain that has one of them.
func HelpOf(err error) (hint string, remedy Remedy) {
	for err != nil {
		e, ok := errors.AsType[*Error](err)
		if !ok {
			break
		}
		if e.Hint != "" || e.Remedy.Kind != "" {
			return e.Hint, e.Remedy
		}
		err = e.Err
	}
	return "", Remedy{}
}
