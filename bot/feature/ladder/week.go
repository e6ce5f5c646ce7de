package ladder

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file posts a weekly summary of the best games in a channel. It posts nothing for a
// week without a game.

// A storedWeek is the schedule of a channel's weekly summary.
type storedWeek struct {
	V    int          `json:"v"`
	Day  time.Weekday `json:"day"`
	Zone string       `json:"zone"` // zone of the person who set it, for places without one
	Due  time.Time    `json:"due"`
}

const (
	weekKind = "week" // kind of its timers and posts
	weekHour = 9      // local hour of the post
	// monthAway is the time without a game after which a player counts as back.
	monthAway = 30 * 24 * time.Hour
)

// weekDays lists the days as people type them.
var weekDays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// weekOption sets the day of a channel's weekly summary in /settings.
var weekOption = bot.Option{Name: "week", Help: "For a channel: the day on which the best of the week's games is posted, such as monday, or off", Kind: bot.Word, Rare: true}

// setWeek sets or turns off a channel's weekly summary.
func (f *Feature) setWeek(ctx context.Context, req bot.Request) (bot.Reply, error) {
	example := text.Code("/settings for:channel week:monday")
	for name, value := range req.Args {
		if value != "" && name != "week" && name != "for" {
			return bot.Reply{}, words.Refusing("Set {week} by itself: {example}.", text.Code("week"), example)
		}
	}
	switch scope := req.Args["for"]; scope {
	case "channel":
	case "", "me":
		return bot.Reply{}, words.Refusing("{option} is for a whole place, and its managers set it: {settings}.", text.Code("week"), example)
	default:
		return bot.Reply{}, words.NoChoice("for", scope, "channel")
	}
	if !req.Manager {
		return bot.Reply{}, words.Refusing("Only managers of this channel can set that.")
	}
	ch, err := f.settings.OpenChannel(ctx, req.Channel)
	if err != nil {
		return bot.Reply{}, err
	}
	value := strings.ToLower(req.Args["week"])
	if value == "off" || value == settings.Unset {
		return bot.Reply{Text: text.Say("The best of the week isn't posted here.")}, f.weeks.Drop(ctx, shelf.Channel(ch))
	}
	day := slices.IndexFunc(weekDays, func(d string) bool { return len(value) >= 3 && strings.HasPrefix(d, value) })
	if day < 0 {
		return bot.Reply{}, words.Refusing("{typed} isn't a day of the week. Write one like {monday}, or {off}.", text.Code(text.Shorten(value, bot.MaxName)), text.Code("week:monday"), text.Code("week:off"))
	}
	w := storedWeek{V: 1, Day: time.Weekday(day), Zone: req.Zone}
	if own, err := f.settings.Of(ctx, req.User.ID); err != nil {
		return bot.Reply{}, err
	} else if own.Zone != "" {
		w.Zone = own.Zone
	}
	if was, _, err := f.weeks.Get(ctx, shelf.Channel(ch)); err != nil {
		return bot.Reply{}, err
	} else if w.Zone == "" {
		w.Zone = was.Zone
	}
	zone, err := f.weekZone(ctx, ch, w)
	if err != nil {
		return bot.Reply{}, err
	}
	w.Due = nextWeek(f.desk.Now(), w.Day, zone)
	if err := f.weeks.Put(ctx, shelf.Channel(ch), w); err != nil {
		return bot.Reply{}, err
	}
	if err := f.awaitWeek(ctx, ch, w, nil); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("The week's best games are posted here, next at {time}. A week without a game is skipped.", words.Clock(w.Due))}, nil
}

// Schedule returns the option of /settings for the weekly summary, and its value in a channel with
// the time zone. The value is "" if no summary is posted there.
func (f *Feature) Schedule(ctx context.Context, ch bot.ChannelID) (option, value string, err error) {
	option = weekOption.Name
	if ch, err = f.settings.OpenChannel(ctx, ch); err != nil {
		return option, "", err
	}
	w, set, err := f.weeks.Get(ctx, shelf.Channel(ch))
	if err != nil || !set {
		return option, "", err
	}
	zone, err := f.weekZone(ctx, ch, w)
	if err != nil {
		return option, "", err
	}
	return option, fmt.Sprintf("%s %d:00 %s", weekDays[w.Day], weekHour, zone), nil
}

// weekZone returns the time zone of a channel's summary: the place's, that of the person
// who set it, the one of the daily board there, or UTC.
func (f *Feature) weekZone(ctx context.Context, ch bot.ChannelID, w storedWeek) (*time.Location, error) {
	set, err := f.desk.Rule(ctx, ch, settings.Zone)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{set, w.Zone} {
		if zone, ok := settings.ZoneNamed(name); ok && name != "" {
			return zone, nil
		}
	}
	zone, err := f.Zone(ctx, ch)
	return cmp.Or(zone, time.UTC), err
}

// nextWeek returns the next time after a given one at which clocks in the zone show
// weekHour on a weekday.
func nextWeek(after time.Time, day time.Weekday, zone *time.Location) time.Time {
	y, m, d := after.In(zone).Date()
	for ; ; d++ {
		if at := time.Date(y, m, d, weekHour, 0, 0, 0, zone); at.Weekday() == day && at.After(after) {
			return at.UTC()
		}
	}
}

// awaitWeek sets the timer for the next summary and, if over is set, queues the summary of
// the week that ended then. It does so once for each w.Due.
func (f *Feature) awaitWeek(ctx context.Context, ch bot.ChannelID, w storedWeek, over *time.Time) error {
	return feature.Once(ctx, f.desk, ch, fmt.Sprintf("%s:%d", weekKind, w.Due.Unix()), func(r *feature.Room) {
		if over != nil {
			r.Post(bot.Post{From: minuteOf(*over), To: minuteOf(*over), Kind: weekKind, At: *over})
		}
		r.Timer(bot.Timer{At: w.Due, Kind: weekKind, Number: minuteOf(w.Due)})
	})
}

// minuteOf returns a time in minutes since 1970, which numbers it in posts and timers.
func minuteOf(t time.Time) int { return int(t.Unix() / 60) }

// endWeek handles the timer at a week's end: it queues the summary and schedules the next
// one.
func (f *Feature) endWeek(ctx context.Context, timer bot.Timer) error {
	w, had, err := f.weeks.Get(ctx, shelf.Channel(timer.Channel))
	if err != nil || !had || minuteOf(w.Due) < timer.Number {
		return err
	}
	over := time.Unix(int64(timer.Number)*60, 0).UTC()
	if minuteOf(w.Due) == timer.Number { // otherwise an earlier run has stored the next due time already
		zone, err := f.weekZone(ctx, timer.Channel, w)
		if err != nil {
			return err
		}
		err = f.weeks.Change(ctx, shelf.Channel(timer.Channel), func(now *storedWeek) (keep bool, err error) {
			if minuteOf(now.Due) == timer.Number {
				now.Due = nextWeek(f.desk.Now(), now.Day, zone)
			}
			w = *now
			return now.V > 0, nil
		})
		if err != nil || w.V == 0 {
			return err
		}
	}
	return f.awaitWeek(ctx, timer.Channel, w, &over)
}

// A sinceKey is the key of the results since a time.
type sinceKey struct{ unix int64 }

// resultsSince returns the results of games that ended since a time, early ones too.
func (f *Feature) resultsSince(ctx context.Context, from time.Time) ([]result, error) {
	return feature.Heavy(ctx, f.desk, sinceKey{from.Unix()}, func(ctx context.Context) (all []result, err error) {
		err = f.results.EachAfter(ctx, resultKey(result{Ended: from}), func(_ shelf.Mark, r result) error {
			all = append(all, r)
			return nil
		})
		return all, err
	})
}

// weekMessage writes the summary of a week.
func (f *Feature) weekMessage(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	to := time.Unix(int64(post.To)*60, 0).UTC()
	w, had, err := f.weeks.Get(ctx, shelf.Channel(post.Channel))
	if err != nil {
		return m, err
	}
	if !had {
		return m, feature.ErrNothingToTell
	}
	zone, err := f.weekZone(ctx, post.Channel, w)
	if err != nil {
		return m, err
	}
	from := to.In(zone).AddDate(0, 0, -7)
	home, err := f.settings.HomeOf(ctx, post.Channel)
	if err != nil {
		return m, err
	}
	all, err := f.resultsSince(ctx, from.Add(-monthAway))
	if err != nil {
		return m, err
	}
	hidden := f.hiddenPlayers(ctx)
	all = slices.DeleteFunc(slices.Clone(all), func(r result) bool {
		return r.Early || !r.isIn(home, post.Channel) ||
			slices.ContainsFunc(r.Seats, func(s seatResult) bool { return hidden(s.ID) })
	})
	before := slices.DeleteFunc(slices.Clone(all), func(r result) bool { return !r.Ended.Before(from) })
	since := slices.DeleteFunc(all, func(r result) bool { return r.Ended.Before(from) })
	week := slices.DeleteFunc(slices.Clone(since), func(r result) bool { return !r.Ended.Before(to) })
	if len(week) == 0 {
		return m, feature.ErrNothingToTell
	}
	lines := append([]text.Text{{text.Strong(text.Say("The week in {n, plural, one {# game} other {# games}}", len(week)))}}, bestOfWeek(week)...)
	scope := shelf.Place(settings.ChannelScope(post.Channel))
	if home != "" {
		scope = shelf.Place(settings.HomeScope(home))
	}
	bests, _, err := f.bests.Get(ctx, scope)
	if err != nil {
		return m, err
	}
	lines = append(lines, brokenRecords(bests, len(week), from, to)...)
	back, err := f.returningPlayers(ctx, scope, week, since, before)
	if err == nil && len(back) > 0 {
		lines = append(lines, text.Say("Back after a month or more: {people}", text.List(back)))
	}
	m.Text = text.Lines(lines...)
	return m, err
}

// bestOfWeek describes the best of some games, a line each.
func bestOfWeek(week []result) (lines []text.Text) {
	var bests storedBests
	var phony, loser *bestHolder
	var closest *result
	least := 0
	for i, r := range week {
		for _, s := range r.Seats {
			bests.consider(s, r)
			phony = betterHolder(phony, s, r, s.Phony, byScore)
			if s.Place > 1 {
				loser = betterHolder(loser, s, r, &namedPlay{Score: s.Points}, byScore)
			}
		}
		first, second := firstTwo(r)
		if by := first.Points - second.Points; by >= 0 && (closest == nil || by < least) {
			closest, least = &week[i], by
		}
	}
	bests.Game = nil // the highest score isn't news of a week
	lines = bestLines(bests, func(game.PlayerID) bool { return false })
	if phony != nil {
		lines = append(lines, text.Say("Boldest phony: {word} for {score}, by {who}, until it was challenged", phony.Word, phony.Score, text.Plain(phony.Name)))
	}
	if closest != nil {
		first, second := firstTwo(*closest)
		if least == 0 {
			lines = append(lines, text.Say("Closest game: {one} and {other}, both {score}", text.Plain(first.Name), text.Plain(second.Name), first.Points))
		} else {
			lines = append(lines, text.Say("Closest game: {winner} {score}, {loser} {points}", text.Plain(first.Name), first.Points, text.Plain(second.Name), second.Points))
		}
	}
	if loser != nil {
		lines = append(lines, text.Say("Highest losing score: {score}, by {who}", loser.Score, text.Plain(loser.Name)))
	}
	return lines
}

// firstTwo returns the seats in first and second place.
func firstTwo(r result) (first, second seatResult) {
	seats := slices.Clone(r.Seats)
	slices.SortStableFunc(seats, func(a, b seatResult) int { return a.Place - b.Place })
	return seats[0], seats[1]
}

// brokenRecords describes the records of a place that were set in a week. It returns none if the
// place had no games before.
func brokenRecords(b storedBests, games int, from, to time.Time) (lines []text.Text) {
	if b.Games <= games {
		return nil
	}
	fell := func(r *bestHolder) bool { return r != nil && !r.At.Before(from) && r.At.Before(to) }
	if fell(b.Play) {
		lines = append(lines, text.Say("A new record for a play: {word} for {score}, by {who}", b.Play.Word, b.Play.Score, text.Plain(b.Play.Name)))
	}
	if fell(b.Game) {
		lines = append(lines, text.Say("A new record for a game: {n, plural, one {# point} other {# points}}, by {who}", b.Game.Score, text.Plain(b.Game.Name)))
	}
	if fell(b.Word) {
		lines = append(lines, text.Say("A new record for a word: {word}, by {who}", b.Word.Word, text.Plain(b.Word.Name)))
	}
	return lines
}

// returningPlayers returns the players who played at a place in a week and earlier, but not in the
// month before that week. Players have earlier games if their total there exceeds their games
// since the week began.
func (f *Feature) returningPlayers(ctx context.Context, scope shelf.Place, week, since, before []result) (names []text.Text, err error) {
	games, order, listed := map[game.PlayerID]int{}, []seatResult{}, map[game.PlayerID]bool{}
	for _, r := range since {
		for _, s := range r.Seats {
			games[s.ID]++
		}
	}
	for _, r := range week {
		for _, s := range r.Seats {
			if !listed[s.ID] {
				order, listed[s.ID] = append(order, s), true
			}
		}
	}
	for _, s := range order {
		if slices.ContainsFunc(before, func(r result) bool { return r.names(s.ID) }) {
			continue
		}
		tally, _, err := f.scopes.Get(ctx, shelf.Both(scope, shelf.Person(s.ID)))
		if err != nil {
			return nil, err
		}
		if tally.Total.Games > games[s.ID] {
			names = append(names, text.Plain(s.Name))
		}
	}
	return names, nil
}
