// Package statistics adds up the activity of sessions by days of a time zone.
package statistics

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"
	"time"

	"coppice/backend/core"
	"coppice/backend/modelname"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// Statistics adds up what was done, by days of a time zone. It reads a row per session and no message.
func (db *Store) Statistics(ctx context.Context, query core.StatisticsQuery, zone *time.Location) (core.Statistics, error) {
	s, err := newSurvey(query, zone)
	if err == nil {
		err = db.Read(ctx, func(t *store.Txn) error { return runSurvey(ctx, t.Tx, s) })
	}
	if err != nil {
		return core.Statistics{}, conn.Fail(err, "add up what was done")
	}
	return s.statistics(), nil
}

// survey is one pass over the activity of all sessions.
type survey struct {
	query   core.StatisticsQuery
	days    calendar
	names   map[int64]string
	aliases []int64 // by number: that of the first name of the same model
	model   int64   // the one that is asked for; anyModel, or noModel that there is
	origins map[int64]*origin
	trash   map[int64]bool
	pending int64

	total  group
	models []group     // by number
	agents []group     // by number
	tools  []toolGroup // by number
	calls  int64
}

const (
	anyModel = -1
	noModel  = -2
)

// origin is where sessions are from.
type origin struct {
	Source    core.Source
	Workspace string `db:"workspace_path"`
	ID        int64
	asked     bool // for
	source    *group
	workspace *group
	split     int64 // the number of the value that days are split by, where that is not the model
}

type toolGroup struct{ calls, sessions, family int64 }

func newSurvey(query core.StatisticsQuery, zone *time.Location) (*survey, error) {
	days, err := newCalendar(query.Since, query.Until, zone)
	if err != nil {
		return nil, err
	}
	if splits := []core.Dimension{"", core.ByModel, core.ByWorkspace, core.BySource}; !slices.Contains(splits, query.Split) {
		return nil, core.E(core.Invalid, "unknown split of days %q", query.Split)
	}
	return &survey{query: query, days: days, model: anyModel, origins: map[int64]*origin{}, trash: map[int64]bool{}}, nil
}

func runSurvey(ctx context.Context, t *conn.Tx, s *survey) error {
	for _, step := range []func(context.Context, *conn.Tx, *survey) error{surveyNames, surveyPlaces, surveyTrash, surveySessions} {
		if err := step(ctx, t, s); err != nil {
			return err
		}
	}
	const pending = `SELECT (SELECT count(*) FROM sessions) - (SELECT count(*) FROM activity) +
		(SELECT count(*) FROM activity INDEXED BY activity_former WHERE substr(tally, 1, 2) <> x'0002')`
	return t.Get(ctx, &s.pending, pending)
}

func surveyNames(ctx context.Context, t *conn.Tx, s *survey) (err error) {
	if s.names, err = activity.ReadNames(ctx, t); err != nil {
		return err
	}
	largest := slices.Max(slices.Collect(maps.Keys(s.names)))
	s.models, s.agents, s.tools = make([]group, largest+1), make([]group, largest+1), make([]toolGroup, largest+1)
	first := map[string]int64{}
	s.aliases = make([]int64, largest+1)
	for _, number := range slices.Sorted(maps.Keys(s.names)) {
		family := modelname.Family(s.names[number])
		if _, ok := first[family]; !ok {
			first[family] = number
		}
		s.aliases[number] = first[family]
	}
	if s.query.Model == "" {
		return nil
	}
	s.model = noModel
	if number, ok := first[modelname.Family(s.query.Model)]; ok {
		s.model = number
	}
	return nil
}

// modelOf returns the number of the model that a number names; noModel if there is no such name.
func (s *survey) modelOf(number int64) int64 {
	if number >= int64(len(s.aliases)) {
		return noModel
	}
	return s.aliases[number]
}

func surveyPlaces(ctx context.Context, t *conn.Tx, s *survey) error {
	var places []origin
	if err := t.All(ctx, &places, `SELECT id, source, workspace_path FROM activity_places`); err != nil {
		return err
	}
	sources, workspaces := map[core.Source]*origin{}, map[string]*origin{}
	for i := range places {
		p := &places[i]
		s.origins[p.ID] = p
		if _, ok := sources[p.Source]; !ok {
			p.source = &group{}
			sources[p.Source] = p
		}
		if _, ok := workspaces[p.Workspace]; !ok {
			p.workspace = &group{}
			workspaces[p.Workspace] = p
		}
		p.source, p.workspace = sources[p.Source].source, workspaces[p.Workspace].workspace
		p.asked = (s.query.Workspace == "" || p.Workspace == s.query.Workspace) &&
			(len(s.query.Sources) == 0 || slices.Contains(s.query.Sources, p.Source))
		if p.split = sources[p.Source].ID; s.query.Split == core.ByWorkspace {
			p.split = workspaces[p.Workspace].ID
		}
	}
	return nil
}

func surveyTrash(ctx context.Context, t *conn.Tx, s *survey) error {
	var trash []int64
	err := t.All(ctx, &trash, `SELECT key FROM sessions WHERE deleted_at_ms > 0`)
	for _, key := range trash {
		s.trash[key] = true
	}
	return err
}

// surveySessions goes through the rows by family.
func surveySessions(ctx context.Context, t *conn.Tx, s *survey) (err error) {
	rows, err := t.Rows(ctx, `SELECT family, session, place, tally FROM activity ORDER BY family, session`)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	var family, session, from int64
	var data sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&family, &session, &from, &data); err != nil {
			return err
		}
		p := s.origins[from]
		if s.trash[session] || p == nil || !p.asked {
			continue
		}
		ok := activity.EachCount(data,
			func(quarter, model, agent int64, c *activity.Counts) { s.add(family, p, quarter, model, agent, c) },
			func(quarter, model, tool, n int64) { s.addCalls(family, quarter, model, tool, n) })
		if !ok {
			return conn.Damaged("what was done in session %d is not written as it should be", session)
		}
	}
	return nil
}

func (s *survey) add(family int64, p *origin, quarter, model, agent int64, c *activity.Counts) {
	model = s.modelOf(model)
	if s.model != anyModel && model != s.model || model == noModel {
		return
	}
	day := s.days.of(quarter)
	if day.date != 0 {
		day.whole.add(family, c)
	}
	if !day.asked {
		return
	}
	s.total.add(family, c)
	p.source.add(family, c)
	p.workspace.add(family, c)
	if (agent != 0 || c[activity.CountSteps] > 0) && agent < int64(len(s.agents)) { // else no agent was at work
		of := *c
		if agent == 0 { // what no agent is named for has other messages than calls, too
			of[activity.CountMessages] = c[activity.CountSteps]
		}
		s.agents[agent].add(family, &of)
	}
	if model != 0 || c[activity.CountSteps] > 0 { // else no model was at work
		s.models[model].add(family, c)
		if s.query.Split == core.ByModel {
			day.part(model).add(family, c)
		}
	}
	if s.query.Split == core.BySource || s.query.Split == core.ByWorkspace {
		day.part(p.split).add(family, c)
	}
}

func (s *survey) addCalls(family, quarter, model, tool, n int64) {
	if s.model != anyModel && s.modelOf(model) != s.model || tool >= int64(len(s.tools)) || !s.days.of(quarter).asked {
		return
	}
	g := &s.tools[tool]
	if g.family != family || g.sessions == 0 {
		g.family = family
		g.sessions++
	}
	g.calls += n
	s.calls += n
}

func (s *survey) statistics() core.Statistics {
	out := core.Statistics{
		Zone: s.days.zone.String(), Total: s.total.sums(""), ToolCalls: s.calls, Pending: s.pending,
		Days: []core.Group{}, Cells: []core.Cell{}, Calendar: []core.Cell{}, Tools: []core.ToolUse{},
	}
	for _, day := range s.days.inOrder() {
		if day.whole.sessions == 0 {
			continue
		}
		out.Calendar = append(out.Calendar, day.whole.cell(day.date, ""))
		if !day.asked {
			continue
		}
		out.Days = append(out.Days, day.whole.sums(day.date.String()))
		cells := make([]core.Cell, 0, len(day.parts))
		for value := range day.parts {
			if g := &day.parts[value]; g.sessions > 0 {
				cells = append(cells, g.cell(day.date, s.valueOf(int64(value))))
			}
		}
		slices.SortFunc(cells, func(a, b core.Cell) int { return strings.Compare(a.Key, b.Key) })
		out.Cells = append(out.Cells, cells...)
	}
	sources, workspaces, models, agents := map[string]*group{}, map[string]*group{}, map[string]*group{}, map[string]*group{}
	for _, p := range s.origins {
		sources[string(p.Source)], workspaces[p.Workspace] = p.source, p.workspace
	}
	for number, name := range s.names {
		models[modelname.Family(name)], agents[name] = &s.models[s.aliases[number]], &s.agents[number]
		if g := &s.tools[number]; g.calls > 0 {
			out.Tools = append(out.Tools, core.ToolUse{Name: name, Calls: g.calls, Sessions: g.sessions})
		}
	}
	out.Sources, out.Workspaces, out.Models, out.Agents = largestFirst(sources), largestFirst(workspaces), largestFirst(models), largestFirst(agents)
	slices.SortFunc(out.Tools, func(a, b core.ToolUse) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), strings.Compare(a.Name, b.Name))
	})
	return out
}

// valueOf names a value that days are split by.
func (s *survey) valueOf(number int64) string {
	switch s.query.Split {
	case core.BySource:
		return string(s.origins[number].Source)
	case core.ByWorkspace:
		return s.origins[number].Workspace
	default:
		return modelname.Family(s.names[number])
	}
}

func (g *group) cell(on date, key string) core.Cell {
	return core.Cell{
		Day: on.String(), Key: key, Sessions: g.sessions, Tokens: g.Counts[activity.CountInput] + g.Counts[activity.CountOutput],
		Steps: g.Counts[activity.CountSteps], Unpriced: g.Counts[activity.CountUnpriced], CostNanoUSD: g.cost(),
		EstimatedNanoUSD: g.estimate(), Unestimated: g.Counts[activity.CountUnestimated],
	}
}
