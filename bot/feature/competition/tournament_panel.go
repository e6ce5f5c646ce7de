package competition

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/contest"
)

// This file contains the view of a tournament, and the director's next steps.

// panel returns the director's message: the state of the tournament, and the next step, below other
// lines. Others get it without the director's buttons and the pairings of a round that hasn't begun.
func (f *tournaments) panel(ctx context.Context, e *event, directs bool, above ...text.Text) (bot.Reply, error) {
	if !directs {
		public := *e
		e = &public
		e.hideDraft()
	}
	var r bot.Reply
	add := func(label text.Text, style bot.Style, do string) {
		if directs {
			r.Buttons = append(r.Buttons, e.button(label, style, do))
		}
	}
	var head, next text.Text
	var lines, said []text.Text
	switch {
	case e.Phase == entering:
		head = text.Say("{name}: {n, plural, =0 {nobody has entered yet} one {one has entered} other {# have entered}}.", text.Strong(e.Name), e.countEntrants())
		lines = e.entrants()
		next = text.Say("Next: wait until all have entered, then close the registration.")
		add(text.Say("Close registration"), bot.Primary, "close")
		add(text.Say("Call it off"), bot.Danger, "off")
	case e.Phase == off:
		head = text.Say("{name} was called off.", text.Strong(e.Name))
		add(text.Say("Undo"), bot.Ordinary, "undo")
	case e.Phase == ended:
		head, lines = text.Say("{name} is over.", text.Strong(e.Name)), e.standings(-1)
		add(text.Say("Undo"), bot.Ordinary, "undo")
	case e.isPaired():
		n := len(e.Contest.Rounds)
		head, lines = text.Say("{name}: pairings of round {n} of {all}", text.Strong(e.Name), n, max(e.Planned, n)), e.pairings(n, noLinks)
		next = text.Say("Next: start the round. Until then you can swap players.")
		add(text.Say("Start round {n}", n), bot.Primary, "start")
		add(text.Say("Undo"), bot.Ordinary, "undo")
	case e.Begun == 0:
		head = text.Say("{name}: {n, plural, one {one player} other {# players}}, {rounds, plural, one {one round} other {# rounds}}.", text.Strong(e.Name), e.countEntrants(), e.Planned)
		lines = e.entrants()
		next = text.Say("Next: pair the first round. You see it before it starts.")
		add(text.Say("Pair round {n}", 1), bot.Primary, "pair")
		add(text.Say("Undo"), bot.Ordinary, "undo")
	case e.isPlaying():
		head, lines = text.Say("{name}, round {n} of {all}:", text.Strong(e.Name), e.Begun, max(e.Planned, e.Begun)), e.pairings(e.Begun, noLinks)
		next = text.Say("Next: wait for the games. I'll tell you when the round is over.")
		disputed, choices := e.disputedReports()
		absent, _ := e.absentees()
		idle, missing := e.idleSpots()
		hold := len(absent) > 0 && e.Held == e.Begun
		switch {
		case directs && len(disputed) > 0:
			said = disputed
			next = text.Say("Next: decide the results that aren't agreed on.")
			r.Buttons = append(r.Buttons, choices...)
		case hold:
			next = text.Say("Next: {n, plural, one {one game hasn't} other {# games haven't}} begun, more than a quarter of the round. Do their players forfeit?", len(absent))
			add(text.Say("{n, plural, one {Nudge who hasn't begun} other {Nudge # who haven't begun}}", len(missing)), bot.Primary, "nudge")
		case len(idle) > 0 && !e.Real:
			next = text.Say("Next: {n, plural, one {one player hasn't} other {# players haven't}} sat down yet. Nudge them, or wait for the games.", len(missing))
			add(text.Say("{n, plural, one {Nudge who hasn't begun} other {Nudge # who haven't begun}}", len(missing)), bot.Primary, "nudge")
		}
		if hold {
			add(text.Say("{n, plural, one {Forfeit # game} other {Forfeit # games}}", len(absent)), bot.Danger, "forfeits")
		}
		add(text.Say("Undo"), bot.Ordinary, "undo")
	default:
		n := e.Begun + 1
		head, lines = text.Say("{name}: round {n} of {all} is over.", text.Strong(e.Name), e.Begun, max(e.Planned, e.Begun)), e.standings(-1)
		if e.isOver() {
			next = text.Say("Next: all rounds are played. End the tournament, or pair one more.")
			add(text.Say("End"), bot.Primary, "end")
			if e.Kind == contest.Knockout {
				next = text.Say("Next: the knock-out has its winner. End the tournament.")
			} else {
				add(text.Say("Pair round {n}", n), bot.Ordinary, "pair")
			}
		} else {
			next = text.Say("Next: pair round {n}. You see it before it starts.", n)
			add(text.Say("Pair round {n}", n), bot.Primary, "pair")
			add(text.Say("End"), bot.Ordinary, "end")
		}
		add(text.Say("Undo"), bot.Ordinary, "undo")
	}
	if e.isOn() && e.Phase != entering && len(r.Buttons) < bot.MostButtons-1 {
		add(text.Say("Players and results"), bot.Ordinary, "choose")
	}
	if directs && e.Gone && e.isOn() {
		above = append(above, text.Say("Its channel was removed. The tournament goes on in private messages. To name another channel, type {move} there.", text.Code("/tournament move")))
	}
	if directs {
		said = append(said, next)
	}
	r.Text = feature.Fit(text.Lines(append(above, head)...), lines, said...)
	if e.Phase == off {
		return r, nil
	}
	var err error
	r.Buttons, err = f.withPage(ctx, e.Channel, e.No, text.Say("The tournament's page"), r.Buttons)
	return r, err
}

// isOver reports whether all planned rounds are over, or the knock-out has its winner.
func (e *event) isOver() bool {
	if e.Kind == contest.Knockout {
		_, err := e.Contest.Pair(contest.Method{Kind: contest.Knockout})
		return errors.Is(err, contest.ErrWon)
	}
	return e.Begun >= e.Planned
}

// entrants lists the entrants who haven't withdrawn.
func (e *rounds) entrants() (lines []text.Text) {
	for _, x := range e.Contest.Entrants {
		if x.Out > 0 {
			continue
		}
		var line text.Text
		switch {
		case len(x.Team) > 0:
			var names []text.Span
			for _, p := range x.Team {
				names = append(names, text.Name(person(p)))
			}
			line = text.Glue(len(lines)+1, ". ", text.Strong(x.Name), ": ", text.List(names))
		case x.Seed > 0:
			line = text.Glue(len(lines)+1, ". ", e.nameOf(x.No), " (", text.Item("seed {n}", x.Seed), ")")
		case x.Rating > 0:
			line = text.Glue(len(lines)+1, ". ", e.nameOf(x.No), " (", x.Rating, ")")
		default:
			line = text.Glue(len(lines)+1, ". ", e.nameOf(x.No))
		}
		lines = append(lines, line)
	}
	return lines
}

// noLinks gives pairings no links.
func noLinks(spot) string { return "" }

// pairings lists the pairings of a round, with the results so far. link returns the address of a
// place of play, or "".
func (e *rounds) pairings(round int, link func(spot) string) (lines []text.Text) {
	for i, p := range e.Contest.Rounds[round-1].Pairings {
		switch {
		case p.B == 0 && p.Missed:
			lines = append(lines, text.Say("{who} misses the round.", e.nameOf(p.A)))
		case p.B == 0 && p.A != 0:
			lines = append(lines, text.Say("{who} has a bye.", e.nameOf(p.A)))
		case p.B != 0:
			first, second := inOrder(p)
			line := text.Glue(i+1, ". ", e.nameOf(first), " – ", e.nameOf(second))
			if so := pairingText(p); so != "" {
				line = text.Glue(line, "  ", so)
			}
			for _, s := range e.spots(round, i+1) {
				line = feature.LinkBoard(line, link(s))
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// pairingText returns the results of a pairing so far, with the player who moves first in the
// first game in front.
func pairingText(p contest.Pairing) string {
	var all []string
	for _, g := range p.Games {
		if s := resultText(g.Result, p.Games[0].First); s != "" {
			all = append(all, s)
		}
	}
	return strings.Join(all, ", ")
}

// resultText returns a result as "412:377", or as "+:–" if it is a forfeit, with a side's
// points in front. It returns "" if the game is open or void.
func resultText(r contest.Result, front contest.Side) string {
	switch r.How {
	case contest.Played:
		return fmt.Sprintf("%d:%d", r.Scores[front], r.Scores[front.Other()])
	case contest.LostByBoth:
		return "–:–"
	case contest.Forfeit(front).How:
		return "–:+"
	case contest.Forfeit(front.Other()).How:
		return "+:–"
	}
	return ""
}

// standings lists the standings after a number of rounds, or after all of them if rounds is -1.
func (e *rounds) standings(rounds int) (lines []text.Text) {
	for _, s := range e.Contest.Standings(rounds) {
		lines = append(lines, text.Glue(s.Place, ". ", e.nameOf(s.No), "  ", words.Points(s.Points), "  ", words.Spread(s.Spread)))
	}
	return lines
}
