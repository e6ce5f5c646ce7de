package competition

import (
	"context"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest/files"
)

// This file exports competitions as files, at any time, with the rounds begun so far.

// A played is a game's table and its file name in a zip.
type played struct {
	table bot.TableID
	name  string
}

// files returns an event in the requested format; name is the prefix of the file names.
func (b *book[T, P]) files(ctx context.Context, as, name string, of files.Event, games []played, proof func() ([]byte, error)) (r bot.Reply, err error) {
	r.Text = text.Say("The files of {name} so far.", text.Strong(of.Name))
	add := func(ending, kind string, data []byte) {
		r.Files = append(r.Files, bot.File{Name: name + ending, Type: kind, Data: data})
	}
	const table, plain = "text/csv; charset=utf-8", "text/plain; charset=us-ascii"
	var data []byte
	var changes []files.Change
	switch {
	case as == "", as == "csv":
		add("-standings.csv", table, files.StandingsCSV(of))
		add("-pairings.csv", table, files.PairingsCSV(of))
		add("-games.csv", table, files.GamesCSV(of))
	case as == "tsh":
		data, changes, err = files.WriteTSH(of)
		add(".t", plain, data)
	case as == "naspa":
		data, changes, err = files.WriteNASPA(of)
		add("-naspa.txt", plain, data)
	case as == "tou":
		data, changes, err = files.WriteTOU(of)
		add(".tou", plain, data)
	case as == "gcg":
		data, err = b.records(ctx, of, games)
		add(".zip", "application/zip", data)
	case as == "proof":
		data, err = proof()
		add("-proof.json", "application/json", data)
	default:
		return bot.Reply{}, words.NoChoice("as", as, "csv", "tsh", "naspa", "tou", "gcg", "proof")
	}
	if no := new(files.Error); errors.As(err, &no) {
		return bot.Reply{}, words.Refusing("Some matches have more games than others, which that format can't show. Choose another: {example}.", text.Code("/"+b.kind+" export as:csv"))
	}
	r.Text = feature.Fit(r.Text, explainChanges(changes))
	return r, err
}

// explainChanges explains what a format changed because it couldn't represent the original.
func explainChanges(changes []files.Change) (lines []text.Text) {
	voids := 0
	for _, c := range changes {
		switch c.Problem {
		case files.NameLost:
			lines = append(lines, text.Say("{name} is written as {other}: that format allows only plain letters.", text.Strong(c.What), text.Strong(c.As)))
		case files.NameTwice:
			lines = append(lines, text.Say("{name} is written as {other}, to tell two people apart.", text.Strong(c.What), text.Strong(c.As)))
		case files.BadScore:
			lines = append(lines, text.Say("{score} is written as {other}: that format allows 0 to 999.", text.Strong(c.What), text.Strong(c.As)))
		case files.VoidGame:
			voids++
		}
	}
	if voids > 0 {
		lines = append(lines, text.Say("{n, plural, one {A void game is written as a bye} other {# void games are written as byes}}.", voids))
	}
	return lines
}

// records returns the finished games that were played here, as GCG files in a zip.
func (b *book[T, P]) records(ctx context.Context, of files.Event, games []played) ([]byte, error) {
	var all []files.Record
	for _, g := range games {
		record, err := b.recordOf(ctx, g.table)
		if err != nil {
			return nil, err
		}
		if record != nil {
			all = append(all, files.Record{Name: g.name, Data: record})
		}
	}
	if len(all) == 0 {
		return nil, words.Refusing("No game that was played here is over yet.")
	}
	return files.Zip(all, of.Date)
}

// recordOf returns the moves of a finished game, as GCG. It returns nil if the game isn't
// over or the table is gone.
func (b *book[T, P]) recordOf(ctx context.Context, id bot.TableID) ([]byte, error) {
	t, err := feature.LoadTable(ctx, b.desk, id)
	switch {
	case errors.Is(err, bot.ErrNoTable):
		return nil, nil
	case err != nil || t.Phase != game.Over:
		return nil, err
	}
	files, err := b.Files(t)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	return bot.FilesIn(nil, files[:1])[0].Data, nil
}

// export returns a tournament as files.
func (f *tournaments) export(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.require(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	e.Contest.Rounds = e.Contest.Rounds[:e.Begun]
	var games []played
	for _, p := range e.Places {
		for _, id := range p.Tables {
			games = append(games, played{id, fmt.Sprintf("round-%d-table-%d.gcg", p.Round, p.Pairing)})
		}
	}
	of := files.Event{Name: e.Name, Date: e.At, Divisions: []files.Division{{Name: "A", Contest: &e.Contest}}}
	return f.files(ctx, req.Args["as"], fmt.Sprintf("tournament-%d", e.No), of, games, e.proof)
}

// proof returns the data for drawing the lots again. As this reveals the secret, it
// refuses until the tournament has ended.
func (e *event) proof() ([]byte, error) {
	if e.Phase != ended {
		return nil, words.Refusing("The secret is published when the tournament is over. Its digest is {digest}.", text.Code(game.Digest(digestOf(e.Secret))))
	}
	return proofOf("tournament", e.Secret, e.Causes)
}

// export returns the current season as files, or the last one between seasons.
func (f *leagues) export(ctx context.Context, req bot.Request) (bot.Reply, error) {
	l, err := f.require(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if len(l.Div) == 0 {
		return bot.Reply{}, words.Refusing("There are no divisions yet: registration is open until {time}.", words.Clock(l.ClosesAt))
	}
	of := files.Event{Name: l.Name, Date: l.BegunAt}
	var games []played
	for i, d := range l.Div {
		of.Divisions = append(of.Divisions, files.Division{Name: fmt.Sprint(i + 1), Contest: d.Contest})
		for _, p := range d.Places {
			if p.Table != 0 {
				games = append(games, played{p.Table, fmt.Sprintf("division-%d-round-%d-game-%d.gcg", i+1, p.Round+1, p.Pairing+1)})
			}
		}
	}
	proof := func() ([]byte, error) {
		host, err := f.own.Secret(ctx, "leagues")
		if err != nil {
			return nil, err
		}
		secret := l.secretOf(l.shownSeason(), host)
		switch {
		case len(l.Lots) == 0:
			return nil, words.Refusing("No digest was published for the lots of this season.")
		case l.Phase == playing:
			return nil, words.Refusing("The secret is published when the season is over. Its digest is {digest}.", text.Code(game.Digest(digestOf(secret))))
		}
		return proofOf(fmt.Sprintf("registration for season %d", l.shownSeason()), secret, l.Lots)
	}
	return f.files(ctx, req.Args["as"], fmt.Sprintf("league-%d-season-%d", l.No, l.shownSeason()), of, games, proof)
}
