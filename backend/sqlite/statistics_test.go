package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/modelname"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// obvious adds up the slow way: it reads every message of every session that is not in the trash.
type obvious struct {
	query core.StatisticsQuery
	zone  *time.Location
	roots map[string]string // the id of the session that a session is a part of
	seen  map[string]map[string]bool
	price core.Pricer
}

func (o *obvious) dayOf(ms int64) string {
	if ms < activity.QuarterMs {
		return ""
	}
	return time.UnixMilli(ms).In(o.zone).Format(time.DateOnly)
}

func (o *obvious) holds(day string) bool {
	if day == "" {
		return o.query.Since == "" && o.query.Until == ""
	}
	return (o.query.Since == "" || day >= o.query.Since) && (o.query.Until == "" || day <= o.query.Until)
}

func (o *obvious) add(to *core.Group, where string, s *core.Session, m *core.Message) {
	if o.seen[where] == nil {
		o.seen[where] = map[string]bool{}
	}
	o.seen[where][o.roots[s.ID]] = true
	to.Sessions = int64(len(o.seen[where]))
	to.Messages++
	if m.IsCall() {
		to.Steps++
		if m.Usage == nil {
			to.Unmetered++
		}
		if m.CostNanoUSD == nil {
			to.Unpriced++
		}
	}
	if m.Usage != nil {
		to.InputTokens += m.Usage.InputTokens
		to.OutputTokens += m.Usage.OutputTokens
		to.CacheReadTokens += m.Usage.CacheReadTokens
		to.CacheWriteTokens += m.Usage.CacheWriteTokens
		to.ReasoningTokens += m.Usage.ReasoningTokens
	}
	more := func(to **int64, n *int64) {
		if n == nil {
			return
		}
		sum := *n
		if *to != nil {
			sum += **to
		}
		*to = &sum
	}
	more(&to.CostNanoUSD, m.CostNanoUSD)
	if !m.IsCall() || m.CostNanoUSD != nil {
		return
	}
	e := core.Estimate{}
	if m.Usage != nil {
		e = o.price.Estimate(m)
	}
	more(&to.EstimatedNanoUSD, e.NanoUSD)
	if e.NanoUSD == nil || e.Partial {
		to.Unestimated++
	}
}

// rootsOf walks from parent to parent.
func rootsOf(sessions []core.Session) map[string]string {
	byID := map[string]core.Session{}
	for _, s := range sessions {
		byID[s.ID] = s
	}
	roots := map[string]string{}
	for _, s := range sessions {
		at, seen := s, map[string]bool{}
		for at.Relation == core.RelationSubagent && !seen[at.ID] {
			parent, ok := byID[at.ParentID]
			if !ok {
				break
			}
			seen[at.ID] = true
			at = parent
		}
		roots[s.ID] = at.ID
	}
	return roots
}

func everySession(tb testing.TB, db *DB) (all []core.Session) {
	tb.Helper()
	for _, f := range []core.SessionFilter{{Children: true}, {Children: true, Archived: true}, {Children: true, Trash: true}} {
		all = append(all, must(db.Sessions(tb.Context(), f))(tb)...)
	}
	return all
}

func (o *obvious) statistics(tb testing.TB, db *DB) core.Statistics {
	tb.Helper()
	sessions := everySession(tb, db)
	o.roots, o.seen = rootsOf(sessions), map[string]map[string]bool{}
	out := core.Statistics{Zone: o.zone.String()}
	groups := map[core.Dimension]map[string]*core.Group{core.ByDay: {}, core.ByModel: {}, core.ByAgent: {}, core.ByWorkspace: {}, core.BySource: {}, "calendar": {}, "cell": {}}
	into := func(d core.Dimension, key string, s *core.Session, m *core.Message) {
		if groups[d][key] == nil {
			groups[d][key] = &core.Group{}
		}
		o.add(groups[d][key], string(d)+":"+key, s, m)
	}
	tools := map[string]*core.ToolUse{}
	for i := range sessions {
		s := &sessions[i]
		if s.DeletedAtMs > 0 || o.query.Workspace != "" && s.WorkspacePath != o.query.Workspace ||
			len(o.query.Sources) > 0 && !slices.Contains(o.query.Sources, s.Source) {
			continue
		}
		for _, m := range collect(tb, db.Messages(tb.Context(), s.ID)) {
			day := o.dayOf(m.CreatedAtMs)
			if o.query.Model != "" && modelname.Family(m.Model) != modelname.Family(o.query.Model) {
				continue
			}
			if day != "" {
				into("calendar", day, s, &m)
			}
			if !o.holds(day) {
				continue
			}
			o.add(&out.Total, "", s, &m)
			into(core.ByWorkspace, s.WorkspacePath, s, &m)
			into(core.BySource, string(s.Source), s, &m)
			split := map[core.Dimension]string{core.ByModel: modelname.Family(m.Model), core.ByWorkspace: s.WorkspacePath, core.BySource: string(s.Source)}[o.query.Split]
			into(core.ByModel, modelname.Family(m.Model), s, &m)
			if m.IsCall() {
				into(core.ByAgent, m.Agent, s, &m)
			}
			if day != "" {
				into(core.ByDay, day, s, &m)
				if o.query.Split != "" {
					into("cell", day+"|"+split, s, &m)
				}
			}
			for _, p := range m.Parts {
				if p.Type != core.PartToolCall {
					continue
				}
				if tools[p.Name] == nil {
					tools[p.Name] = &core.ToolUse{Name: p.Name}
				}
				tools[p.Name].Calls++
				out.ToolCalls++
				var ignored core.Group
				o.add(&ignored, "tool:"+p.Name, s, &m)
				tools[p.Name].Sessions = ignored.Sessions
			}
		}
	}
	// Messages of no model count for one only where a model was called without being named. A group is as a whole of no model or not.
	if none := groups[core.ByModel][""]; none != nil {
		*none = core.Group{}
		delete(groups[core.ByModel], "")
	}
	list := func(d core.Dimension) []core.Group {
		list := []core.Group{}
		for key, m := range groups[d] {
			m.Key = key
			list = append(list, *m)
		}
		slices.SortFunc(list, func(a, b core.Group) int { return cmp.Compare(a.Key, b.Key) })
		return list
	}
	out.Days, out.Models, out.Agents, out.Workspaces, out.Sources = list(core.ByDay), list(core.ByModel), list(core.ByAgent), list(core.ByWorkspace), list(core.BySource)
	cells := func(d core.Dimension) []core.Cell {
		cells := []core.Cell{}
		for _, g := range list(d) {
			day, key := g.Key, ""
			if d == "cell" {
				day, key = g.Key[:10], g.Key[11:]
				if o.query.Split == core.ByModel && key == "" {
					continue
				}
			}
			cells = append(cells, core.Cell{
				Day: day, Key: key, Sessions: g.Sessions, Tokens: g.Tokens(), Steps: g.Steps, Unpriced: g.Unpriced, CostNanoUSD: g.CostNanoUSD,
				EstimatedNanoUSD: g.EstimatedNanoUSD, Unestimated: g.Unestimated,
			})
		}
		return cells
	}
	out.Calendar, out.Cells = cells("calendar"), cells("cell")
	out.Tools = []core.ToolUse{}
	for _, tool := range tools {
		out.Tools = append(out.Tools, *tool)
	}
	slices.SortFunc(out.Tools, func(a, b core.ToolUse) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// compare holds the library's statistics against the obvious ones. Orders by size are tested elsewhere.
func (o *obvious) compare(t *rapid.T, tb testing.TB, db *DB) {
	tb.Helper()
	got, want := must(db.Statistics(tb.Context(), o.query, o.zone))(tb), o.statistics(tb, db)
	byKey := func(a, b core.Group) int { return cmp.Compare(a.Key, b.Key) }
	for _, groups := range [][]core.Group{got.Models, got.Agents, got.Workspaces, got.Sources} {
		slices.SortFunc(groups, byKey)
	}
	slices.SortFunc(got.Tools, func(a, b core.ToolUse) int { return cmp.Compare(a.Name, b.Name) })
	got.Models = slices.DeleteFunc(got.Models, func(g core.Group) bool { return g.Key == "" })
	if o.query.Split == core.ByModel {
		got.Cells = slices.DeleteFunc(got.Cells, func(c core.Cell) bool { return c.Key == "" })
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("of %+v in %s\n%s\nwant\n%s", o.query, o.zone, shown(got), shown(want))
	}
}

func shown(s core.Statistics) string {
	text := fmt.Sprintf("total %+v, %d calls, %d pending, tools %+v\n", s.Total, s.ToolCalls, s.Pending, s.Tools)
	for name, groups := range map[string][]core.Group{"days": s.Days, "models": s.Models, "agents": s.Agents, "workspaces": s.Workspaces, "sources": s.Sources} {
		text += fmt.Sprintf("%s %+v\n", name, groups)
	}
	return text + fmt.Sprintf("cells %+v\ncalendar %+v", s.Cells, s.Calendar)
}

var (
	workspaces = []string{"", "/home/ada/one", "/home/ada/two"}          // a constant
	models     = []string{"", "demo/one", "demo/two", "two-latest"}      // a constant
	agents     = []string{"", "writer", "critic", "demo/one"}            // a constant
	toolNames  = []string{"read_file", "edit_file", "mcp__tracker__add"} // a constant
)

// drawSpent gives a message a time around a change of clocks, and what a model's message may have.
func drawSpent(t *rapid.T, m *core.Message) {
	clocksChange := time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC).UnixMilli()
	m.CreatedAtMs = clocksChange + rapid.Int64Range(-3*24, 3*24).Draw(t, "hours")*3_600_000 + rapid.Int64Range(-40, 40).Draw(t, "minutes")*60_000
	if rapid.IntRange(0, 19).Draw(t, "time") == 0 {
		m.CreatedAtMs = 1
	}
	if m.Role != core.RoleAssistant {
		return
	}
	m.Model = rapid.SampledFrom(models).Draw(t, "model")
	m.Agent = rapid.SampledFrom(agents).Draw(t, "agent")
	if rapid.Bool().Draw(t, "unmetered") {
		m.Usage = nil
	} else {
		m.Usage.ReasoningTokens = rapid.Int64Range(0, 1<<40).Draw(t, "reasoning")
	}
	m.CostNanoUSD = rapid.Custom(func(t *rapid.T) *int64 {
		n := rapid.Int64Range(-1, 1_000_000_000_000).Draw(t, "cost")
		if n < 0 {
			return nil
		}
		return &n
	}).Draw(t, "cost")
	for range rapid.IntRange(0, 2).Draw(t, "calls") {
		m.Parts = append(m.Parts, core.Part{Type: core.PartToolCall, ID: "c", Name: rapid.SampledFrom(toolNames).Draw(t, "tool")})
	}
}

// Whatever happens to sessions, statistics are the sums of their messages.
func TestStatisticsAreObvious(t *testing.T) {
	zones := []string{"UTC", "Europe/Berlin", "Asia/Kathmandu", "America/Sao_Paulo", "Pacific/Chatham"}
	prices := &testPrices{key: 1}
	db := openPriced(t, filepath.Join(t.TempDir(), "coppice.db"), prices)
	ctx := t.Context()
	rapid.Check(t, func(rt *rapid.T) {
		for _, s := range everySession(t, db) {
			check(t, db.Trash(ctx, []string{s.ID}))
		}
		must(db.Purge(ctx, nil))(t)
		ids, numbers := []string{}, map[string]int{}
		for i := range rapid.IntRange(1, 14).Draw(rt, "deeds") {
			if deed := rapid.IntRange(0, 9).Draw(rt, "deed"); deed < 6 || len(ids) == 0 {
				// A new session, a longer form of one, or a copy of one by another id.
				number := rapid.IntRange(0, 4).Draw(rt, "session")
				forms := growing(rt)
				form := forms[rapid.IntRange(0, len(forms)-1).Draw(rt, "form")]
				for j := range form.messages {
					c := &form.messages[j]
					c.UID = fmt.Sprintf("00000000-0000-7000-8000-%04d0000%04s", number, c.UID)
					if c.ParentUID != "" {
						c.ParentUID = fmt.Sprintf("00000000-0000-7000-8000-%04d0000%04s", number, c.ParentUID)
					}
					drawSpent(rt, c)
				}
				in := incoming(fmt.Sprintf("session %d of copy %d", number, rapid.IntRange(0, 1).Draw(rt, "copy")), form.messages...)
				in.Session.Source = rapid.SampledFrom([]core.Source{core.SourcePi, core.SourceCodex}).Draw(rt, "source")
				in.Session.WorkspacePath = rapid.SampledFrom(workspaces).Draw(rt, "workspace")
				elders := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return numbers[id] >= number })
				if number > 2 {
					elders = append(elders, core.DerivedID(startMs, "pi", "session 2 of copy 0")) // it may come later
				}
				if len(elders) > 0 && rapid.Bool().Draw(rt, "has parent") {
					in.Session.ParentID = rapid.SampledFrom(elders).Draw(rt, "parent")
					in.Session.Relation = rapid.SampledFrom([]core.Relation{core.RelationSubagent, core.RelationFork}).Draw(rt, "relation")
				}
				if got, err := core.Merge(ctx, db, in); err == nil {
					ids = append(ids, got.SessionID)
					numbers[got.SessionID] = number
				}
				continue
			} else if id := rapid.SampledFrom(ids).Draw(rt, "id"); deed == 6 {
				m := say(fmt.Sprintf("more %d", i), "", core.RoleAssistant)
				drawSpent(rt, &m)
				_, _ = db.Append(ctx, id, m)
			} else if deed == 7 {
				_ = db.Trash(ctx, []string{id})
			} else if deed == 8 {
				_ = db.Restore(ctx, []string{id})
			} else {
				_, err := db.Purge(ctx, nil)
				check(t, err)
			}
		}
		if rapid.Bool().Draw(rt, "from before") { // as a migration leaves them
			raw(t, db.FilePath(), `DELETE FROM activity WHERE session % 2 = 1`)
			forgetAgents(t, db, rapid.IntRange(2, 3).Draw(rt, "forgotten"))
			wantSound(t, db)
			check(t, db.CountActivity(ctx, nil))
		}
		if rapid.Bool().Draw(rt, "other prices") {
			prices.key++
			check(t, db.EstimateCosts(ctx, nil))
		}
		o := &obvious{price: prices, zone: must(time.LoadLocation(rapid.SampledFrom(zones).Draw(rt, "zone")))(t)}
		for range 4 {
			o.query = core.StatisticsQuery{
				Since:     rapid.SampledFrom([]string{"", "2026-10-24", "2026-10-25"}).Draw(rt, "since"),
				Until:     rapid.SampledFrom([]string{"", "2026-10-25", "2026-10-26"}).Draw(rt, "until"),
				Workspace: rapid.SampledFrom(workspaces).Draw(rt, "workspace"),
				Model:     rapid.SampledFrom(append(models, "demo/none")).Draw(rt, "model"),
				Split:     rapid.SampledFrom([]core.Dimension{"", core.ByModel, core.ByWorkspace, core.BySource}).Draw(rt, "split"),
			}
			if rapid.Bool().Draw(rt, "of a source") {
				o.query.Sources = []core.Source{core.SourcePi}
			}
			o.compare(rt, t, db)
		}
		midnight := time.Date(2026, 10, 25, 0, 0, 0, 0, o.zone)
		lately := must(db.ActivitySince(ctx, midnight.UnixMilli()))(t)
		whole := must(db.Statistics(ctx, core.StatisticsQuery{Since: midnight.Format(time.DateOnly)}, o.zone))(t).Total
		if !reflect.DeepEqual(lately, whole) {
			rt.Fatalf("since %s %+v, want %+v", midnight, lately, whole)
		}
		wantSound(t, db)
	})
}

// forgetAgents makes every n-th row of activity one that a version without agents has counted.
func forgetAgents(tb testing.TB, db *DB, n int) {
	tb.Helper()
	check(tb, db.library.Write(tb.Context(), func(t *store.Txn) error {
		var rows []struct {
			Session int64
			Tally   []byte
		}
		if err := t.All(tb.Context(), &rows, `SELECT session, tally FROM activity WHERE session % ? = 0`, n); err != nil {
			return err
		}
		for _, row := range rows {
			sum := must(activity.Decode(row.Tally))(tb).WithoutAgents()
			sum.Former = true
			if _, err := t.Exec(tb.Context(), `UPDATE activity SET tally = ? WHERE session = ?`, activity.Encode(sum), row.Session); err != nil {
				return err
			}
		}
		return nil
	}))
}

// What no agent is named for counts calls only, also if another message of that time names the same model.
func TestStatisticsOfNoAgent(t *testing.T) {
	db := openTest(t)
	question, answer := say("a", "", core.RoleUser), say("b", "a", core.RoleAssistant)
	question.Model, answer.Model, answer.Agent = "demo/one", "demo/one", ""
	merged(t, db, incoming("one", question, answer))
	got := must(db.Statistics(t.Context(), core.StatisticsQuery{}, time.UTC))(t)
	if len(got.Agents) != 1 || got.Agents[0].Messages != 1 || got.Agents[0].Steps != 1 || got.Total.Messages != 2 {
		t.Errorf("%+v of %+v", got.Agents, got.Total)
	}
}

// A library of a version without agents is counted again, but only where agents are named; what is added before that is counted too.
func TestStatisticsOfAgents(t *testing.T) {
	db := openTest(t)
	by := func(uid, parent, agent string) core.Message {
		m := say(uid, parent, core.RoleAssistant)
		m.Agent = agent
		return m
	}
	merged(t, db, incoming("alone", say("a", "", core.RoleUser), by("b", "a", "")))
	merged(t, db, incoming("team", say("c", "", core.RoleUser), by("d", "c", "writer"), by("e", "d", "critic"), by("f", "e", "writer")))
	want := func(pending int64, want ...string) {
		t.Helper()
		s := must(db.Statistics(t.Context(), core.StatisticsQuery{}, time.UTC))(t)
		var got []string
		for _, g := range s.Agents {
			got = append(got, fmt.Sprintf("%s: %d calls, %d tokens, %d", g.Key, g.Steps, g.Tokens(), *g.CostNanoUSD))
		}
		if !slices.Equal(got, want) || s.Pending != pending || s.Total.Steps != 4 && s.Total.Steps != 5 {
			t.Errorf("agents %q, %d pending, %d calls", got, s.Pending, s.Total.Steps)
		}
	}
	want(0, "writer: 2 calls, 26 tokens, 500", ": 1 calls, 13 tokens, 250", "critic: 1 calls, 13 tokens, 250")
	forgetAgents(t, db, 1)
	want(2, ": 4 calls, 52 tokens, 1000")
	_, err := db.Append(t.Context(), core.DerivedID(startMs, "claude_code", "team"), by("g", "f", "critic"))
	check(t, err)
	want(2, ": 4 calls, 52 tokens, 1000", "critic: 1 calls, 13 tokens, 250")
	counted := int64(0)
	check(t, db.CountActivity(t.Context(), func(p core.Progress) { counted = p.Total }))
	want(0, "critic: 2 calls, 26 tokens, 500", "writer: 2 calls, 26 tokens, 500", ": 1 calls, 13 tokens, 250")
	if counted != 1 {
		t.Errorf("%d sessions were counted again, want the one with agents", counted)
	}
	wantSound(t, db)
}

// A tally of a version with estimates and without agents.
func TestTallyOfFormerVersions(t *testing.T) {
	sum := must(activity.Decode(append([]byte{0, 1, 1, 7, 1, 1, 2, 3}, make([]byte, 11)...)))(t)
	want := activity.TallyKey[int64]{Quarter: 7, Model: 1}
	if !sum.Former || len(sum.Spent) != 1 || sum.Spent[want] != (activity.Counts{1, 2, 3}) {
		t.Errorf("%+v", sum)
	}
	if again := must(activity.Decode(activity.Encode(sum)))(t); !reflect.DeepEqual(again, sum) {
		t.Errorf("%+v is read again as %+v", sum, again)
	}
}

func spentAt(at time.Time, m core.Message) core.Message {
	m.CreatedAtMs = at.UnixMilli()
	return m
}

// The day the clocks go back in Berlin has 25 hours; in UTC the same messages are of two days.
func TestStatisticsDays(t *testing.T) {
	db := openTest(t)
	berlin := must(time.LoadLocation("Europe/Berlin"))(t)
	first := time.Date(2026, 10, 25, 0, 0, 0, 0, berlin)
	merged(t, db, incoming("one",
		spentAt(first.Add(-time.Minute), say("a", "", core.RoleUser)),
		spentAt(first, say("b", "a", core.RoleAssistant)),
		spentAt(first.Add(25*time.Hour-time.Minute), say("c", "b", core.RoleAssistant)),
		spentAt(first.Add(25*time.Hour), say("d", "c", core.RoleAssistant)),
	))
	days := func(zone *time.Location) (days []string) {
		for _, d := range must(db.Statistics(t.Context(), core.StatisticsQuery{}, zone))(t).Days {
			days = append(days, fmt.Sprintf("%s %d", d.Key, d.Messages))
		}
		return days
	}
	if got := days(berlin); !slices.Equal(got, []string{"2026-10-24 1", "2026-10-25 2", "2026-10-26 1"}) {
		t.Errorf("in Berlin %q", got)
	}
	if got := days(time.UTC); !slices.Equal(got, []string{"2026-10-24 2", "2026-10-25 2"}) {
		t.Errorf("in UTC %q", got)
	}
	_, err := db.Statistics(t.Context(), core.StatisticsQuery{Since: "yesterday"}, berlin)
	wantCode(t, err, core.Invalid)
	_, err = db.Statistics(t.Context(), core.StatisticsQuery{Split: core.ByTool}, berlin)
	wantCode(t, err, core.Invalid)
}

// A cost that nobody knows is not 0.
func TestStatisticsUnknownCosts(t *testing.T) {
	db := openTest(t)
	unknown := say("b", "a", core.RoleAssistant)
	unknown.CostNanoUSD, unknown.Usage, unknown.Model = nil, nil, "demo/dear"
	merged(t, db, incoming("one", say("a", "", core.RoleUser), unknown))
	s := must(db.Statistics(t.Context(), core.StatisticsQuery{}, time.UTC))(t)
	if s.Total.CostNanoUSD != nil || s.Total.Unpriced != 1 || s.Total.Unmetered != 1 || s.Days[0].CostNanoUSD != nil {
		t.Errorf("total %+v", s.Total)
	}
	merged(t, db, incoming("two", say("c", "", core.RoleUser), say("d", "c", core.RoleAssistant)))
	s = must(db.Statistics(t.Context(), core.StatisticsQuery{}, time.UTC))(t)
	if *s.Total.CostNanoUSD != 250 || s.Total.Unpriced != 1 || s.Total.Steps != 2 {
		t.Errorf("total %+v", s.Total)
	}
	if len(s.Models) != 2 || s.Models[0].Key != "one" || s.Models[1].CostNanoUSD != nil {
		t.Errorf("models %+v", s.Models)
	}
}

// A subagent's session is a part of its parent's, whichever comes first, until the parent is gone.
func TestStatisticsOfSubagents(t *testing.T) {
	db := openTest(t)
	parent := core.DerivedID(startMs, "claude_code", "parent")
	subagent := func(name, of string) core.Incoming {
		in := incoming(name, say(name+"1", "", core.RoleUser), say(name+"2", name+"1", core.RoleAssistant))
		in.Session.ParentID, in.Session.Relation = of, core.RelationSubagent
		return in
	}
	child := merged(t, db, subagent("child", parent))
	merged(t, db, subagent("grandchild", child))
	merged(t, db, incoming("parent", say("p1", "", core.RoleUser), say("p2", "p1", core.RoleAssistant)))
	want := func(sessions, steps int64) {
		t.Helper()
		if s := must(db.Statistics(t.Context(), core.StatisticsQuery{}, time.UTC))(t); s.Total.Sessions != sessions || s.Total.Steps != steps {
			t.Errorf("total %+v, want %d sessions and %d steps", s.Total, sessions, steps)
		}
	}
	want(1, 3)
	check(t, db.Trash(t.Context(), []string{parent}))
	want(0, 0)
	check(t, db.Restore(t.Context(), []string{child}))
	want(1, 2)
	must(db.Purge(t.Context(), nil))(t)
	want(1, 2)
	merged(t, db, incoming("another", say("q", "", core.RoleUser))) // it may be given the key of the one that is gone
	want(2, 2)
	wantSound(t, db)
}

// Sessions that are each other's parents cannot be, and do no harm.
func TestStatisticsOfACircle(t *testing.T) {
	db := openTest(t)
	for name, of := range map[string]string{"one": "two", "two": "one"} {
		in := incoming(name, say(name, "", core.RoleUser))
		in.Session.ParentID, in.Session.Relation = core.DerivedID(startMs, "claude_code", of), core.RelationSubagent
		merged(t, db, in)
	}
	if s := must(db.Statistics(t.Context(), core.StatisticsQuery{}, time.UTC))(t); s.Total.Messages != 2 || s.Total.Sessions != 1 {
		t.Errorf("total %+v", s.Total)
	}
}

// A conversation that two tools have recorded is counted once, without what only the older record has.
func TestStatisticsOfCopies(t *testing.T) {
	db := openTest(t)
	uid := func(i int) string { return fmt.Sprintf("00000000-0000-7000-8000-00000000000%d", i) }
	call := func(m core.Message, tool string) core.Message {
		m.Parts = append(m.Parts, core.Part{Type: core.PartToolCall, ID: "c", Name: tool})
		return m
	}
	a, b := say(uid(1), "", core.RoleUser), say(uid(2), uid(1), core.RoleAssistant)
	merged(t, db, incoming("one", a, call(b, "look")))
	merged(t, db, incoming("copy", a, call(b, "look"), say(uid(3), uid(1), core.RoleAssistant)))
	b.Model = "demo/two"
	merged(t, db, incoming("one", a, call(call(b, "read"), "read")))
	s := must(db.Statistics(t.Context(), core.StatisticsQuery{}, time.UTC))(t)
	if s.Total.Sessions != 1 || s.Total.Messages != 3 || s.Total.Steps != 2 || s.ToolCalls != 2 {
		t.Errorf("total %+v, %d calls", s.Total, s.ToolCalls)
	}
	if !slices.Equal(s.Tools, []core.ToolUse{{Name: "read", Calls: 2, Sessions: 1}}) || len(s.Models) != 2 {
		t.Errorf("tools %+v, models %+v", s.Tools, s.Models)
	}
	wantSound(t, db)
}

// What is damaged is said, and not guessed.
func TestStatisticsDamaged(t *testing.T) {
	db := openTest(t)
	merged(t, db, incoming("one", chain(4)...))
	raw(t, db.FilePath(), `UPDATE activity SET tally = x'ff'`)
	_, err := db.Statistics(t.Context(), core.StatisticsQuery{}, time.UTC)
	wantCode(t, err, core.Corrupt)
	if problems := must(db.Check(t.Context(), nil))(t); len(problems) != 1 {
		t.Errorf("problems %q", problems)
	}
}

func FuzzTally(f *testing.F) {
	sum := activity.NewTally[int64]()
	sum.AddSpent(activity.TallyKey[int64]{Quarter: 7, Model: 1}, &activity.Counts{1, 2, 3}, 1)
	f.Add(activity.Encode(sum))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := activity.Decode(data)
		if err != nil {
			return
		}
		again, err := activity.Decode(activity.Encode(read))
		if err != nil || !reflect.DeepEqual(again, read) {
			t.Fatalf("%+v is read again as %+v, %v", read, again, err)
		}
	})
}

// A library of 100,000 sessions, which is a hundred times the usual one.
func BenchmarkStatistics(b *testing.B) {
	db := openTest(b)
	check(b, db.library.Write(b.Context(), func(t *store.Txn) error { return addBusyYears(b.Context(), t, 100_000) }))
	for _, query := range []core.StatisticsQuery{{Split: core.ByModel}, {Since: "2026-09-01", Split: core.BySource}, {Model: "model 3"}} {
		b.Run(fmt.Sprintf("%s%s%s", query.Since, query.Model, query.Split), func(b *testing.B) {
			for b.Loop() {
				must(db.Statistics(b.Context(), query, time.UTC))(b)
			}
		})
	}
}

// addBusyYears writes sessions of two years as if they had been imported, without their messages.
func addBusyYears(ctx context.Context, t *store.Txn, sessions int) error {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range sessions {
		id := fmt.Sprintf("session %d", i)
		begun := startMs - random.Int64N(730*24*3_600_000)
		key, err := tables.AddSession(ctx, t, &core.Session{
			ID: id, Source: core.Sources()[random.IntN(5)], SourceID: id, Status: core.StatusIdle, CreatedAtMs: begun, UpdatedAtMs: begun,
			WorkspacePath: fmt.Sprintf("/home/ada/work/project %d", random.IntN(60)), Title: "what a session is called", Task: strings.Repeat("words ", 60),
		})
		if err != nil {
			return err
		}
		e := t.Ledger.Of(key)
		model := fmt.Sprintf("model %d", random.IntN(9))
		for range 10 {
			m := say("u", "", core.RoleAssistant)
			m.Model, m.CreatedAtMs = model, begun+random.Int64N(40*60_000)
			m.Parts = append(m.Parts, core.Part{Type: core.PartToolCall, Name: toolNames[random.IntN(len(toolNames))]})
			activity.TallyMessage(e.Tally, &m, 1)
		}
	}
	return nil
}
