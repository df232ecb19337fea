package sandbox

// Kind is a way of confining a command.
type Kind string

// The kinds.
const (
	None       Kind = "none"
	Landlock   Kind = "landlock"
	Bubblewrap Kind = "bubblewrap"
)

// The versions of Landlock's ABI that bring what we use; see landlock(7).
const (
	abiFiles     = 1  // Linux 5.13
	abiRefer     = 2  // 5.19: files may move between folders
	abiTruncate  = 3  // 6.2
	abiTCP       = 4  // 6.7
	abiDevices   = 5  // 6.10: ioctl
	abiScopes    = 6  // 6.12: signals, abstract sockets
	abiSockets   = 9  // sockets in the file system
	abiDatagrams = 10 // UDP
)

// Level is the confinement of a command.
type Level struct {
	Kind    Kind `json:"kind"`
	ABI     int  `json:"abi,omitempty"` // Landlock's version in this kernel
	Network bool `json:"network"`       // the network is open to it on purpose
}

// Detect returns the best level that this machine offers. Where the network is to be shut and Landlock is too old to do it,
// bubblewrap is better.
func Detect(network bool) Level {
	abi := landlockABI()
	switch {
	case abi >= abiFiles && (network || abi >= abiTCP):
		return Level{Kind: Landlock, ABI: abi, Network: network}
	case bubblewrapWorks():
		return Level{Kind: Bubblewrap, Network: network}
	case abi >= abiFiles:
		return Level{Kind: Landlock, ABI: abi, Network: network}
	default:
		return Level{Kind: None, Network: network}
	}
}

// String names the level for people, with what it does not cover.
func (l Level) String() string {
	switch {
	case l.Kind == None || l.Kind == "":
		return string(None)
	case l.Network:
		return string(l.Kind) + " (files only, network open)"
	case l.Kind == Bubblewrap, l.ABI >= abiDatagrams:
		return string(l.Kind) + " (files and network)"
	case l.ABI >= abiTCP:
		return string(l.Kind) + " (files and TCP)"
	default:
		return string(l.Kind) + " (files only)"
	}
}
