package sandbox

import "fmt"

// Kind is a way of confining a command.
type Kind string

// The kinds.
const (
	None       Kind = "none"
	Landlock   Kind = "landlock"
	Bubblewrap Kind = "bubblewrap"
)

// The versions of Landlock's ABI that add the features we use; see landlock(7).
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
	Network bool `json:"network"`       // the network is open on purpose
}

// Detect returns the best level that this machine offers. If the network must be closed and neither Landlock nor
// seccomp can do that, bubblewrap is better.
func Detect(network bool) Level {
	abi := landlockABI()
	switch {
	case abi >= abiFiles && (network || abi >= abiTCP || ShutsSockets()):
		return Level{Kind: Landlock, ABI: abi, Network: network}
	case bubblewrapWorks():
		return Level{Kind: Bubblewrap, Network: network}
	case abi >= abiFiles:
		return Level{Kind: Landlock, ABI: abi, Network: network}
	default:
		return Level{Kind: None, Network: network}
	}
}

// String describes the level for the user: what it confines and what it leaves open.
func (l Level) String() string {
	if l.Kind == None || l.Kind == "" {
		return "none: commands can read and change everything that you can"
	}
	return fmt.Sprintf("files confined by %s; %s", l.Kind, l.open())
}

// open describes what the level leaves open in addition to files.
func (l Level) open() string {
	switch {
	case l.Network && l.ABI >= abiSockets:
		return "network open, this machine's own services included"
	case l.Network && l.Kind == Landlock:
		return "network and sockets of other programs open"
	case l.Network:
		return "network open, this machine's own services included; only sockets in the workspace"
	case ShutsSockets(), l.Kind == Bubblewrap:
		return "network off"
	case l.ABI >= abiTCP:
		return "TCP off, other sockets open"
	default:
		return "network open, as nothing on this machine can shut it"
	}
}
