package notify

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// This file calls players in the channel if they want direct messages but don't accept
// them.

// refusedFor limits how long a refusal counts, since people may change their mind.
const refusedFor = 3 * 24 * time.Hour

// A storedRefusal records when a direct message to a player was last refused.
type storedRefusal struct {
	V  int       `json:"v"`
	At time.Time `json:"at"`
	// Rack reports that it was a card, which has been turned off for the player.
	Rack bool `json:"rack,omitempty"`
}

// refuses reports whether direct messages to a player were refused recently.
func (f *Feature) refuses(ctx context.Context, who game.PlayerID) (bool, error) {
	last, _, err := f.refused.Get(ctx, shelf.Person(who))
	return f.desk.Now().Sub(last.At) < refusedFor, err
}

// ClearRefusal deletes a player's refusal after they have used a command. It reports whether
// there was one.
func (f *Feature) ClearRefusal(ctx context.Context, who game.PlayerID) (refused bool, err error) {
	_, refused, err = f.takeRefusal(ctx, who)
	return refused, err
}

// takeRefusal deletes and returns a player's refusal. refused is false if there was none.
func (f *Feature) takeRefusal(ctx context.Context, who game.PlayerID) (last storedRefusal, refused bool, err error) {
	if last, refused, err = f.refused.Get(ctx, shelf.Person(who)); err != nil || !refused {
		return last, false, err
	}
	return last, true, f.refused.Drop(ctx, shelf.Person(who))
}

// noteRefused records that a post for a player was refused. A refused card turns their cards
// off. If it is their turn, and the post was its call or they rely on direct messages, it
// schedules a call in the channel.
func (f *Feature) noteRefused(ctx context.Context, post bot.Post) error {
	before, err := f.wishes(ctx, post.For, post.Table)
	if err != nil {
		return err
	}
	// A card refused a moment ago doesn't make up for the call: both may be on their way.
	calls := post.Kind == callKind || post.Kind == remindKind || post.Kind == digestKind
	rack := post.Kind == table.RackKind
	if rack {
		if err := f.StopRacks(ctx, post.For); err != nil {
			return err
		}
	}
	if err := f.refused.Change(ctx, shelf.Person(post.For), func(last *storedRefusal) (keep bool, err error) {
		*last = storedRefusal{V: 1, At: f.desk.Now(), Rack: rack || last.Rack}
		return true, nil
	}); err != nil {
		return err
	}
	if post.Table == 0 || rack || !calls && before.Ping != settings.PingDM && !before.Digests() {
		return nil
	}
	t, err := feature.LoadTable(ctx, f.desk, post.Table)
	if err != nil {
		return err
	}
	if t.Phase != game.Playing || t.Seats[t.Turn].Person.ID != post.For {
		return nil
	}
	return f.callLater(ctx, t, post, f.desk.Now())
}
