package term

import (
	"os"

	"golang.org/x/sys/windows"
)

// userScreen is the screen of the user, whatever stdout and stderr are.
const userScreen = "CONOUT$"

// showsSequences reports whether the consoles among files interpret escape sequences, after asking them to. Consoles before Windows 10 do not.
// The setting stays: the shell that started the program sets its own.
func showsSequences(files ...*os.File) bool {
	for _, file := range files {
		var mode uint32
		console := windows.Handle(file.Fd())
		if windows.GetConsoleMode(console, &mode) != nil {
			continue // a file or a pipe
		}
		const wanted = windows.ENABLE_PROCESSED_OUTPUT | windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING
		if mode&wanted != wanted && windows.SetConsoleMode(console, mode|wanted) != nil {
			return false
		}
	}
	return true
}
