package mirror

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"os"
	"path"
	"time"

	"coppice/app/internal/export"
	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/durable"
	"coppice/backend/render/prose"
)

// writeIndex writes the page that lists all sessions, if it changes.
func (u *update) writeIndex(files []*file) error {
	name := "index." + u.options.Format
	content, err := u.index(files)
	if err != nil {
		return err
	}
	staging := path.Join(ownFolder, name)
	err = durable.Write(u.absolute(staging), func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
	if err != nil {
		return unavailable(err, u.options.Folder)
	}
	hash, err := u.hash(staging)
	if err != nil {
		return unavailable(err, u.options.Folder)
	}
	const id = "" // no session has it
	u.manifest.Sessions[id] = u.manifest.Index
	defer delete(u.manifest.Sessions, id)
	s := staged{file: &file{}, hashes: map[string]string{name: hash}, sources: map[string]string{name: staging}, fingerprint: hash}
	if !u.mayReplace(s) {
		return unavailable(u.root.Remove(staging), u.options.Folder)
	}
	u.manifest.Index = entry{Files: map[string][]string{name: append(u.manifest.Index.Files[name], hash)}}
	if err := u.manifest.save(u.root); err != nil {
		return err
	}
	written := u.report.Written
	if err := u.publish(s); err != nil {
		return err
	}
	u.report.Written = written // of sessions
	u.manifest.Index = u.manifest.Sessions[id]
	return nil
}

func (u *update) index(files []*file) ([]byte, error) {
	switch u.options.Format {
	case export.JSON:
		return jsonIndex(files)
	case export.HTML:
		return htmlIndex(files)
	default:
		return markdownIndex(files), nil
	}
}

// group is the sessions of one workspace.
type group struct {
	Folder   string
	Sessions []line
}

// line is a session in the index.
type line struct {
	ID       string `json:"id"`
	Path     string `json:"path"` // relative to the index, with slashes
	Title    string `json:"title"`
	Day      string `json:"day"` // 2006-01-02, UTC
	Model    string `json:"model"`
	Messages int64  `json:"messages"`
	IsChild  bool   `json:"isSubagent"`
}

func groups(files []*file) []group {
	all := []group{}
	for _, f := range files {
		if len(all) == 0 || all[len(all)-1].Folder != f.folder {
			all = append(all, group{Folder: f.folder})
		}
		last := &all[len(all)-1]
		last.Sessions = append(last.Sessions, line{
			ID: f.session.ID, Path: f.path, Title: present.SessionTitle(f.shown), Model: f.shown.Model, Messages: f.session.MessageCount,
			Day:     time.UnixMilli(f.session.CreatedAtMs).UTC().Format(time.DateOnly),
			IsChild: f.top != f,
		})
	}
	return all
}

func jsonIndex(files []*file) ([]byte, error) {
	sessions := []line{}
	for _, g := range groups(files) {
		sessions = append(sessions, g.Sessions...)
	}
	data, err := json.MarshalIndent(sessions, "", "  ")
	return append(data, '\n'), core.Wrap(core.Internal, err, "write the index of a mirror")
}

func markdownIndex(files []*file) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Sessions\n\n%s.\n", present.Count(int64(len(files)), "session"))
	for _, g := range groups(files) {
		fmt.Fprintf(&out, "\n## %s\n\n", g.Folder)
		for _, s := range g.Sessions {
			indent := ""
			if s.IsChild {
				indent = "  "
			}
			fmt.Fprintf(&out, "%s- %s [%s](%s) (%s)\n", indent, s.Day, prose.Escape(s.Title), s.Path, present.Count(s.Messages, "message"))
		}
	}
	return out.Bytes()
}

func htmlIndex(files []*file) ([]byte, error) {
	sum := sha256.Sum256([]byte(indexStyle))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
	page, err := template.New("index").Funcs(template.FuncMap{"count": present.Count}).Parse(indexHead + indexStyle + indexBody)
	if err != nil {
		return nil, core.Wrap(core.Internal, err, "write the index of a mirror")
	}
	var out bytes.Buffer
	err = page.Execute(io.Writer(&out), struct {
		Policy string
		Total  int64
		Groups []group
	}{policy, int64(len(files)), groups(files)})
	return out.Bytes(), core.Wrap(core.Internal, err, "write the index of a mirror")
}

// The page has the colors of the exports, see render/export.css, and no scripts.
const indexHead = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{.Policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sessions</title>
<style>`

const indexStyle = `:root { color-scheme: light dark; --bg: #FBFAF7; --text: #1F1D1A; --meta: #6F695E; --border: #E3DFD6; --accent: #2A7548 }
@media (prefers-color-scheme: dark) { :root { --bg: #171614; --text: #ECE8E0; --meta: #9A9385; --border: #34312B; --accent: #74C390 } }
body { background: var(--bg); color: var(--text); font: 15px/24px system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 32px 16px }
h1 { font-size: 22px } h2 { font-size: 16px; margin-top: 32px; border-bottom: 1px solid var(--border) }
ul { list-style: none; padding: 0 } li { display: flex; gap: 12px; padding: 2px 0 } li.child { padding-left: 24px }
a { color: var(--accent); flex: 1; min-width: 0; overflow-wrap: anywhere } time, span { color: var(--meta); font-variant-numeric: tabular-nums; white-space: nowrap }
`

const indexBody = `</style>
</head>
<body>
<h1>Sessions</h1>
<p>{{count .Total "session"}}</p>
{{range .Groups}}<h2>{{.Folder}}</h2>
<ul>
{{range .Sessions}}<li{{if .IsChild}} class="child"{{end}}><time datetime="{{.Day}}">{{.Day}}</time><a href="{{.Path}}" dir="auto">{{.Title}}</a><span>{{count .Messages "message"}}</span></li>
{{end}}</ul>
{{end}}</body>
</html>
`
