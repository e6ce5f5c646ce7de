package competition

import (
	"context"
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
	"github.com/rackmate/rackmate/imaging"
)

// This file contains the posts of a league. A season is one message in its channel, edited
// from the opening of registration until the end: it has the standings, and a line with a
// link for each game being played. With several divisions, each has a message for these.
// Each player gets one private message when a season begins.

// Kinds of posts. From is the league's number. To is the season; for a division's message
// To is the division, and From includes the number of edits.
const (
	openPost     = "league open"
	beginPost    = "league begin"
	endPost      = "league end"
	divisionPost = "league division"
	movesPost    = "league results"  // no longer sent
	remindPost   = "league reminder" // to a player who subscribed to it
	seasonPost   = "league season"   // to a player
	latePost     = "league late"     // at a table whose season has ended
	stuckPost    = "league stuck"    // games can't open
)

// edits is the limit of edits of a division's message in a season.
const edits = 10_000

// mostDivisions separates an edit from its division in the number of a message's picture.
const mostDivisions = 1000

// queueAll queues everything that hasn't been announced.
func (f *leagues) queueAll(ctx context.Context, l *league) error {
	if l.Phase == entering {
		return f.queueOpen(ctx, l)
	}
	if len(l.Div) == 0 {
		return nil
	}
	if err := f.queueBegun(ctx, l); err != nil {
		return err
	}
	for i := 0; i < len(l.Div); i++ { // a concurrent run may have begun the next season
		if err := f.queueDivisions(ctx, l, i); err != nil {
			return err
		}
	}
	if l.Phase != over {
		return nil
	}
	return f.queueOver(ctx, l)
}

// queueOnce queues an announcement that is made once per season.
func (f *leagues) queueOnce(ctx context.Context, l *league, what string, fill func(r *feature.Room)) error {
	if slices.Contains(l.Told, what) {
		return nil
	}
	if err := feature.Once(ctx, f.desk, l.Channel, fmt.Sprintf("league:%d:%d:%s", l.No, l.Season, what), fill); err != nil {
		return err
	}
	season := l.Season
	return f.record(ctx, l, func(l *league) {
		if l.Season == season && !slices.Contains(l.Told, what) {
			l.Told = append(l.Told, what)
		}
	})
}

// queueOpen announces that registration is open, and a day before the season begins reminds
// the players who subscribed.
func (f *leagues) queueOpen(ctx context.Context, l *league) error {
	now := f.desk.Now()
	if err := f.queueOnce(ctx, l, openPost, func(r *feature.Room) {
		r.Post(bot.Post{From: l.No, To: l.Season, Kind: openPost, At: l.OpenedAt})
	}); err != nil {
		return err
	}
	soon := l.ClosesAt.Add(-day)
	if now.Before(soon) || !now.Before(l.ClosesAt) {
		return nil
	}
	return f.queueOnce(ctx, l, fmt.Sprintf("%s %d", remindPost, l.ClosesAt.Unix()), func(r *feature.Room) {
		for _, u := range l.Remind {
			r.Post(bot.Post{From: l.No, To: l.Season, For: u.ID, Kind: remindPost, At: soon})
		}
	})
}

// hasOwnMessages reports whether the divisions have messages besides the season's. A single
// division's message is the season's.
func (l *league) hasOwnMessages() bool { return len(l.Div) > 1 }

// queueBegun announces in the channel and to each player that a season has begun.
func (f *leagues) queueBegun(ctx context.Context, l *league) error {
	return f.queueOnce(ctx, l, beginPost, func(r *feature.Room) {
		if l.hasOwnMessages() {
			r.Post(bot.Post{From: l.No, To: l.Season, Kind: beginPost, At: l.BegunAt})
		}
		for _, d := range l.Div {
			for _, e := range d.Contest.Entrants {
				if !bot.IsFormer(game.PlayerID(e.ID)) {
					r.Post(bot.Post{From: l.No, To: l.Season, For: game.PlayerID(e.ID), Kind: seasonPost, At: l.BegunAt})
				}
			}
		}
	})
}

// queueOver announces that a season has ended: at tables where play goes on, and then in
// the channel. It schedules a check whether the next season begins.
func (f *leagues) queueOver(ctx context.Context, l *league) error {
	for i := range l.Div {
		for _, pl := range l.Div[i].Places {
			if err := f.queueLate(ctx, l, pl.Channel); err != nil {
				return err
			}
		}
	}
	if err := f.queueOnce(ctx, l, endPost, func(r *feature.Room) {
		if l.hasOwnMessages() {
			r.Post(bot.Post{From: l.No, To: l.Season, Kind: endPost, At: l.EndsAt})
		}
	}); err != nil || l.Stopped {
		return err
	}
	return f.look(ctx, *l, fmt.Sprintf("%d:%d:next", l.No, l.Season), f.desk.Now())
}

// queueLate announces at the table of a late game that the game no longer counts. At
// other tables it does nothing.
func (f *leagues) queueLate(ctx context.Context, l *league, ch bot.ChannelID) error {
	if ch == "" {
		return nil
	}
	row, found, err := f.where.Get(ctx, shelf.Channel(ch))
	if err != nil || !found || !row.Late || row.Season != l.Season {
		return err
	}
	return feature.Once(ctx, f.desk, ch, fmt.Sprintf("league:%d:%d:late", l.No, l.Season), func(r *feature.Room) {
		r.Post(bot.Post{From: l.No, To: l.Season, Kind: latePost, At: l.EndsAt})
	})
}

// queueDivisions posts a division's message, or edits it if its content has changed.
func (f *leagues) queueDivisions(ctx context.Context, l *league, div int) error {
	d := l.Div[div]
	if !d.Stale {
		return nil
	}
	if err := feature.Once(ctx, f.desk, l.Channel, fmt.Sprintf("league:%d:%d:division:%d:%d", l.No, l.Season, div, d.Edits), func(r *feature.Room) {
		r.Post(bot.Post{From: l.No*edits + d.Edits, To: div, Kind: divisionPost, At: l.BegunAt})
	}); err != nil {
		return err
	}
	season := l.Season
	return f.record(ctx, l, func(l *league) {
		if l.Season == season && div < len(l.Div) {
			l.Div[div].countEdit(d.Edits)
		}
	})
}

// onlyIn returns the handling of a kind of post about a season. Such posts are only sent
// while the season is the league's current one, and in one of these phases.
func (f *leagues) onlyIn(tell func(context.Context, *league, bot.Post, bot.Message) (bot.Message, error), phases ...phase) feature.Posting {
	return f.posting(func(ctx context.Context, l *league, post bot.Post, m bot.Message) (bot.Message, error) {
		if l.Season != post.To || !slices.Contains(phases, l.Phase) {
			return m, feature.ErrNothingToTell
		}
		return tell(ctx, l, post, m)
	})
}

func (f *leagues) tellOpen(ctx context.Context, l *league, post bot.Post, m bot.Message) (bot.Message, error) {
	proof, err := f.proof(ctx, l, l.Season)
	if err != nil {
		return m, err
	}
	m.Standing = l.standingOf(l.Season)
	m.Text = text.Lines(
		text.Say("{name}: registration for season {n} is open until {time}.", text.Strong(l.Name), l.Season, words.Clock(l.ClosesAt)),
		text.Say("In a division everybody plays everybody, by correspondence: up to {pace} a turn, {days, plural, one {# day} other {# days}} a season. Your games open by themselves, {games, plural, one {one} other {at most #}} at once.", l.pace(), l.Days, l.AtOnce),
		proof,
	)
	m.Buttons = []bot.Button{l.button(text.Say("Register"), bot.Primary, "join"), l.button(text.Say("Remind me"), bot.Ordinary, "remind"), l.button(text.Say("How it stands"), bot.Ordinary, "")}
	return m, nil
}

// standingOf returns the name of a season's message.
func (l *league) standingOf(season int) string { return fmt.Sprintf("league %d-%d", l.No, season) }

// proof returns the digest of a season's secret, which its message keeps, and the secret once the
// season is over.
func (f *leagues) proof(ctx context.Context, l *league, season int) (text.Text, error) {
	host, err := f.own.Secret(ctx, "leagues")
	if err != nil {
		return nil, err
	}
	secret := l.secretOf(season, host)
	if season == l.shownSeason() && l.Phase != playing && len(l.Lots) > 0 { // else an older program began it
		return text.Lines(secretLine(secret), digestLine(secret)), nil
	}
	return digestLine(secret), nil
}

// pace returns the time limit of a turn, as the league's founder set it.
func (l *league) pace() text.Text { return spanText(l.Table["pace"]) }

func (f *leagues) tellRemind(ctx context.Context, l *league, post bot.Post, m bot.Message) (bot.Message, error) {
	ids, err := f.desk.Identities(ctx, post.For)
	if err != nil {
		return m, err
	}
	if l.entryOf(ids) >= 0 || !slices.ContainsFunc(l.Remind, func(u bot.User) bool { return u.ID == post.For }) {
		return m, feature.ErrNothingToTell
	}
	m.To = &bot.User{ID: post.For}
	m.Text = text.Say("{name}: registration for season {n} closes {time}.", text.Strong(l.Name), l.Season, words.Clock(l.ClosesAt))
	m.Buttons = []bot.Button{l.button(text.Say("Register"), bot.Primary, "join"), l.button(text.Say("Don't remind me"), bot.Ordinary, "remind")}
	return m, nil
}

func (f *leagues) tellBegin(ctx context.Context, l *league, post bot.Post, m bot.Message) (_ bot.Message, err error) {
	players := 0
	for _, d := range l.Div {
		players += len(d.Contest.Entrants)
	}
	proof, err := f.proof(ctx, l, l.Season)
	if err != nil {
		return m, err
	}
	m.Standing = l.standingOf(l.Season)
	m.Text = text.Lines(
		text.Say("{name}: season {n} begins, with {players, plural, one {# player} other {# players}} in {divisions, plural, one {one division} other {# divisions}}, and ends {time}.", text.Strong(l.Name), l.Season, players, len(l.Div), words.Clock(l.EndsAt)),
		proof,
	)
	m.Buttons, err = f.withPage(ctx, m.Channel, l.No, text.Say("The league's page"), []bot.Button{l.button(text.Say("My games"), bot.Primary, "")})
	return m, err
}

func (f *leagues) tellYou(ctx context.Context, l *league, post bot.Post, m bot.Message) (bot.Message, error) {
	div, no, in := l.find([]game.PlayerID{post.For})
	if !in {
		return m, feature.ErrNothingToTell
	}
	var others []text.Span
	for _, e := range l.Div[div].Contest.Entrants {
		if e.No != no {
			others = append(others, l.Div[div].nameOf(e.No))
		}
	}
	m.To = &bot.User{ID: post.For}
	m.Text = text.Lines(
		text.Say("{name}, season {n}: you're in division {division}, with {others}.", text.Strong(l.Name), l.Season, div+1, text.List(others)),
		text.Say("Your games open by themselves. The season ends {time}: a game that isn't over then is lost by the player who used more time.", words.Clock(l.EndsAt)),
	)
	m.Buttons = []bot.Button{l.button(text.Say("My games"), bot.Primary, "")}
	return m, nil
}

// tellDivision writes a division's standings and games into its message, or the season's if
// that has no other division.
func (f *leagues) tellDivision(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	l, found, err := f.get(ctx, post.From/edits)
	if err != nil || !found {
		return m, nothingIfNil(err)
	}
	if post.To >= len(l.Div) || !l.BegunAt.Equal(post.At) && l.BegunAt.UnixMilli() != post.At.UnixMilli() {
		return m, feature.ErrNothingToTell
	}
	m.Standing = fmt.Sprintf("league %d-%d-%d", l.No, l.BegunAt.Unix(), post.To)
	m.Key = fmt.Sprintf("l%d-%d-%d-%d", l.No, l.BegunAt.Unix(), post.To, post.From%edits)
	m.Text = f.withGames(ctx, &l, post.To, text.Lines(l.title(post.To), l.lines(post.To)))
	m.Number, m.Picture = post.From*mostDivisions+post.To+1, l.picture(f.desk.Painter(ctx, l.Channel, false), post.To)
	m.Buttons = []bot.Button{l.button(text.Say("My place"), bot.Ordinary, "")}
	if !l.hasOwnMessages() {
		m.Standing = l.standingOf(l.shownSeason())
		if m.Text, err = f.season(ctx, &l); err != nil {
			return m, err
		}
		m.Buttons = []bot.Button{l.button(text.Say("My games"), bot.Primary, "")}
		if l.Phase != playing {
			m.Buttons = []bot.Button{l.button(text.Say("Standings"), bot.Ordinary, "table")}
		}
	}
	m.Buttons, err = f.withPage(ctx, m.Channel, l.No, text.Say("The league's page"), m.Buttons)
	return m, err
}

// season returns the text of the message of a season with one division.
func (f *leagues) season(ctx context.Context, l *league) (text.Text, error) {
	proof, err := f.proof(ctx, l, l.shownSeason())
	if err != nil {
		return nil, err
	}
	if l.Phase == playing {
		title := text.Say("{name}, season {n}, until {time}", text.Strong(l.Name), l.Season, words.Clock(l.EndsAt))
		return f.withGames(ctx, l, 0, text.Lines(title, l.lines(0)), proof), nil
	}
	return text.Lines(l.ended(), l.lines(0), proof), nil
}

// withGames adds a division's games being played to a message, with links to their boards.
func (f *leagues) withGames(ctx context.Context, l *league, div int, head text.Text, after ...text.Text) text.Text {
	d := &l.Div[div]
	var lines []text.Text
	for _, pl := range d.Places {
		p, ok := d.Contest.Game(pl.ref())
		if l.Phase != playing || !ok || !pl.On || p.Games[0].Result.Over() {
			continue
		}
		lines = append(lines, feature.LinkBoard(text.Glue(d.nameOf(p.A), " – ", d.nameOf(p.B)), f.linkTo(ctx, &l.head, pl.Channel)))
	}
	if len(lines) > 0 {
		head = text.Lines(head, text.Glue(text.Strong(text.Say("Games being played"))))
	}
	return feature.Fit(head, lines, after...)
}

func (l *league) title(div int) text.Text {
	return text.Say("{name}, season {n}, division {division}", text.Strong(l.Name), l.shownSeason(), div+1)
}

// lines returns a division's standings, one line per player. During the season a line
// shows which places are still possible, unless all are; afterwards it shows whether the
// player moves up or down.
func (l *league) lines(div int) text.Text {
	d := &l.Div[div]
	possible := d.Contest.Possible()
	var all []text.Text
	for _, s := range d.Contest.Table() {
		who := d.nameOf(s.No)
		if s.Place == 0 {
			all = append(all, text.Say("{who} withdrew", who))
			continue
		}
		games := s.Won + s.Drawn + s.Lost
		line := text.Item("{place}. {who}: {points} of {n}, {spread}", s.Place, who, words.Points(s.Points), games, words.Spread(s.Spread))
		if games == 0 {
			line = text.Glue(s.Place, ". ", who)
		}
		r := possible[s.No]
		switch {
		case d.Moved != nil && d.Moved[s.No-1] == contest.Promoted:
			line = text.Glue(line, " · ", text.Item("promoted"))
		case d.Moved != nil && d.Moved[s.No-1] == contest.Relegated:
			line = text.Glue(line, " · ", text.Item("relegated"))
		case d.Moved == nil && r.Best < r.Worst && (r.Best > 1 || r.Worst < len(d.Contest.Entrants)):
			line = text.Glue(line, " · ", text.Item("{best, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} to {worst, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} possible", r.Best, r.Worst))
		}
		all = append(all, line)
	}
	return text.Lines(all...)
}

// drawDivision draws the picture of a division's message again.
func (f *leagues) drawDivision(ctx context.Context, p bot.Posted, dark bool) (*bot.Picture, error) {
	no, div := (p.Number-1)/mostDivisions/edits, (p.Number-1)%mostDivisions
	l, found, err := f.get(ctx, no)
	if err != nil {
		return nil, err
	}
	if !found || l.Channel != p.Channel || div >= len(l.Div) {
		return nil, bot.ErrNoPicture
	}
	return l.picture(f.desk.Painter(ctx, l.Channel, dark), div), nil
}

// picture draws a division's standings.
func (l *league) picture(painter feature.Painter, div int) *bot.Picture {
	d := &l.Div[div]
	return feature.Draw(painter, func(to *text.Locale) imaging.SeasonCard {
		card := imaging.SeasonCard{
			Title:   l.title(div).In(to).String(),
			Caption: text.Say("{n, plural, one {# game} other {# games}} played", d.countPlayed()).In(to).String(),
			Locale:  to,
		}
		for _, s := range d.Contest.Table() {
			card.Lines = append(card.Lines, imaging.SeasonLine{
				Name: d.Contest.Entrants[s.No-1].Name, Won: s.Won, Games: s.Won + s.Drawn + s.Lost, Note: words.Spread(s.Spread),
			})
		}
		return card
	}, (*imaging.Renderer).Season)
}

// countPlayed counts the finished games of a division.
func (d *division) countPlayed() (n int) {
	for _, p := range d.Contest.Games() {
		if r := p.Games[0].Result; r.Over() && r.How != contest.Void {
			n++
		}
	}
	return n
}

// tellEnd announces how a season ended.
func (f *leagues) tellEnd(ctx context.Context, l *league, post bot.Post, m bot.Message) (_ bot.Message, err error) {
	if l.Phase != over && !(l.Phase == entering && l.Season == post.To+1) {
		return m, feature.ErrNothingToTell
	}
	proof, err := f.proof(ctx, l, post.To)
	if err != nil {
		return m, err
	}
	m.Standing = l.standingOf(post.To)
	m.Text = text.Lines(l.ended(), proof)
	m.Buttons, err = f.withPage(ctx, m.Channel, l.No, text.Say("The league's page"), []bot.Button{l.button(text.Say("Standings"), bot.Ordinary, "table")})
	return m, err
}

// ended describes how the season of the divisions ended.
func (l *league) ended() text.Text {
	lines := []text.Text{text.Say("{name}: season {n} is over.", text.Strong(l.Name), l.shownSeason())}
	for i := range l.Div {
		d := &l.Div[i]
		var winners, up, down []text.Span
		for _, s := range d.Contest.Table() {
			who := d.nameOf(s.No)
			if s.Place == 1 {
				winners = append(winners, who)
			}
			if d.Moved == nil {
				continue
			}
			switch d.Moved[s.No-1] {
			case contest.Promoted:
				up = append(up, who)
			case contest.Relegated:
				down = append(down, who)
			}
		}
		line := text.Say("Division {division}: {who} {n, plural, one {wins} other {share first place}}.", i+1, text.List(winners), len(winners))
		if !l.hasOwnMessages() {
			line = text.Say("{who} {n, plural, one {wins} other {share first place in}} {name}!", text.List(winners), len(winners), text.Strong(l.Name))
		}
		if len(up) > 0 {
			line = text.Sentences(line, text.Say("Promoted: {who}.", text.List(up)))
		}
		if len(down) > 0 {
			line = text.Sentences(line, text.Say("Relegated: {who}.", text.List(down)))
		}
		lines = append(lines, line)
	}
	return text.Lines(lines...)
}

// tellNothing drops a post of a kind that is no longer sent.
func tellNothing(_ context.Context, _ bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	return m, feature.ErrNothingToTell
}

// tellStuck announces that games can't open.
func (f *leagues) tellStuck(ctx context.Context, l *league, post bot.Post, m bot.Message) (bot.Message, error) {
	m.Text = text.Say("{name}: I can't open threads here, so games can't begin. Let me open threads in this channel: I'll try again every hour.", text.Strong(l.Name))
	return m, nil
}

// tellLate announces at a table that its season ended before the game.
func (f *leagues) tellLate(ctx context.Context, l *league, post bot.Post, m bot.Message) (bot.Message, error) {
	row, found, err := f.where.Get(ctx, shelf.Channel(post.Channel))
	if err != nil {
		return m, err
	}
	if !found || row.Season != post.To || row.Division >= len(l.Div) {
		return m, feature.ErrNothingToTell
	}
	d := &l.Div[row.Division]
	p, ok := d.Contest.Game(row.ref())
	if !ok {
		return m, feature.ErrNothingToTell
	}
	loser := contest.A
	if halves, _ := p.Games[0].Result.Worth(contest.A); halves > 0 {
		loser = contest.B
	}
	m.Text = text.Say("The season ended before this game. {who} used more time and loses it. You can play on, but it's unrated.", d.nameOf(p.Entrant(loser)))
	if p.Games[0].Result.How == contest.Played {
		m.Text = text.Say("The season ended before this game, which counts as a draw. You can play on, but it's unrated.")
	}
	return m, nil
}
