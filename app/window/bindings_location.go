package window

import (
	"time"

	"coppice/app/internal/library"

	"coppice/app/internal/guard"

	"coppice/backend/core"
	"coppice/backend/location"
)

// LocationRisk is what puts the library's folder at risk. All fields are empty if nothing does, or if the warning was given less than a day ago.
type LocationRisk struct {
	SyncedBy string `json:"syncedBy"` // the program that synchronises the folder, such as Dropbox
	Folder   string `json:"folder"`   // the folder that it synchronises
	Network  string `json:"network"`  // the network file system, such as NFS
}

// GetLocationRisk returns what to warn of, at most once a day. The command line shares the memory of it.
func (b *Bindings) GetLocationRisk() (risk LocationRisk, err error) {
	err = guard.Run(func() error {
		path := b.library.where()
		found := location.Of(path, location.Network)
		if library.RiskText(found) != "" && library.IsWarningDue(path, time.Now()) {
			risk = LocationRisk{SyncedBy: found.Synced, Folder: found.Folder, Network: found.Network}
		}
		return nil
	})
	return risk, err
}

// DismissLocationRisk stores that the user has seen the warning.
func (b *Bindings) DismissLocationRisk() error {
	return guard.Run(func() error {
		return core.Wrap(core.Unavailable, library.MarkWarned(b.library.where()), "store that the warning was dismissed")
	})
}
