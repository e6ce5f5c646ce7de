package play

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file stores the lines that a player notes at a table, as on a score sheet (document 000,
// scoring 12). They are private: nothing that others see depends on them.

const longestLine = 200 // characters

// storedLines stores a player's lines at a table.
type storedLines struct {
	V     int          `json:"v"`
	Lines []storedLine `json:"lines"`
	// Dropped is the id of the latest request that deleted lines.
	Dropped string `json:"dropped,omitempty"`
}

type storedLine struct {
	ID   string `json:"id"` // of the request that wrote it
	Text string `json:"text"`
}

type linesKey = shelf.Pair[shelf.Table, shelf.Person]

func linesOf(t bot.TableID, who game.PlayerID) linesKey {
	return shelf.Both(shelf.Table(t), shelf.Person(who))
}

// openLines opens the shelf of lines. Erasing a person removes their names from what others noted at
// their tables.
func openLines(own *shelf.Owner) (lines *shelf.Shelf[linesKey, storedLines]) {
	lines = shelf.Open(own, "table-notes", shelf.Spec[linesKey, storedLines]{
		Why: "the lines that a player notes down at a table",
		Find: func(tx shelf.Tx, _ game.PlayerID, tables []bot.TableID) (keys []linesKey, err error) {
			for _, t := range tables {
				if err := shelf.EachIn(lines.In(tx), shelf.Table(t), func(who shelf.Person, _ storedLines) error {
					keys = append(keys, shelf.Both(shelf.Table(t), who))
					return nil
				}); err != nil {
					return nil, err
				}
			}
			return keys, nil
		},
		Texts: func(s *storedLines) (all []*string) {
			for i := range s.Lines {
				all = append(all, &s.Lines[i].Text)
			}
			return all
		},
	})
	return lines
}

func noteOptions() []bot.Option {
	return []bot.Option{
		{Name: "text", Help: "What to note. Leave it out to see your notes.", Kind: bot.Sentence},
		{Name: "drop", Help: "The number of a note to delete, or all", Kind: bot.Word},
	}
}

// note adds a line, deletes one, or shows them all.
func (f *Feature) note(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := feature.LoadDealt(ctx, f.desk, req)
	if err == nil {
		if _, ok := t.SeatOf(req.User.ID); !ok {
			err = &game.RuleError{Code: game.NotPlaying}
		}
	}
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	said := strings.Join(strings.Fields(req.Args["text"]), " ")
	if n := len([]rune(said)); n > longestLine {
		return words.Refuse(text.Say("A note can have up to {most} characters, and that has {n}. Nothing was saved; try splitting it in two.", longestLine, n)), nil
	}
	var all storedLines
	var refused text.Text
	err = f.lines.Change(ctx, linesOf(t.ID, req.User.ID), func(is *storedLines) (keep bool, err error) {
		all, refused = storedLines{}, is.note(req, said)
		if refused == nil {
			all = *is
		}
		return is.V > 0, nil
	})
	switch {
	case err != nil:
		return bot.Reply{}, err
	case refused != nil:
		return words.Refuse(refused), nil
	case len(all.Lines) == 0:
		return bot.Reply{Text: text.Say("You have no notes at this table. {note} saves one; nobody else sees it.", text.Code("/note Bob has the Q"))}, nil
	}
	return bot.Reply{Text: text.Lines(text.Say("Your notes, for your eyes only:"), text.Plain(joinLines(all.Lines)))}, nil
}

// note deletes or adds lines, once for each request. If it refuses, it changes nothing.
func (s *storedLines) note(req bot.Request, said string) (refused text.Text) {
	lines := slices.Clone(s.Lines)
	switch drop := req.Args["drop"]; {
	case drop == "" || s.Dropped == req.ID:
	case strings.EqualFold(drop, "all"):
		lines = nil
	default:
		n, err := strconv.Atoi(drop)
		if err != nil || n < 1 || n > len(lines) {
			return text.Say("You have no note {drop}. {note} shows their numbers.", text.Code(text.Shorten(drop, bot.MaxName)), text.Code("/note"))
		}
		lines = slices.Delete(lines, n-1, n)
	}
	if said != "" && !slices.ContainsFunc(lines, func(l storedLine) bool { return l.ID == req.ID }) {
		if len(lines) >= bot.LimitNotes.Most {
			return text.Say("You have {most} notes here, and that's the limit. {note} deletes the first.", bot.LimitNotes.Most, text.Code("/note drop:1"))
		}
		lines = append(lines, storedLine{req.ID, said})
	}
	if req.Args["drop"] != "" {
		s.Dropped = req.ID
	}
	s.V, s.Lines = 1, lines
	return nil
}

// showNotes adds a player's notes to their view of the table.
func (f *Feature) showNotes(ctx context.Context, t table.Table, seat int, s *bot.Sight) error {
	if s.Own == nil {
		return nil
	}
	all, _, err := f.lines.Get(ctx, linesOf(t.ID, t.Seats[seat].Person.ID))
	for _, l := range all.Lines {
		s.Own.Notes = append(s.Own.Notes, l.Text)
	}
	return err
}

func joinLines(lines []storedLine) string {
	var out []string
	for i, l := range lines {
		out = append(out, fmt.Sprintf("%d. %s", i+1, l.Text))
	}
	return strings.Join(out, "\n")
}
