// Package remedy expresses the remedies of errors in the terms of the window: its buttons and lists.
package remedy

import (
	"strings"

	"coppice/backend/core"
)

// Hint returns the hint of an error in the terms of the window.
func Hint(err error) string { return Sentence(core.HelpOf(err)) }

// Sentence returns a hint and its remedy as one sentence.
func Sentence(text string, remedy core.Remedy) string {
	text = completed(text, remedy)
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] // hints are in English and start with an ASCII letter
}

// completed returns a hint with its remedy. It names buttons and lists of the window instead of commands and flags.
func completed(text string, remedy core.Remedy) string {
	switch remedy.Kind {
	case core.SetKey:
		return joined(text, ", or enter the key in Settings", "Enter the key in Settings")
	case core.ChooseModel:
		return joined(text, ", or choose another model", "Choose another model")
	case core.AddProvider:
		return joined(text, ", or add a server in Settings", "Add a server in Settings")
	case core.SetAddress:
		return joined(text, ", or change its address in Settings", "Change its address in Settings")
	case core.ListSessions:
		return joined(text, "", "Choose a session of the library")
	case core.CheckLibrary, core.RecoverLibrary, core.RecoverFile:
		return joined(text, "", "Open the settings to repair the library or to restore a backup")
	case core.ChooseLibrary:
		return joined(text, ", or open another library", "Open another library")
	case core.ChooseOutput:
		return joined(text, "", "Choose another file")
	case core.CloseLibrary:
		return joined(text, "", "Close every other program that uses this library, and try again")
	case core.UnlockLibrary:
		return joined(text, "", "Enter its passphrase or recovery code")
	case core.TakeOver:
		return joined(text, "", "If that machine is off, take the session over")
	case core.NameWorkspace, core.NameProject:
		return joined(text, "", "Choose another folder to work in")
	case core.NameModel:
		return joined(text, "", "Choose another model")
	case core.AddModel, core.ListModels, core.ListNodes, core.ListCheckpoints: // the window shows these as lists
	}
	return text
}

// joined returns text followed by more, or alone if text is empty.
func joined(text, more, alone string) string {
	if text == "" {
		return alone
	}
	return text + more
}
