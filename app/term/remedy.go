package term

import "coppice/backend/core"

// Hint returns a hint, with its remedy expressed as commands and flags of the command line.
func Hint(hint string, remedy core.Remedy) string {
	arg := func(n int) string {
		if n < len(remedy.Args) {
			return remedy.Args[n]
		}
		return ""
	}
	switch remedy.Kind {
	case core.SetKey:
		return joined(hint, ", or run: ", "To store a key, run: ") + "coppice config key set " + arg(0)
	case core.ChooseModel:
		return joined(hint, ", or choose another model: ", "Choose another model: ") + "coppice models"
	case core.ListModels:
		return joined(hint, "; run: ", "Run: ") + "coppice models"
	case core.SetAddress:
		return joined(hint, ", or give its address with --base-url", "Give its address with --base-url")
	case core.AddProvider:
		return joined(hint, "; for another provider ", "") + "set --base-url, or add it to the configuration"
	case core.AddModel:
		return "Set a key such as ANTHROPIC_API_KEY, or run: coppice config key set openai; or start a server such as Ollama; " +
			"to try Coppice without one: --model " + arg(0)
	case core.TakeOver:
		return "If that machine is off, continue with --take-over"
	case core.NameWorkspace:
		return "Add --workspace " + arg(0) + " to work there, or --workspace FOLDER to work elsewhere"
	case core.NameProject:
		return "Name a project with --workspace FOLDER, or add --workspace " + arg(0) + " to work there anyway"
	case core.NameModel:
		return "Add --model " + arg(0) + " to use the same server, or --model " + arg(1) + " for the other one"
	default:
		return libraryHint(hint, remedy)
	}
}

// libraryHint is Hint for remedies that concern the library.
func libraryHint(hint string, remedy core.Remedy) string {
	switch remedy.Kind {
	case core.ListSessions:
		return joined(hint, "; list sessions with: ", "List them with: ") + "coppice sessions"
	case core.ListNodes:
		return joined(hint, "; see them with: ", "See them with: ") + "coppice tree"
	case core.ListCheckpoints:
		return joined(hint, "; list them with: ", "List them with: ") + "coppice checkpoints ID"
	case core.CheckLibrary:
		return "Find out what is damaged: coppice db check; then save what can be read: coppice db recover"
	case core.RecoverLibrary:
		return "Run coppice db recover, which saves what can be read; or restore a backup: coppice db backups"
	case core.RecoverFile:
		return "If this was a Coppice library, recover it with: coppice db recover; else choose another file with --db"
	case core.ChooseLibrary:
		return joined(hint, ", or choose another file with --db", "Choose another file with --db")
	case core.ChooseOutput:
		return "Choose another file with --output"
	case core.UnlockLibrary:
		return "Run it in a terminal to be asked for the passphrase, or set COPPICE_KEY_COMMAND to a command that prints it"
	case core.CloseLibrary:
		return `Close every window, "coppice watch" and other command that uses this library, and try again`
	default:
		return hint
	}
}

// joined returns text followed by more, or alone if text is empty.
func joined(text, more, alone string) string {
	if text == "" {
		return alone
	}
	return text + more
}
