package importer

// Ask has a follower ask for a folder's changes in another way than the system's.
func (f *Follower) Ask(ask func(folder string) error) { f.ask = ask }
