package runs

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// storeState stores a run state unless it is there, and returns its key.
func storeState(ctx context.Context, t *store.Txn, s *core.RunState) (int64, error) {
	_, address, err := s.Encode()
	if err != nil {
		return 0, err
	}
	hash, err := digestOf(address)
	if err != nil {
		return 0, err
	}
	var key int64
	if err := t.Get(ctx, &key, `SELECT key FROM run_states WHERE hash = ?`, hash); !errors.Is(err, sql.ErrNoRows) {
		return key, err
	}
	tools, err := jsontext.Encode(s.Tools)
	if err != nil {
		return 0, core.Wrap(core.Invalid, err, "encode the definitions of the tools")
	}
	rest := *s
	rest.System, rest.Tools = "", nil
	body, _, err := rest.Encode()
	if err != nil {
		return 0, err
	}
	systemKey, err := storeText(ctx, t, []byte(s.System))
	if err != nil {
		return 0, err
	}
	toolsKey, err := storeText(ctx, t, tools)
	if err != nil {
		return 0, err
	}
	return t.Insert(ctx, `INSERT INTO run_states (hash, system, tools, body) VALUES (?, ?, ?, ?)`, hash, systemKey, toolsKey, t.Codec.Deflate(body))
}

// storeText stores a long text of a state unless it is there, and returns its key.
func storeText(ctx context.Context, t *store.Txn, text []byte) (int64, error) {
	hash, err := digestOf(core.Hash(text))
	if err != nil {
		return 0, err
	}
	var key int64
	if err := t.Get(ctx, &key, `SELECT key FROM state_texts WHERE hash = ?`, hash); !errors.Is(err, sql.ErrNoRows) {
		return key, err
	}
	body := t.Codec.Deflate(text)
	if body == nil {
		body = []byte{}
	}
	return t.Insert(ctx, `INSERT INTO state_texts (hash, body) VALUES (?, ?)`, hash, body)
}

// readState reads a run state. The error is Corrupt if it cannot be decoded or does not have its hash.
func readState(ctx context.Context, t *store.Txn, key int64) (state core.RunState, address string, err error) {
	var row struct{ Hash, Body, System, Tools []byte }
	const read = `SELECT s.hash, s.body, x.body AS system, y.body AS tools FROM run_states s
		JOIN state_texts x ON x.key = s.system JOIN state_texts y ON y.key = s.tools WHERE s.key = ?`
	if err := t.Get(ctx, &row, read, key); errors.Is(err, sql.ErrNoRows) {
		return state, "", core.E(core.Corrupt, "a run state is missing")
	} else if err != nil {
		return state, "", err
	}
	for _, stored := range []*[]byte{&row.Body, &row.System, &row.Tools} {
		if *stored, err = t.Codec.Inflate(*stored); err != nil {
			return state, "", core.Wrap(core.Corrupt, err, "a run state is damaged")
		}
	}
	if err := errors.Join(json.Unmarshal(row.Body, &state), json.Unmarshal(row.Tools, &state.Tools)); err != nil {
		return state, "", core.Wrap(core.Corrupt, err, "a run state is damaged")
	}
	state.System = string(row.System)
	if _, address, err = state.Encode(); err == nil && address != addressOf(row.Hash) {
		err = core.E(core.Corrupt, "a run state is damaged")
	}
	return state, address, err
}

const addressPrefix = "sha256:"

// digestOf returns the 32 bytes of a content address.
func digestOf(address string) ([]byte, error) {
	digest, err := hex.DecodeString(strings.TrimPrefix(address, addressPrefix))
	return digest, core.Wrap(core.Invalid, err, "%q is not a content address", address)
}

// addressOf is the inverse of digestOf.
func addressOf(digest []byte) string { return addressPrefix + hex.EncodeToString(digest) }

// StateAt returns the run state that a session continues with after a message, or after its head if uid is empty: that of the
// nearest request on the path, without runs aside. A run that ended before its first request counts if no later run did more, and
// a restored checkpoint until a later run sends a request from there. ok is false if no state is recorded; the error is Corrupt if it
// is damaged.
func (db *Store) StateAt(ctx context.Context, sessionID, uid string) (state core.RunState, ok bool, err error) {
	err = db.Read(ctx, func(t *store.Txn) error {
		key, err := stateKeyAt(ctx, t, sessionID, uid)
		if err != nil || key == 0 {
			return err
		}
		state, _, err = readState(ctx, t, key)
		ok = err == nil
		return err
	})
	return state, ok, conn.Fail(err, "read the run state of session %s", sessionID)
}
