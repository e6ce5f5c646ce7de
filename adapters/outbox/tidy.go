package outbox

import (
	"context"
	"reflect"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// changeAndTidy changes a stored entry, and folds and deletes its earlier posts in the
// background.
func (o *Outbox) changeAndTidy(ctx context.Context, at Place, fn func(*Entry) error) error {
	e, err := o.change(ctx, at.Note, fn)
	if err == nil {
		o.tidySoon(at, e)
	}
	return err
}

// tidySoon folds and deletes the earlier posts of a place in the background, if there are any.
func (o *Outbox) tidySoon(at Place, e Entry) {
	if len(e.Old) == 0 {
		return
	}
	o.Tasks.Go(func() {
		ctx, stop := o.background()
		defer stop()
		o.tidy(ctx, at)
	})
}

// TidyAll continues the folding and deleting that stopped processes left.
func (o *Outbox) TidyAll(ctx context.Context) error {
	return notes.ReadEach(ctx, o.Notes, o.Shelf, "", func(row bot.Row) error {
		e, err := o.read(row.Key, row.Value)
		if at, known := o.Platform.PlaceOf(row.Key); err == nil && known {
			o.tidySoon(at, e)
		}
		return err
	})
}

// tidy folds and deletes the earlier posts of a place, and deletes their pictures, within
// the platform's limits. It gives up only on permanent refusals, because an unfolded post
// keeps outdated buttons.
func (o *Outbox) tidy(ctx context.Context, at Place) {
	defer o.locks.Lock("tidy " + at.Note)()
	for wait := firstRetry; ; {
		e, err := o.Entry(ctx, at.Note)
		if err != nil || len(e.Old) == 0 {
			return
		}
		old := e.Old[0]
		failed := o.foldOne(ctx, at, old)
		fault := o.Platform.Classify(failed)
		if ctx.Err() != nil || failed != nil && fault.Uninstalled {
			return // the next post there continues, or the next start
		}
		if fault.Missing {
			failed = nil // deleted by someone else
		}
		if failed == nil && old.File != "" && old.File != e.Latest.File {
			if !o.take(ctx, at, FileDeletes) {
				return
			}
			o.Platform.DeleteFile(ctx, at, old.File)
		}
		if failed == nil || !fault.Temporary {
			if err := o.noteFolded(ctx, at, old, failed); err != nil {
				o.Log.Error("can't record a folded post", "place", at.ID, "error", err)
				return
			}
			wait = firstRetry
			continue
		}
		if o.Pace.Sleep(ctx, max(wait, fault.After)) != nil {
			return
		}
		wait = min(4*wait, longestRetry)
	}
}

// foldOne folds or deletes a post. If the entry is only a picture, it does nothing.
func (o *Outbox) foldOne(ctx context.Context, at Place, old Post) error {
	at = at.placeOf(old)
	switch {
	case old.ID == "":
		return nil
	case old.Gone:
		if !o.take(ctx, at, Deletes) {
			return ctx.Err()
		}
		return o.Platform.Delete(ctx, at, old)
	}
	if !o.take(ctx, at, Edits) {
		return ctx.Err()
	}
	return o.Platform.Fold(ctx, at, old)
}

// noteFolded records that a post was folded, or can't be. A newer plan for the post stays.
func (o *Outbox) noteFolded(ctx context.Context, at Place, old Post, failed error) error {
	defer o.Lock(at.Note)()
	if failed != nil {
		o.Log.Info("can't edit a post; leaving it as it is", "place", at.ID, "post", old.ID, "error", failed)
	}
	_, err := o.change(ctx, at.Note, func(now *Entry) error {
		if i := slices.IndexFunc(now.Old, func(p Post) bool { return reflect.DeepEqual(p, old) }); i >= 0 {
			now.Old = slices.Delete(now.Old, i, i+1)
		}
		return nil
	})
	return err
}
