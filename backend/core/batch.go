package core

import "context"

// Batch takes one session into the library: stored messages stay, new ones are added. One goroutine adds to it and
// finishes it, while another one commits it.
//
// A session is found by its ID, else by (Source, SourceID) or one of its earlier Aliases, else by a message with the uid of the first message
// in a session of the same source, if that uid is a UUID: shorter ones may mean something else elsewhere. In the last case SourceID
// becomes an alias of the session: a copy that another tool made of a conversation is shown once, its own messages as branches.
type Batch interface {
	// Add adds a message below an earlier one. Add, AddRecord, AddRunItem and AddBlob wait while the library has enough to write, and return
	// an error when the batch is closed.
	Add(m IncomingMessage) error
	// AddRecord adds what the source holds besides messages, after all messages.
	AddRecord(r Record) error
	// AddRunItem adds what the runs of the session left, after all messages and records.
	AddRunItem(i RunItem) error
	// AddBlob adds a content that messages or tool calls refer to, after everything else.
	AddBlob(b Blob) error
	// Finish ends the adding, with the message that the source would continue from, or with the reason why it ended early.
	Finish(headUID string, err error)
	// Commit writes what is added until the batch is finished. An error leaves nothing written, or only the beginning of a
	// long session. A session that was removed for good is left out, unless the header asks for it again.
	Commit(ctx context.Context, h *Header) (Merged, error)
	// Close releases the batch. Nothing can be added or committed afterwards.
	Close()
}

// Deliver adds the session to a batch from a goroutine of its own. stop closes the batch and waits for that goroutine.
func (in *Incoming) Deliver(to Batch) (stop func()) {
	done := make(chan struct{})
	source := *in
	go func() {
		defer close(done)
		to.Finish(source.addTo(to))
	}()
	return func() {
		to.Close()
		<-done
	}
}

func (in *Incoming) addTo(to Batch) (headUID string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = E(Internal, "reading failed: %v", r)
		}
	}()
	if headUID, err = in.addMessages(to); err != nil {
		return "", err
	}
	if in.Head != nil {
		headUID = in.Head()
	}
	if in.Records != nil {
		for r := range in.Records {
			if err := to.AddRecord(r); err != nil {
				return "", err
			}
		}
	}
	if in.RunItems != nil {
		for i, err := range in.RunItems {
			if err == nil {
				err = to.AddRunItem(i)
			}
			if err != nil {
				return "", err
			}
		}
	}
	return headUID, in.addBlobs(to)
}

func (in *Incoming) addBlobs(to Batch) error {
	if in.Blobs == nil {
		return nil
	}
	for b, err := range in.Blobs {
		if err == nil {
			err = to.AddBlob(b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addMessages adds the messages and returns the uid of the last one.
func (in *Incoming) addMessages(to Batch) (lastUID string, err error) {
	if in.Messages == nil {
		return "", nil
	}
	for m, err := range in.Messages {
		if err == nil {
			err = to.Add(m)
		}
		if err != nil {
			return "", err
		}
		lastUID = m.UID
	}
	return lastUID, nil
}

// Merge delivers a session to a new batch of the library and commits it.
func Merge(ctx context.Context, library interface{ Begin() Batch }, in Incoming) (Merged, error) {
	batch := library.Begin()
	stop := in.Deliver(batch)
	defer stop()
	return batch.Commit(ctx, &in.Header)
}
