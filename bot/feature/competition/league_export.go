package competition

import (
	"context"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/contest/files"
)

// export gives a season as files, at any time: of the one that is on, or was the last.
func (f *leagues) export(ctx context.Context, req bot.Request) (bot.Reply, error) {
	l, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if len(l.Div) == 0 {
		return bot.Reply{}, words.Refusing("There are no divisions yet: registration is open until {time}.", words.Clock(l.ClosesAt))
	}
	of := files.Event{Name: l.Name, Date: l.BegunAt}
	for i := range l.Div {
		of.Divisions = append(of.Divisions, files.Division{Name: fmt.Sprint(i + 1), Contest: l.Div[i].Contest})
	}
	name := fmt.Sprintf("league-%d-season-%d", l.No, l.shown())
	r := bot.Reply{Text: text.Say("{name} as files. They have what has begun so far.", text.Strong(l.Name))}
	add := func(ending, kind string, data []byte) {
		r.Files = append(r.Files, bot.File{Name: name + ending, Type: kind, Data: data})
	}
	const plain = "text/plain; charset=us-ascii"
	var data []byte
	switch as := req.Args["as"]; as {
	case "", "csv":
		const table = "text/csv; charset=utf-8"
		add("-standings.csv", table, files.StandingsCSV(of))
		add("-pairings.csv", table, files.PairingsCSV(of))
		add("-games.csv", table, files.GamesCSV(of))
	case "tsh":
		data, err = files.WriteTSH(of)
		add(".t", plain, data)
	case "naspa":
		data, err = files.WriteNASPA(of)
		add("-naspa.txt", plain, data)
	case "tou":
		data, err = files.WriteTOU(of)
		add(".tou", plain, data)
	case "gcg":
		data, err = f.records(ctx, &l)
		add(".zip", "application/zip", data)
	default:
		return bot.Reply{}, words.NoChoice("as", as, "csv", "tsh", "naspa", "tou", "gcg")
	}
	if no := new(files.Error); errors.As(err, &no) {
		return bot.Reply{}, words.Refusing("{what} has no place in that form. Choose another: {example}.", text.Strong(no.What), text.Code("/league export as:csv"))
	}
	return r, err
}

// shown is the season whose divisions there are.
func (l *league) shown() int {
	if l.Phase == entering {
		return l.Season - 1
	}
	return l.Season
}

// records are the games of the season that are over, as GCG in a zip.
func (f *leagues) records(ctx context.Context, l *league) ([]byte, error) {
	var all []files.Record
	for i := range l.Div {
		for _, p := range l.Div[i].Places {
			if p.Table == 0 {
				continue
			}
			record, err := feature.RecordOf(ctx, f.desk, p.Table, f.Files)
			if err != nil {
				return nil, err
			}
			if record != nil {
				all = append(all, files.Record{Name: fmt.Sprintf("division-%d-round-%d-game-%d.gcg", i+1, p.Round+1, p.Pairing+1), Data: record})
			}
		}
	}
	if len(all) == 0 {
		return nil, words.Refusing("No game that was played here is over yet.")
	}
	return files.Zip(all, l.BegunAt)
}
