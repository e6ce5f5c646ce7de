package notify

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// This file keeps the rack cards: the one private message that each player has about a game,
// where platforms have them. A card is posted when the game starts and edited whenever the
// player's rack changes, and shows the result at the end. Its post is queued with the events
// that change the rack (see [table.NewCards]) and holds no tiles: the card always shows the
// table as it is at delivery.
//
// A card doesn't call its player to a turn, and edits notify nobody. A new card may, so it
// waits for the end of quiet hours or the next digest, and comes with a later move to players
// who are away.

// cardsKind is the kind of the timers that post a card which had to wait. Their number is the
// seat.
const cardsKind = "card"

// sinceKey is the key of the row with the time when cards were introduced.
const sinceKey = shelf.Mark("since")

// A storedSince records when cards were introduced. Games that started before have none.
type storedSince struct {
	V  int       `json:"v"`
	At time.Time `json:"at"`
}

// startTime is more than a host takes from its first request until it calls introduceCards.
const startTime = time.Minute

// introduceCards records that this host has cards, once.
func (f *Feature) introduceCards(ctx context.Context) error {
	if _, known, err := f.since.Get(ctx, sinceKey); err != nil || known {
		return err
	}
	return f.since.Change(ctx, sinceKey, func(is *storedSince) (keep bool, err error) {
		if is.V == 0 {
			*is = storedSince{V: 1, At: f.desk.Now().Add(-startTime).UTC()}
		}
		return true, nil
	})
}

// cardMessage writes a player's card as their table stands now.
func (f *Feature) cardMessage(ctx context.Context, post bot.Post, _, t table.Table, m bot.Message) (bot.Message, error) {
	seat, seated := t.SeatOf(post.For)
	if !seated || !t.IsDealt() {
		return m, feature.ErrNothingToTell
	}
	w, err := f.wishes(ctx, post.For, t.ID)
	if err != nil {
		return m, err
	}
	m.To, m.Number = &t.Seats[seat].Person, t.Number
	m.Standing, m.Quiet, m.Amends = "card", true, true
	switch {
	case t.Phase == game.Over:
		m.Text = text.Lines(text.Say("The game is over. {last}.", words.Caption(t)), scoresOf(t))
	case t.Seats[seat].Out:
		m.Text = text.Say("You're out of this game. {board} lets you watch the rest.", text.Code("/board"))
	case !w.Racks():
		m.Key = fmt.Sprint("off-", t.ID) // the same each time, so that it is edited once
		m.Text = text.Sentences(text.Say("Your rack isn't sent to you by direct message; {rack} shows it.", text.Code("/rack")), text.Say("{settings} brings it back.", text.Code("/settings dm:on")))
		m.Buttons = []bot.Button{{ID: bot.ButtonID(t.ID, 0, "rack", nil), Label: text.Say("My rack"), Style: bot.Primary}}
	default:
		m.Line = text.Say("Your earlier rack.")
		if m.Amends, err = f.mayOnlyAmend(ctx, post, t, w); err == nil {
			err = f.showRack(ctx, t, seat, &m)
		}
	}
	return m, err
}

// scoresOf returns the scores of a finished game.
func scoresOf(t table.Table) text.Text {
	var scores []text.Text
	for _, seat := range t.Seats {
		scores = append(scores, text.Glue(text.PlainName(seat.Person), " ", seat.Score))
	}
	return text.Join(scores, " · ")
}

// showRack adds a player's rack to their card, with buttons that stay right while others
// move.
func (f *Feature) showRack(ctx context.Context, t table.Table, seat int, m *bot.Message) error {
	rack := t.RackOf(seat)
	m.Text = f.desk.Rack(ctx, t, seat, bot.Request{}).Text
	if rack != "" {
		m.Picture = feature.Draw(f.desk.Painter(ctx, t.Channel, false), func(to *text.Locale) imaging.RackCard {
			return imaging.RackCard{Tiles: t.Equipment.Tiles, Rack: rack, Locale: to}
		}, (*imaging.Renderer).Rack)
	}
	press := func(label text.Text, command string, style bot.Style) {
		m.Buttons = append(m.Buttons, bot.Button{ID: bot.ButtonID(t.ID, 0, command, nil), Label: label, Style: style})
	}
	if t.Phase == game.Playing {
		press(text.Say("Play"), "play", bot.Primary)
		press(text.Say("Exchange…"), "exchange", bot.Ordinary)
		press(text.Say("Pass…"), "pass", bot.Ordinary)
	}
	url, err := f.ways().URL(ctx, f.desk, t)
	if url != "" {
		m.Buttons = append(m.Buttons, bot.Button{Label: text.Say("Open the board"), Link: url})
	}
	m.Buttons = append(m.Buttons, bot.Button{ID: bot.ButtonID(0, 0, "settings", map[string]string{"dm": "off"}), Label: text.Say("Stop these")})
	return err
}

// mayOnlyAmend reports whether a player's card may only be edited now, not posted. If it would be
// their first, it schedules another try for the end of their quiet hours, or their next digest.
func (f *Feature) mayOnlyAmend(ctx context.Context, post bot.Post, t table.Table, w settings.Wishes) (bool, error) {
	now := f.desk.Now()
	later, first := w.Quiet.End(now, w.Zone), true
	if asked := post.From == post.To; !asked {
		known, err := f.hasCards(ctx, t)
		if err != nil || !known {
			return true, err
		}
		if away, err := f.isAway(ctx, t, post.For); err != nil || away {
			return true, err
		}
		if w.Digests() {
			later = w.NextDigest(now)
		}
		before, err := t.At(post.From)
		if err != nil {
			return true, err
		}
		s, sat := before.SeatOf(post.For)
		first = !sat || !before.IsDealt() || before.Seats[s].Out
	}
	if !first || !later.After(now) {
		return later.After(now), nil
	}
	seat, _ := t.SeatOf(post.For)
	return true, feature.OnceAt(ctx, f.desk, t, "card:"+post.Key(), func(r *feature.Room) {
		r.Timer(bot.Timer{At: later, Kind: cardsKind, Number: seat})
	})
}

// isAway reports whether a player is away from a game, or has said that they are away.
func (f *Feature) isAway(ctx context.Context, t table.Table, who game.PlayerID) (bool, error) {
	away, err := f.Away.IsAway(ctx, t, who)
	if err == nil && !away {
		away, err = f.Away.SaysAway(ctx, who)
	}
	return away, err
}

// hasCards reports whether a game started after cards were introduced.
func (f *Feature) hasCards(ctx context.Context, t table.Table) (bool, error) {
	since, _, err := f.since.Get(ctx, sinceKey)
	dealt := slices.IndexFunc(t.Events, func(e game.Event) bool { _, is := e.Fact.(game.Dealt); return is })
	return dealt >= 0 && !t.Events[dealt].At.Before(since.At), err
}

// postCard posts a card that had to wait. If its player is away by now, it waits for the next
// digest again, or for their next draw if they have no digests.
func (f *Feature) postCard(ctx context.Context, timer bot.Timer) error {
	return feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		t := r.Table
		if !table.IsRunning(t.State) || timer.Number >= len(t.Seats) {
			return nil
		}
		who := t.Seats[timer.Number].Person.ID
		w, err := f.wishes(ctx, who, t.ID)
		if err != nil {
			return err
		}
		switch away, err := f.isAway(ctx, t, who); {
		case err != nil:
			return err
		case !away:
			r.Post(bot.Post{From: t.Number, To: t.Number, For: who, Kind: table.RackKind, At: r.Env.Now})
		case w.Digests():
			r.Timer(bot.Timer{At: w.NextDigest(r.Env.Now), Kind: cardsKind, Number: timer.Number})
		}
		return nil
	})
}

// RefreshCards queues the cards of a person's games after a change of their settings. cause
// identifies the change.
func (f *Feature) RefreshCards(ctx context.Context, who game.PlayerID, cause string) error {
	games, _, err := feature.Playing(ctx, f.desk, who)
	if err != nil {
		return err
	}
	for _, g := range games {
		if at := g.Channel.Platform(); !f.desk.Platform(g.Channel).Cards || bot.ChannelID(who).Platform() != at || g.SharesRack() {
			continue
		}
		if err := feature.OnceAt(ctx, f.desk, g.Table, fmt.Sprint("cards:", g.ID, ":", cause), func(r *feature.Room) {
			n := r.Table.Number
			r.Post(bot.Post{From: n, To: n, For: who, Kind: table.RackKind, At: f.desk.Now()})
		}); err != nil {
			return err
		}
	}
	return nil
}
