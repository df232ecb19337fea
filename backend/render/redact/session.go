package redact

import (
	"encoding/json"
	"slices"

	"coppice/backend/core"
)

// Session returns the session with placeholders in all texts by users and tools.
func (r *Redactor) Session(s core.Session) core.Session {
	for _, field := range []*string{&s.Title, &s.Task, &s.Name, &s.SourcePath, &s.WorkspacePath, &s.Agent, &s.Model} {
		*field = r.Text(*field)
	}
	s.FilesModified = slices.Clone(s.FilesModified)
	for i, path := range s.FilesModified {
		s.FilesModified[i] = r.Text(path)
	}
	s.Tags = slices.Clone(s.Tags)
	for i, tag := range s.Tags {
		s.Tags[i] = r.Text(tag)
	}
	s.Meta = r.JSON(s.Meta)
	return s
}

// Message returns a copy of the message with placeholders in its texts, arguments and data. Images and files are not
// redacted.
func (r *Redactor) Message(m core.Message) core.Message {
	for _, field := range []*string{&m.Name, &m.Error, &m.Agent, &m.Model, &m.FinishRaw} {
		*field = r.Text(*field)
	}
	m.Meta, m.Extra = r.JSON(m.Meta), r.extra(m.Extra)
	if m.Usage != nil {
		usage := *m.Usage
		usage.Native, usage.Extra = r.JSON(usage.Native), r.extra(usage.Extra)
		m.Usage = &usage
	}
	if m.Origin != nil {
		origin := *m.Origin
		for _, field := range []*string{&origin.Protocol, &origin.Provider, &origin.RequestModel, &origin.ResponseModel} {
			*field = r.Text(*field)
		}
		origin.Extra = r.extra(origin.Extra)
		m.Origin = &origin
	}
	m.Parts = slices.Clone(m.Parts)
	for lists := [][]core.Part{m.Parts}; len(lists) > 0; {
		list := lists[len(lists)-1]
		lists = lists[:len(lists)-1]
		for i := range list {
			r.part(&list[i])
			if len(list[i].Result) > 0 {
				list[i].Result = slices.Clone(list[i].Result)
				lists = append(lists, list[i].Result)
			}
		}
	}
	return m
}

func (r *Redactor) part(p *core.Part) {
	p.Text, p.Name = r.Text(p.Text), r.Text(p.Name)
	p.Arguments, p.Structured, p.Native = r.JSON(p.Arguments), r.JSON(p.Structured), r.JSON(p.Native)
	p.Extra = r.extra(p.Extra)
	if p.Media != nil {
		media := *p.Media
		media.Name, media.URI, media.MimeType = r.Text(media.Name), r.Text(media.URI), r.Text(media.MimeType)
		media.Extra = r.extra(media.Extra)
		p.Media = &media
	}
}

// Tree returns the tree with placeholders in its session and the beginnings of its turns.
func (r *Redactor) Tree(tree core.Tree) core.Tree {
	tree.Session = r.Session(tree.Session)
	tree.Turns = slices.Clone(tree.Turns)
	for i := range tree.Turns {
		tree.Turns[i].Preview, tree.Turns[i].Label = r.Text(tree.Turns[i].Preview), r.Text(tree.Turns[i].Label)
	}
	return tree
}

func (r *Redactor) extra(fields map[string]json.RawMessage) map[string]json.RawMessage {
	if fields == nil {
		return nil
	}
	out := make(map[string]json.RawMessage, len(fields))
	for name, value := range fields {
		if r.isSecretName(name) {
			value = r.JSON(json.RawMessage(`{"` + "secret" + `":` + string(value) + `}`))
			value = value[len(`{"secret":`) : len(value)-1]
		} else {
			value = r.JSON(value)
		}
		out[name] = value
	}
	return out
}
