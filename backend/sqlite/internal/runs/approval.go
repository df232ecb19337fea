package runs

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

const approvalColumns = `SELECT a.id, a.scope, coalesce(s.id, '') AS session_id, a.workspace_path, a.tool, a.matcher, a.decision, a.reason, a.created_at_ms,
	NOT a.active AS unconfirmed FROM approvals a LEFT JOIN sessions s ON s.key = a.session `

// Approvals returns the permissions and refusals that apply in a session and its workspace, oldest first. Imported permissions that the
// user has not confirmed are not among them.
func (db *Store) Approvals(ctx context.Context, sessionID, workspacePath string) ([]core.Approval, error) {
	approvals := []core.Approval{}
	err := db.Read(ctx, func(t *store.Txn) error {
		const holding = approvalColumns + `WHERE a.active AND (a.scope = 'always' OR a.scope = 'workspace' AND a.workspace_path = ? OR s.id = ?)
			ORDER BY a.created_at_ms, a.id`
		return t.All(ctx, &approvals, holding, workspacePath, sessionID)
	})
	return approvals, conn.Fail(err, "read the permissions of session %s", sessionID)
}

// AllApprovals returns every remembered permission and refusal, oldest first, unconfirmed ones included.
func (db *Store) AllApprovals(ctx context.Context) ([]core.Approval, error) {
	approvals := []core.Approval{}
	err := db.Read(ctx, func(t *store.Txn) error {
		const all = approvalColumns + `ORDER BY a.created_at_ms, a.id`
		return t.All(ctx, &approvals, all)
	})
	return approvals, conn.Fail(err, "read the permissions")
}

// Approve remembers a word. One of scope once is Invalid.
func (db *Store) Approve(ctx context.Context, a core.Approval) error {
	if a.Scope == core.ScopeOnce {
		return core.E(core.Invalid, "what is said once is not remembered")
	}
	if a.CreatedAtMs == 0 {
		a.CreatedAtMs = db.Now()
	}
	if a.ID == "" {
		a.ID = core.NewID(a.CreatedAtMs)
	}
	err := db.Write(ctx, func(t *store.Txn) error {
		const add = `INSERT INTO approvals (id, scope, session, workspace_path, tool, matcher, decision, reason, created_at_ms)
			VALUES (?, ?, (SELECT key FROM sessions WHERE id = ?), ?, ?, ?, ?, ?, ?)`
		session, workspace := "", ""
		switch a.Scope {
		case core.ScopeSession:
			if _, err := tables.SessionKey(ctx, t.Tx, a.SessionID); err != nil {
				return err
			}
			session = a.SessionID
		case core.ScopeWorkspace:
			workspace = a.WorkspacePath
		default:
		}
		_, err := t.Exec(ctx, add, a.ID, a.Scope, session, workspace, a.Tool, a.Matcher, a.Decision, a.Reason, a.CreatedAtMs)
		return err
	})
	return conn.Fail(err, "remember a permission")
}

// Confirm puts an imported permission in force; NotFound for an id that is none.
func (db *Store) Confirm(ctx context.Context, approvalID string) error {
	err := db.Write(ctx, func(t *store.Txn) error {
		return changeApproval(ctx, t.Tx, `UPDATE approvals SET active = 1 WHERE id = ?`, approvalID)
	})
	return conn.Fail(err, "confirm a permission")
}

func changeApproval(ctx context.Context, t *conn.Tx, query, approvalID string) error {
	done, err := t.Exec(ctx, query, approvalID)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return core.E(core.NotFound, "no permission %s", approvalID)
}

// Forget takes a remembered word back; NotFound for an id that is none.
func (db *Store) Forget(ctx context.Context, approvalID string) error {
	err := db.Write(ctx, func(t *store.Txn) error {
		return changeApproval(ctx, t.Tx, `DELETE FROM approvals WHERE id = ?`, approvalID)
	})
	return conn.Fail(err, "forget a permission")
}
