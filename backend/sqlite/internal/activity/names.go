package activity

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/sqlite/internal/conn"
)

// names finds the numbers that models, agents and tools have in the file.
type names struct {
	*conn.Tx
	numbers map[string]int64
}

// NewNames returns the numbers of names in a transaction.
func NewNames(t *conn.Tx) *names { return &names{t, map[string]int64{"": 0}} }

// Number gives names of a tally their numbers, new ones to those that are new.
func (n *names) Number(ctx context.Context, t Tally[string]) (Tally[int64], error) {
	var err error
	numbered := Translate(t, func(name string) int64 {
		number, known := n.numbers[name]
		if !known && err == nil {
			number, err = n.find(ctx, name)
		}
		return number
	})
	return numbered, err
}

func (n *names) find(ctx context.Context, name string) (number int64, err error) {
	err = n.Get(ctx, &number, `SELECT id FROM activity_names WHERE name = ?`, name)
	if errors.Is(err, sql.ErrNoRows) {
		number, err = n.Insert(ctx, `INSERT INTO activity_names (name) VALUES (?)`, name)
	}
	if err == nil {
		n.numbers[name] = number
	}
	return number, err
}

// ReadNames returns all names by their numbers.
func ReadNames(ctx context.Context, t *conn.Tx) (map[int64]string, error) {
	var rows []struct {
		ID   int64
		Name string
	}
	err := t.All(ctx, &rows, `SELECT id, name FROM activity_names`)
	names := map[int64]string{0: ""}
	for _, row := range rows {
		names[row.ID] = row.Name
	}
	return names, err
}
