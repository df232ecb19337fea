package runs

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
)

// storeState stores a run state unless it is there, and returns its key.
func storeState(ctx context.Context, t *store.Txn, s *core.RunState) (int64, error) {
	data, address, err := s.Encode()
	if err != nil {
		return 0, err
	}
	return storeEncoded(ctx, t, s, data, address)
}

// storeEncoded stores a run state whose JSON is known. The long texts of a state are stored apart from it, unless this version would
// encode the state differently: a newer version wrote it, and its bytes decide its hash.
func storeEncoded(ctx context.Context, t *store.Txn, s *core.RunState, data []byte, address string) (int64, error) {
	hash, err := digestOf(address)
	if err != nil {
		return 0, err
	}
	var key int64
	if err := t.Get(ctx, &key, `SELECT key FROM run_states WHERE hash = ?`, hash); !errors.Is(err, sql.ErrNoRows) {
		return key, err
	}
	system, tools, body := []byte(s.System), []byte(nil), data
	if own, _, err := s.Encode(); err != nil {
		return 0, err
	} else if bytes.Equal(own, data) {
		if tools, err = jsontext.Encode(s.Tools); err != nil {
			return 0, core.Wrap(core.Invalid, err, "encode the definitions of the tools")
		}
		rest := *s
		rest.System, rest.Tools = "", nil
		if body, _, err = rest.Encode(); err != nil {
			return 0, err
		}
	} else {
		system = nil
	}
	systemKey, err := storeText(ctx, t, system)
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

// StateRow is a run state as it is stored.
type StateRow struct{ Hash, Body, System, Tools []byte }

// StateColumns selects a StateRow.
const StateColumns = `SELECT s.hash, s.body, x.body AS system, y.body AS tools FROM run_states s
	JOIN state_texts x ON x.key = s.system JOIN state_texts y ON y.key = s.tools `

// placeholders are what the body of a state has in place of its long texts.
const placeholders = `"system":"","tools":null`

// JSON returns the state as it was encoded, with its content address.
func (r *StateRow) JSON(c *packing.Codec) (data []byte, address string, err error) {
	var parts [3][]byte
	for i, stored := range [][]byte{r.Body, r.System, r.Tools} {
		if parts[i], err = c.Inflate(stored); err != nil {
			return nil, "", core.Wrap(core.Corrupt, err, "a run state is damaged")
		}
	}
	body, tools := parts[0], parts[2]
	if len(tools) == 0 { // see storeEncoded
		return body, core.Hash(body), nil
	}
	system, err := jsontext.Encode(string(parts[1]))
	if err != nil {
		return nil, "", core.Wrap(core.Corrupt, err, "a run state is damaged")
	}
	texts := slices.Concat([]byte(`"system":`), system, []byte(`,"tools":`), tools)
	data = bytes.Replace(body, []byte(placeholders), texts, 1)
	return data, core.Hash(data), nil
}

// readState reads a run state. The error is Corrupt if it cannot be decoded or does not have its hash.
func readState(ctx context.Context, t *store.Txn, key int64) (state core.RunState, address string, err error) {
	var row StateRow
	if err := t.Get(ctx, &row, StateColumns+`WHERE s.key = ?`, key); errors.Is(err, sql.ErrNoRows) {
		return state, "", core.E(core.Corrupt, "a run state is missing")
	} else if err != nil {
		return state, "", err
	}
	state, err = row.decode(t.Codec)
	return state, addressOf(row.Hash), err
}

// decode returns the state. The error is Corrupt if it cannot be decoded or does not have its hash.
func (r *StateRow) decode(c *packing.Codec) (state core.RunState, err error) {
	data, address, err := r.JSON(c)
	switch {
	case err != nil:
	case address != addressOf(r.Hash):
		err = core.E(core.Corrupt, "a run state is damaged")
	default:
		err = core.Wrap(core.Corrupt, json.Unmarshal(data, &state), "a run state is damaged")
	}
	return state, err
}

// VerifyState returns a Corrupt error for a run state that is damaged.
func VerifyState(ctx context.Context, t *store.Txn, key int64) error {
	_, _, err := readState(ctx, t, key)
	return err
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
// is damaged. The state is marked as imported if no run of this library has used it.
func (db *Store) StateAt(ctx context.Context, sessionID, uid string) (state core.RunState, ok bool, err error) {
	err = db.Read(ctx, func(t *store.Txn) error {
		key, err := stateKeyAt(ctx, t, sessionID, uid)
		if err != nil || key == 0 {
			return err
		}
		if state, _, err = readState(ctx, t, key); err != nil {
			return err
		}
		ok = true
		const local = `SELECT NOT EXISTS (SELECT 1 FROM requests q JOIN runs r ON r.key = q.run WHERE q.state = ?1 AND NOT r.imported)
			AND NOT EXISTS (SELECT 1 FROM runs WHERE state = ?1 AND NOT imported)`
		return t.Get(ctx, &state.Imported, local, key)
	})
	return state, ok, conn.Fail(err, "read the run state of session %s", sessionID)
}
