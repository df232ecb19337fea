package render

import (
	"context"
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
	ScopeTree         Scope = "tree"         // everything
)

// ExportOptions configure an export.
type ExportOptions struct {
	Scope     Scope            // empty: ScopePath
	Detail    Detail           // empty: DetailFull
	LeafUID   string           // the end of the path; empty: the head
	Zone      *time.Location   // time zone of the times shown; nil: UTC
	Generator string           // the program and its version, for the file's head
	Redactor  *redact.Redactor // nil: nothing is redacted
	// Asset stores an image or a file beside a Markdown export and returns a relative path, with slashes, for the
	// export to refer to it; nil: attachments are only named. HTML includes its images.
	Asset func(media core.Media, blob core.Blob) (string, error)
	// Progress, if not nil, is called with the number of messages written.
	Progress func(core.Progress)
}

// ParseScope returns the scope of that name.
func ParseScope(name string) (Scope, error) {
	switch scope := Scope(name); scope {
	case ScopePath, ScopeAlternatives, ScopeTree:
		return scope, nil
	case "":
		return ScopePath, nil
	}
	return "", core.E(core.Invalid, "unknown scope %q", name).WithHint("one of: %s, %s, %s", ScopePath, ScopeAlternatives, ScopeTree)
}

// transcript is the content of an export: a path, and the other parts of the tree in its scope.
type transcript struct {
	r        *Renderer
	source   Source
	options  ExportOptions
	tree     core.Tree
	skeleton *core.Skeleton
	hidden   core.HiddenSet // what the trash of the session hides; exported only if it is on the path
	path     core.Path
	reaches  map[int64]int64 // the depth to which the path follows each of its branches
	leafUID  string
	tips     map[int64]string // the uid of each branch's last message
	written  int64
	total    int64

	// The siblings requested last, cached because consecutive calls request them.
	parent   core.Position
	siblings []core.Position
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
	t := &transcript{r: r, source: source, options: o, tree: tree, leafUID: o.LeafUID, reaches: map[int64]int64{}, tips: map[int64]string{}}
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

// findPath finds the leaf. A session that continues from before its first message has an empty path.
func (t *transcript) findPath(ctx context.Context) error {
	if t.leafUID == "" {
		return nil
	}
	end, err := t.source.Window(ctx, t.tree.Session.ID, t.leafUID, -1, 1)
	if err != nil {
		return core.Wrap(core.CodeOf(err), err, "find the end of the path")
	}
	if len(end.Messages) == 0 {
		return core.E(core.NotFound, "no message %s", t.leafUID)
	}
	m := end.Messages[0]
	t.path = t.skeleton.Path(m.Position())
	for _, seg := range t.path {
		t.reaches[seg.Branch] = seg.To
	}
	return nil
}

// trunk returns the path as a strand; false if it is empty.
func (t *transcript) trunk() (strand, bool) {
	if len(t.path) == 0 {
		return strand{}, false
	}
	return strand{branch: t.path[0].Branch, to: t.path.Length() - 1, leafUID: t.leafUID}, true
}

// rest returns the part of a branch that is neither on the path nor in the trash; false if that is empty.
func (t *transcript) rest(branch int64) (strand, bool) {
	b := t.tree.Branches[branch]
	s := strand{branch: branch, from: b.FirstDepth(), to: b.TipDepth, leafUID: t.tips[branch]}
	if to, ok := t.reaches[branch]; ok {
		s.from = to + 1
	}
	s.to = min(s.to, t.hidden.From(branch)-1)
	return s, s.from <= s.to
}

// strands returns the strands after the path if the scope is the tree, by branch.
func (t *transcript) strands() []strand {
	var all []strand
	if t.options.Scope != ScopeTree {
		return nil
	}
	for branch := range t.tree.Branches {
		if s, ok := t.rest(int64(branch)); ok {
			all = append(all, s)
		}
	}
	return all
}

// alternatives returns the strands at the position of a message of the path.
func (t *transcript) alternatives(at core.Position) []strand {
	var all []strand
	if t.options.Scope != ScopeAlternatives {
		return nil
	}
	for _, sibling := range t.siblingsOf(at) {
		if sibling == at {
			continue
		}
		if s, ok := t.rest(sibling.Branch); ok && s.from == sibling.Depth {
			all = append(all, s)
		}
	}
	return all
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

// onPath reports whether the message at the position is on the path.
func (t *transcript) onPath(at core.Position) bool {
	to, ok := t.reaches[at.Branch]
	return ok && at.Depth <= to
}

// holds reports whether the export has the message at the position.
func (t *transcript) holds(at core.Position) bool {
	if t.onPath(at) {
		return true
	}
	if t.hidden.Hides(at) {
		return false
	}
	return t.options.Scope == ScopeTree || t.options.Scope == ScopeAlternatives && t.beside(at.Branch)
}

// beside reports whether the rest of the branch forks directly off the path.
func (t *transcript) beside(branch int64) bool {
	s, ok := t.rest(branch)
	if !ok {
		return false
	}
	parent, hasParent := t.skeleton.Parent(core.Position{Branch: branch, Depth: s.from})
	if !hasParent {
		return len(t.path) > 0
	}
	// Below the path's last message nothing is an alternative to anything on it.
	return t.onPath(parent) && parent.Depth < t.path.Length()-1
}

// counts returns the numbers of messages and branches in the export.
func (t *transcript) counts() (messages, branches int64) {
	messages = t.path.Length()
	branches = int64(len(t.path))
	for i := range t.tree.Branches {
		branch := int64(i)
		s, ok := t.rest(branch)
		if ok && (t.options.Scope == ScopeTree || t.options.Scope == ScopeAlternatives && t.beside(branch)) {
			messages += s.to - s.from + 1
			if _, counted := t.reaches[branch]; !counted {
				branches++
			}
		}
	}
	return messages, branches
}

func (t *transcript) count() int64 {
	messages, _ := t.counts()
	return messages
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
