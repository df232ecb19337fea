package render

import (
	"context"
	"io"
	"slices"
	"time"

	"coppice/backend/core"
	"coppice/backend/render/redact"
)

// Source is the part of the store that exports use.
type Source interface {
	Tree(ctx context.Context, sessionID string) (core.Tree, error)
	// Window returns limit messages of the path that ends at leafUID, from depth from on; a negative from counts from the end.
	Window(ctx context.Context, sessionID, leafUID string, from, limit int64) (core.Window, error)
	// Hydrate restores texts and data that were cut.
	Hydrate(ctx context.Context, message *core.Message) error
	Blob(ctx context.Context, hash string) (core.Blob, error)
}

// Scope is how much of the tree an export has.
type Scope string

// The scopes.
const (
	ScopePath         Scope = "path"         // one path
	ScopeAlternatives Scope = "alternatives" // one path, and the branches directly off it
	ScopeBranches     Scope = "branches"     // several paths
	ScopeTree         Scope = "tree"         // everything
	ScopeTurn         Scope = "turn"         // the turn of one message
	ScopeTurns        Scope = "turns"        // consecutive turns of a path
)

// ExportOptions configure an export.
type ExportOptions struct {
	Scope   Scope  // empty: ScopePath
	Detail  Detail // empty: DetailFull
	LeafUID string // the end of the path, or a message of the turn; empty: the head
	// OtherLeafUIDs are the ends of the other paths of ScopeBranches.
	OtherLeafUIDs []string
	FromUID       string           // a message of the first turn of ScopeTurns
	Zone          *time.Location   // time zone of the times shown; nil: UTC
	Generator     string           // the program and its version, for the file's head
	Redactor      *redact.Redactor // nil: nothing is redacted
	// Asset stores an image or a file beside a Markdown export and returns a relative path, with slashes, for the
	// export to refer to it; nil: attachments are only named. HTML includes its images.
	Asset func(media core.Media, blob core.Blob) (string, error)
	// IsExcerpt leaves out of Markdown what a text that is pasted elsewhere does not need: front matter, facts, contents and marks.
	IsExcerpt bool
	// Data is what an HTML page carries besides its text; nil: nothing.
	Data *PageData
	// Progress, if not nil, is called with the number of messages written.
	Progress func(core.Progress)
}

// PageData is what programs read of a page.
type PageData struct {
	Mark  string                  // an element for the head
	Write func(w io.Writer) error // writes an element for the body
}

// ParseScope returns the scope of that name.
func ParseScope(name string) (Scope, error) {
	switch scope := Scope(name); scope {
	case ScopePath, ScopeAlternatives, ScopeBranches, ScopeTree, ScopeTurn, ScopeTurns:
		return scope, nil
	case "":
		return ScopePath, nil
	}
	return "", core.E(core.Invalid, "unknown scope %q", name).
		WithHint("one of: %s, %s, %s, %s, %s, %s", ScopePath, ScopeAlternatives, ScopeBranches, ScopeTree, ScopeTurn, ScopeTurns)
}

// HasPaths reports whether the scope has paths from their first messages on.
func (s Scope) HasPaths() bool { return s != ScopeTurn && s != ScopeTurns }

// transcript is the content of an export: a path, and the other parts of the tree in its scope.
type transcript struct {
	r        *Renderer
	source   Source
	options  ExportOptions
	tree     core.Tree
	skeleton *core.Skeleton
	hidden   core.HiddenSet  // what the trash of the session hides; exported only if it is on the path
	path     core.Path       // its ranges in each branch; for ScopeTurn and ScopeTurns those of the turns alone
	reaches  map[int64]int64 // the depth to which the path follows each of its branches
	chosen   map[int64]int64 // of ScopeBranches: the depth to which the other paths follow each of their branches
	leafUID  string
	tips     map[int64]string // the uid of each branch's last message
	written  int64
	total    int64

	// The siblings requested last, cached because consecutive calls request them.
	parent   core.Position
	siblings []core.Position

	below []amount  // of each branch; nil until it is needed
	forks [][]int64 // the branches that fork from each branch
}

// strand is a range of consecutive messages: the path, or the rest of a branch outside it.
type strand struct {
	branch   int64 // of the first message
	from, to int64 // depths, both included
	leafUID  string
}

func (r *Renderer) transcript(ctx context.Context, source Source, sessionID string, o ExportOptions) (*transcript, error) {
	scope, err := ParseScope(string(o.Scope))
	if err != nil {
		return nil, err
	}
	o.Scope = scope
	if o.Detail, err = ParseDetail(string(o.Detail)); err != nil {
		return nil, err
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	tree, err := source.Tree(ctx, sessionID)
	if err != nil {
		return nil, core.Wrap(core.CodeOf(err), err, "read the tree")
	}
	t := &transcript{r: r, source: source, options: o, tree: tree, leafUID: o.LeafUID, reaches: map[int64]int64{}, chosen: map[int64]int64{}, tips: map[int64]string{}}
	if t.leafUID == "" {
		t.leafUID = tree.Head
	}
	t.skeleton = core.NewSkeleton(tree.Branches, tree.Turns)
	t.hidden = t.skeleton.HiddenSet(core.Tops(tree.Hidden))
	for _, turn := range tree.Turns {
		if turn.FirstDepth+turn.Messages-1 == tree.Branches[turn.Branch].TipDepth {
			t.tips[turn.Branch] = turn.LastUID
		}
	}
	if err := t.findPath(ctx); err != nil {
		return nil, err
	}
	if o.Redactor != nil {
		t.tree = o.Redactor.Tree(tree)
	}
	t.total = t.count()
	return t, nil
}

// siblingsOf returns the siblings of a message, including itself.
func (t *transcript) siblingsOf(at core.Position) []core.Position {
	parent, ok := t.skeleton.Parent(at)
	if !ok {
		parent = core.Position{Branch: -1, Depth: -1}
	}
	if t.siblings == nil || parent != t.parent {
		t.parent = parent
		t.siblings = slices.DeleteFunc(t.skeleton.Siblings(at), func(s core.Position) bool { return t.hidden.Hides(s) && !t.onPath(s) })
	}
	return t.siblings
}

// first returns the position of a turn's first message.
func first(turn core.Turn) core.Position {
	return core.Position{Branch: turn.Branch, Depth: turn.FirstDepth}
}

// contents returns the turns that begin on the path, and by branch those that begin in the other strands.
func (t *transcript) contents() (path []core.Turn, beside map[int64][]core.Turn) {
	beside = map[int64][]core.Turn{}
	for _, turn := range t.tree.Turns {
		if t.onPath(first(turn)) {
			path = append(path, turn)
		} else if t.holds(first(turn)) {
			beside[turn.Branch] = append(beside[turn.Branch], turn)
		}
	}
	return path, beside
}

// tick counts a message and stops a canceled export.
func (t *transcript) tick(ctx context.Context) error {
	t.written++
	if t.options.Progress != nil && t.written%100 == 0 {
		t.options.Progress(core.Progress{Done: t.written, Total: t.total})
	}
	return ctx.Err()
}
