package importer

// Ask replaces how a follower asks for the changes of a folder.
func (f *Follower) Ask(ask func(folder string) error) { f.ask = ask }
