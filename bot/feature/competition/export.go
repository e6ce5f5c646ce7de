package competition

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/contest/files"
)

// export gives a tournament as files, at any time: what has begun of it.
func (f *tournaments) export(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	e.Contest.Rounds = e.Contest.Rounds[:e.Begun]
	of := files.Event{Name: e.Name, Date: e.At, Divisions: []files.Division{{Name: "A", Contest: &e.Contest}}}
	name := fmt.Sprintf("tournament-%d", e.No)
	r := bot.Reply{Text: text.Say("{name} as files. They have what has begun so far.", text.Strong(e.Name))}
	add := func(ending, kind string, data []byte) {
		r.Files = append(r.Files, bot.File{Name: name + ending, Type: kind, Data: data})
	}
	var data []byte
	switch as := req.Args["as"]; as {
	case "", "csv":
		add("-standings.csv", "text/csv; charset=utf-8", files.StandingsCSV(of))
		add("-pairings.csv", "text/csv; charset=utf-8", files.PairingsCSV(of))
		add("-games.csv", "text/csv; charset=utf-8", files.GamesCSV(of))
	case "tsh":
		data, err = files.WriteTSH(of)
		add(".t", "text/plain; charset=us-ascii", data)
	case "naspa":
		data, err = files.WriteNASPA(of)
		add("-naspa.txt", "text/plain; charset=us-ascii", data)
	case "tou":
		data, err = files.WriteTOU(of)
		add(".tou", "text/plain; charset=us-ascii", data)
	case "gcg":
		data, err = f.records(ctx, &e)
		add(".zip", "application/zip", data)
	case "proof":
		data, err = e.proof()
		add("-proof.json", "application/json", data)
	default:
		return bot.Reply{}, words.NoChoice("as", as, "csv", "tsh", "naspa", "tou", "gcg", "proof")
	}
	if err != nil {
		return bot.Reply{}, unwritten(err)
	}
	return r, nil
}

// unwritten says what a form has no place for.
func unwritten(err error) error {
	var e *files.Error
	if !errors.As(err, &e) {
		return err
	}
	what := text.Strong(e.What)
	switch e.Problem {
	case files.NameLost, files.NameMissing:
		return words.Refusing("The name {name} can't be written in that form, which has plain letters alone. Enter them under another name, or choose another form.", what)
	case files.BadScore:
		return words.Refusing("The score {score} can't be written in that form, which has three digits. Choose another form: {example}.", what, text.Code("/tournament export as:csv"))
	case files.VoidGame:
		return words.Refusing("A game of {who} counts for nothing, and that form has no place for it. Choose another form: {example}.", what, text.Code("/tournament export as:csv"))
	case files.Uneven:
		return words.Refusing("Some matches have more games than others, and that form has no place for that. Choose another form: {example}.", text.Code("/tournament export as:csv"))
	}
	return words.Refusing("{what} has no place in that form. Choose another: {example}.", what, text.Code("/tournament export as:csv"))
}

// records are the games that were played here and are over, as GCG in a zip.
func (f *tournaments) records(ctx context.Context, e *event) ([]byte, error) {
	var all []files.Record
	for _, p := range e.Places {
		if p.Channel == "" {
			continue
		}
		for _, id := range p.Tables {
			record, err := feature.RecordOf(ctx, f.desk, id, f.Files)
			if err != nil {
				return nil, err
			}
			if record != nil {
				all = append(all, files.Record{Name: fmt.Sprintf("round-%d-table-%d.gcg", p.Round, p.Pairing), Data: record})
			}
		}
	}
	if len(all) == 0 {
		return nil, words.Refusing("No game that was played here is over yet.")
	}
	return files.Zip(all, e.At)
}

// proof is what it takes to draw the lots again; the secret once the tournament is over.
func (e *event) proof() ([]byte, error) {
	if e.Phase != ended {
		return nil, words.Refusing("The secret is published when the tournament is over. Its SHA-256 is {digest}.", text.Code(e.digest()))
	}
	return json.MarshalIndent(struct {
		About    string   `json:"about"`
		Digest   string   `json:"digest"`
		Secret   string   `json:"secret"`
		Requests []string `json:"requests"`
		Seed     string   `json:"seed"`
	}{
		"digest is the SHA-256 of the secret. seed is the SHA-256 of the secret in hexadecimal and, each after a line feed, the requests by which people entered.",
		e.digest(), e.Secret, e.Causes, fmt.Sprintf("%x", e.Contest.Seed),
	}, "", "  ")
}
