package window

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"coppice/app/internal/guard"
	"coppice/app/internal/library"
	"coppice/backend/core"
	"coppice/backend/sqlite"
	"coppice/backend/sqlite/keyslot"
)

// Paths of requests whose body is a secret of the library; see secrets.go.
const (
	unlockPath     = "/library-key"        // a passphrase or recovery code opens the library
	encryptPath    = "/library-encryption" // a passphrase encrypts it; the answer is the recovery code
	passphrasePath = "/library-passphrase" // a passphrase replaces the present one
	agentZeroPath  = "/agentzero-key"      // a passphrase opens encrypted sessions of AgentZero
)

// acceptLibraryKey unlocks the library.
func (p *program) acceptLibraryKey(w http.ResponseWriter, r *http.Request) {
	answerSecret(w, r, func(body []byte) (string, error) {
		return "", p.unlock(func(path string) error {
			return sqlite.Unlock(path, sqlite.Secret{Kind: core.KeyPassphrase, Text: string(body)})
		})
	})
}

// acceptEncryption encrypts the library with a passphrase, with a key in the keyring if the query has keyring=1, and answers with a recovery
// code.
func (p *program) acceptEncryption(w http.ResponseWriter, r *http.Request) {
	answerSecret(w, r, func(body []byte) (string, error) {
		if err := p.mayReplace(); err != nil {
			return "", err
		}
		slots := keyslot.New()
		code := keyslot.NewRecoveryCode()
		secrets := []sqlite.Secret{{Kind: core.KeyPassphrase, Text: string(body)}, {Kind: core.KeyRecovery, Text: code}}
		if r.URL.Query().Get("keyring") == "1" {
			secret, err := library.KeyringSecret(slots)
			if err != nil {
				return "", err
			}
			secrets = append(secrets, secret)
		}
		err := p.library.replace(p.settleAll, func(path string) error {
			return sqlite.Encrypt(p.library.lasting(), path, slots, secrets...)
		})
		p.changes.All()
		return code, err
	})
}

// acceptPassphrase replaces the passphrase of the library, which is unlocked. The library is closed meanwhile, because reading its header
// drops locks on systems without open-file-description locks.
func (p *program) acceptPassphrase(w http.ResponseWriter, r *http.Request) {
	answerSecret(w, r, func(body []byte) (string, error) {
		if err := p.mayReplace(); err != nil {
			return "", err
		}
		err := p.library.replace(p.settleAll, func(path string) error {
			return sqlite.ChangeKey(p.library.lasting(), path, string(core.KeyPassphrase), sqlite.Secret{Kind: core.KeyPassphrase, Text: string(body)})
		})
		p.changes.All()
		return "", err
	})
}

// acceptAgentZeroKey holds the passphrase of encrypted sessions of AgentZero in memory until the window closes.
func (p *program) acceptAgentZeroKey(w http.ResponseWriter, r *http.Request) {
	answerSecret(w, r, func(body []byte) (string, error) {
		if len(body) == 0 {
			return "", core.E(core.Invalid, "the passphrase is empty")
		}
		text := string(body)
		p.agentZero.Store(&text)
		return "", nil
	})
}

// UnlockByKeyring unlocks the library with its key in the keyring of the system.
func (b *LibraryBindings) UnlockByKeyring() error {
	return guard.Run(func() error {
		return b.unlock(func(path string) error { return library.UnlockByKeyring(b.library.lasting(), path) })
	})
}

// unlock opens the library after its key became known.
func (p *program) unlock(with func(path string) error) error {
	if err := with(p.library.where()); err != nil {
		return err
	}
	_, _, err := p.library.unlocked()
	p.changes.All()
	return err
}

// LockLibrary closes an encrypted library and forgets its key.
func (b *LibraryBindings) LockLibrary() error { return guard.Run(b.lock) }

func (p *program) lock() error {
	path := p.library.where()
	if encrypted, err := sqlite.IsEncrypted(path); err != nil {
		return err
	} else if !encrypted {
		return core.E(core.Invalid, "the library is not encrypted")
	}
	if err := p.mayReplace(); err != nil {
		return err
	}
	err := p.library.replace(p.settleAll, func(path string) error {
		p.library.lock()
		sqlite.Lock(path)
		return nil
	})
	p.changes.All()
	return err
}

// lockPeriod is the time between two looks for a reason to lock the library.
const lockPeriod = 2 * time.Second

// sleptFrom is the difference of the clock and the time that the program was awake from which on the machine was suspended.
const sleptFrom = 20 * time.Second

// lockWhenAsked locks an encrypted library when "coppice db lock" asks for it, when the machine is about to be suspended, and after it was. While a
// session runs it waits for its end.
func (p *program) lockWhenAsked(ctx context.Context) {
	path := p.library.where()
	began := time.Now()
	ticker := time.NewTicker(lockPeriod)
	defer ticker.Stop()
	before, wanted, suspended := time.Now(), false, suspensions(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-suspended:
			wanted = true
		case <-ticker.C:
		}
		now := time.Now()
		// Only the clock, which Round leaves, counts while the machine is suspended.
		slept := now.Round(0).Sub(before.Round(0)) - now.Sub(before)
		before = now
		wanted = wanted || slept > sleptFrom || library.LockRequestedAt(path).After(began)
		if !wanted {
			continue
		}
		if err := p.lock(); core.CodeOf(err) != core.Busy {
			if err != nil {
				slog.Warn("locking the library", slog.Any("error", err))
			}
			return
		}
	}
}
