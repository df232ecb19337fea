package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"coppice/backend/core"
)

// testPrices prices a token at key nano-USD. It has no price for demo/two, and knows only a part of the price of odd outputs.
type testPrices struct{ key int64 }

func (p *testPrices) PriceKey() int64 { return p.key }

func (p *testPrices) Estimate(m *core.Message) core.Estimate {
	if m.Model == "demo/two" {
		return core.Estimate{}
	}
	cost := min(p.key*(m.Usage.InputTokens+m.Usage.OutputTokens), core.MaxCostNanoUSD)
	return core.Estimate{NanoUSD: &cost, Partial: m.Usage.OutputTokens%2 == 1}
}

func openPriced(tb testing.TB, path string, prices core.Pricer) *DB {
	tb.Helper()
	nowMs := int64(startMs)
	db, err := Open(tb.Context(), path, Options{Now: func() int64 { nowMs++; return nowMs }, Prices: prices})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { check(tb, db.Close()) })
	return db
}

// unbilled is an answer without a cost.
func unbilled(uid, parent, model string, input, output int64) core.Message {
	m := say(uid, parent, core.RoleAssistant)
	m.Model, m.CostNanoUSD, m.Usage = model, nil, &core.Usage{InputTokens: input, OutputTokens: output}
	return m
}

func wantEstimate(tb testing.TB, db *DB, id string, estimated *int64, unpriced int64) {
	tb.Helper()
	s := must(db.Session(tb.Context(), id))(tb)
	if got, want := words(s.EstimatedNanoUSD), words(estimated); got != want || s.UnpricedCount != unpriced {
		tb.Errorf("estimated %s with %d unpriced, want %s with %d", got, s.UnpricedCount, want, unpriced)
	}
}

func words(n *int64) string {
	data, _ := json.Marshal(n)
	return string(data)
}

func nano(n int64) *int64 { return &n }

func TestEstimatesAreKeptByTheWriter(t *testing.T) {
	db := openPriced(t, filepath.Join(t.TempDir(), "l.db"), &testPrices{key: 3})
	billed := say("b", "a", core.RoleAssistant) // 250 nano-USD
	id := merged(t, db, incoming("one", say("a", "", core.RoleUser), billed))
	wantEstimate(t, db, id, nil, 0)
	id = merged(t, db, incoming("one", say("a", "", core.RoleUser), billed, unbilled("c", "b", "demo/one", 100, 10)))
	wantEstimate(t, db, id, nano(330), 0)
	must(db.Append(t.Context(), id, unbilled("d", "c", "demo/two", 100, 10)))(t)
	wantEstimate(t, db, id, nano(330), 1)
	must(db.Append(t.Context(), id, unbilled("e", "d", "demo/one", 100, 11)))(t)
	wantEstimate(t, db, id, nano(663), 2)
	s := must(db.Session(t.Context(), id))(t)
	if s.CostNanoUSD == nil || *s.CostNanoUSD != 250 {
		t.Errorf("the billed cost is %s", words(s.CostNanoUSD))
	}
	wantSound(t, db)
}

// A longer form of a session replaces an answer whose cost is known now.
func TestEstimatesGiveWayToCosts(t *testing.T) {
	db := openPriced(t, filepath.Join(t.TempDir(), "l.db"), &testPrices{key: 3})
	b := unbilled("b", "a", "demo/one", 100, 10)
	id := merged(t, db, incoming("one", say("a", "", core.RoleUser), b))
	wantEstimate(t, db, id, nano(330), 0)
	b.CostNanoUSD = nano(77)
	merged(t, db, incoming("one", say("a", "", core.RoleUser), b))
	wantEstimate(t, db, id, nil, 0)
	wantSound(t, db)
}

// A library without estimates, and one with those of other prices, is estimated in steps that can be stopped.
func TestEstimatesFollowThePrices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.db")
	before, err := Open(t.Context(), path, Options{})
	check(t, err)
	long := []core.Message{say("a", "", core.RoleUser)}
	for i := range 450 { // more than two steps
		long = append(long, unbilled(fmt.Sprint("b", i), long[i].UID, "demo/one", 10, 2))
	}
	ids := []string{merged(t, before, incoming("long", long...))}
	for i := range 3 {
		a, b := fmt.Sprint("q", i), fmt.Sprint("r", i)
		ids = append(ids, merged(t, before, incoming(fmt.Sprint("short", i), say(a, "", core.RoleUser), unbilled(b, a, "demo/one", 10, 2))))
	}
	wantEstimate(t, before, ids[0], nil, 450)
	check(t, before.EstimateCosts(t.Context(), nil)) // without prices nothing happens
	check(t, before.Close())

	prices := &testPrices{key: 5}
	db := openPriced(t, path, prices)
	stopped, stop := context.WithCancel(t.Context())
	err = db.EstimateCosts(stopped, func(core.Progress) { stop() })
	if !errors.Is(err, context.Canceled) && core.CodeOf(err) != core.Canceled {
		t.Fatalf("stopped: %v", err)
	}
	wantSound(t, db)
	estimated := 0
	for _, id := range ids {
		if must(db.Session(t.Context(), id))(t).EstimatedNanoUSD != nil {
			estimated++
		}
	}
	if estimated != 1 {
		t.Errorf("%d sessions are estimated after the first one", estimated)
	}
	seen := int64(0)
	check(t, db.EstimateCosts(t.Context(), func(p core.Progress) { seen = p.Total }))
	if seen != 3 {
		t.Errorf("continued with %d sessions, want 3", seen)
	}
	wantEstimate(t, db, ids[0], nano(450*12*5), 0)
	wantEstimate(t, db, ids[1], nano(60), 0)
	check(t, db.EstimateCosts(t.Context(), func(core.Progress) { t.Error("estimated again with the same prices") }))

	prices.key = 7
	check(t, db.EstimateCosts(t.Context(), nil))
	wantEstimate(t, db, ids[0], nano(450*12*7), 0)
	wantSound(t, db)
}

func TestMostExpensiveCountsEstimates(t *testing.T) {
	db := openPriced(t, filepath.Join(t.TempDir(), "l.db"), &testPrices{key: 1})
	one := func(name string, m core.Message) string {
		m.UID, m.ParentUID = name+"2", name+"1"
		return merged(t, db, incoming(name, say(name+"1", "", core.RoleUser), m))
	}
	small := one("small", unbilled("", "", "demo/two", 10, 1))
	large := one("large", unbilled("", "", "demo/two", 10_000, 1))
	billed := one("billed", say("", "", core.RoleAssistant)) // 250
	dear := one("dear", unbilled("", "", "demo/one", 300, 0))
	cheap := one("cheap", unbilled("", "", "demo/one", 100, 0))
	got := []string{}
	for _, s := range must(db.Sessions(t.Context(), core.SessionFilter{Sort: core.SortCost}))(t) {
		got = append(got, s.ID)
	}
	if want := []string{dear, billed, cheap, large, small}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
