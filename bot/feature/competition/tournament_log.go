package competition

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// log lists who did what, latest first.
func (f *tournaments) log(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.require(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	var lines []text.Text
	for _, d := range slices.Backward(e.Deeds) {
		lines = append(lines, text.Glue(words.Clock(d.At), " · ", e.line(d)))
	}
	return bot.Reply{Text: feature.Fit(text.Say("The log of {name}, latest first:", text.Strong(e.Name)), lines)}, nil
}

// line describes an action in a sentence.
func (e *event) line(d change) text.Text {
	by := any(text.PlainName(d.By))
	if d.By.ID == "" {
		by = text.Item("Rackmate")
	}
	switch d.Kind {
	case didOpen:
		return text.Say("{who} opened the tournament.", by)
	case didEnter:
		if x, _ := e.Contest.Entrant(d.No); game.PlayerID(x.ID) == d.By.ID {
			return text.Say("{who} entered.", by)
		}
		return text.Say("{who} entered {other}.", by, e.nameOf(d.No))
	case didWithdraw:
		if x, _ := e.Contest.Entrant(d.No); game.PlayerID(x.ID) == d.By.ID {
			return text.Say("{who} withdrew.", by)
		}
		return text.Say("{who} withdrew {other}.", by, e.nameOf(d.No))
	case didReturn:
		return text.Say("{who} let {other} back in.", by, e.nameOf(d.No))
	case didClose:
		return text.Say("{who} closed the registration.", by)
	case didReopen:
		return text.Say("{who} opened the registration again.", by)
	case didPair:
		return text.Say("{who} paired round {n}.", by, d.Spot.Round)
	case didSwap:
		return text.Say("{who} swapped {a} and {b} in round {n}.", by, e.nameOf(d.No), e.nameOf(d.Other), d.Spot.Round)
	case didBegin:
		return text.Say("{who} started round {n}.", by, d.Spot.Round)
	case didResult:
		p := e.pairingAt(d.Spot)
		if p == nil || d.Is == nil {
			break
		}
		said := text.Say("{who} entered round {n}, {a} – {b}: {score}.", by, d.Spot.Round, e.nameOf(p.A), e.nameOf(p.B), resultText(*d.Is, contest.A))
		if d.Was != nil && d.Was.Over() {
			said = text.Sentences(said, text.Say("It was {score} before.", resultText(*d.Was, contest.A)))
		}
		return said
	case didSeed:
		if d.Undone || len(e.seededNames()) == 0 {
			return text.Say("{who} set the seeds.", by)
		}
		return text.Say("{who} set the seeds: {players}.", by, text.List(e.seededNames()))
	case didImport:
		return text.Say("{who} imported {n, plural, one {one round} other {# rounds}} played elsewhere.", by, d.Game)
	case didEnd:
		return text.Say("{who} ended the tournament.", by)
	case didOff:
		return text.Say("{who} called the tournament off.", by)
	case didDirector:
		return text.Say("{who} added a director.", by)
	case didMove:
		return text.Say("{who} moved the tournament to another channel.", by)
	case didNudge:
		return text.Say("{who} reminded the players who hadn't begun.", by)
	case didUndo:
		if p := e.pairingAt(d.Spot); d.Of == didResult && p != nil && d.Is != nil {
			return text.Say("{who} undid round {n}, {a} – {b}: {score}.", by, d.Spot.Round, e.nameOf(p.A), e.nameOf(p.B), resultText(*d.Is, contest.A))
		}
		return text.Say("{who} undid {what, select, enter {an entry} withdraw {a withdrawal} return {a return} close {closing the registration} reopen {opening the registration} pair {the pairing of a round} swap {a swap} begin {the start of a round} result {a result} seed {the seeds} import {importing rounds} end {the end} off {calling it off} director {adding a director} other {something}}.", by, string(d.Of))
	}
	return text.Say("{who} changed something.", by)
}
