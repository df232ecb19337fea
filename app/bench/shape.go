package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// shape is the form of the message tree of a session.
type shape struct {
	name string
	// parent returns the index of the parent of message i. parents holds the parents of the messages before it; that of
	// the first is -1.
	parent func(i int, parents []int32, random *rand.Rand) int32
	isChat bool // prompts and answers alternate; else the steps of an agent with its tools
}

// shapes returns the shapes of large sessions by name. agent: long chains, with a 2 % chance to continue up to 30
// messages back. chat: 10 %, up to 10 messages. bushy: any message may be the parent of any later one. chain: one path.
// comb: all messages are alternatives of one prompt.
func shapes() map[string]shape {
	all := map[string]shape{}
	for _, s := range []shape{
		{name: "agent", parent: goesBack(2, 60)},
		{name: "chat", parent: goesBack(10, 20), isChat: true},
		{name: "bushy", parent: func(i int, _ []int32, random *rand.Rand) int32 { return random.Int32N(int32(i)) }, isChat: true}, //nolint:gosec // a session has fewer than two billion messages
		{name: "chain", parent: goesBack(0, 1)},
		{name: "comb", parent: func(int, []int32, *rand.Rand) int32 { return 0 }, isChat: true},
	} {
		all[s.name] = s
	}
	return all
}

// goesBack returns the parent function of a conversation that usually continues from its last message. In percent of
// 100 cases it continues from one of the most ancestors above the last message.
func goesBack(percent, most int) func(int, []int32, *rand.Rand) int32 {
	return func(i int, parents []int32, random *rand.Rand) int32 {
		parent := int32(i - 1) //nolint:gosec // as above
		if random.IntN(100) >= percent {
			return parent
		}
		for back := 1 + random.IntN(most); back > 0 && parents[parent] >= 0; back-- {
			parent = parents[parent]
		}
		return parent
	}
}

// addShape adds a session of n messages to the library, the same one each time. Its title consists of the shape and the
// size.
func addShape(ctx context.Context, db *sqlite.DB, name string, n int) error {
	title := fmt.Sprintf("%s of %d", name, n)
	_, err := core.Merge(ctx, db, core.Incoming{
		Header:   core.Header{Session: core.Session{Source: core.SourceCoppice, SourceID: title, Title: title, CreatedAtMs: startMs}},
		Messages: shaped(shapes()[name], n),
		Head:     func() string { return uid(n - 1) },
	})
	if err != nil {
		return fmt.Errorf("add a session, %s: %w", title, err)
	}
	return nil
}

func shaped(s shape, n int) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same session every time
		parents, depths := make([]int32, n), make([]int, n)
		parents[0] = -1
		for i := range n {
			if i > 0 {
				parents[i] = s.parent(i, parents, random)
				depths[i] = depths[parents[i]] + 1
			}
			if !yield(core.IncomingMessage{Message: shapedMessage(s, i, int(parents[i]), depths[i])}, nil) {
				return
			}
		}
	}
}

// agentTurn is the number of messages in a turn of an agent: a prompt, calls with their results, and an answer.
const agentTurn = 12

func shapedMessage(s shape, i, parent, depth int) core.Message {
	m := core.Message{UID: uid(i), ParentUID: uid(parent), Kind: core.KindMessage, CreatedAtMs: startMs + int64(i)*20_000}
	length := agentTurn
	if s.isChat {
		length = 2
	}
	switch place := depth % length; {
	case place == 0:
		m.Role = core.RoleUser
		m.Parts = []core.Part{{Type: core.PartText, Text: fmt.Sprintf("Does part %d also work when the disk is full?", i)}}
	case place%2 == 0:
		m.Role = core.RoleTool
		result := []core.Part{{Type: core.PartText, Text: fmt.Sprintf("%d lines were read", i)}}
		m.Parts = []core.Part{{Type: core.PartToolResult, ID: fmt.Sprint("c", parent), Name: "read_file", Result: result}}
	default:
		cost := int64(1_000_000 + i%1000*1000)
		m.Role, m.Model, m.CostNanoUSD = core.RoleAssistant, "demo/large", &cost
		m.Usage = &core.Usage{InputTokens: int64(900 + depth), OutputTokens: 120}
		m.Parts = []core.Part{{Type: core.PartText, Text: fmt.Sprintf("That is answer %d. Undo it, and try it with a table instead.", i)}}
		if place < length-1 {
			call := json.RawMessage(fmt.Sprintf(`{"path":"src/part-%d.go"}`, i))
			m.Parts = append(m.Parts, core.Part{Type: core.PartToolCall, ID: fmt.Sprint("c", i), Name: "read_file", Arguments: call})
		}
	}
	return m
}
