package play

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file has the lines that a player notes down at a table, as on a score
// sheet (document 000, scoring 12). They are the player's alone: nothing that
// others see depends on them.

// tableNotesShelf has the lines by table and player: a storedLines.
const tableNotesShelf = "table-notes"

const longestLine = 200 // characters

type storedLines struct {
	V     int          `json:"v"`
	Lines []storedLine `json:"lines"`
	// Dropped is the id of the latest request that threw lines away.
	Dropped string `json:"dropped,omitempty"`
}

type storedLine struct {
	ID   string `json:"id"` // of the request that wrote it
	Text string `json:"text"`
}

func noteOptions() []bot.Option {
	return []bot.Option{
		{Name: "text", Help: "What to note down; leave out to see your notes", Kind: bot.Sentence},
		{Name: "drop", Help: "The number of a note to throw away, or all", Kind: bot.Word},
	}
}

func linesKey(t bot.TableID, who game.PlayerID) string {
	return notes.TableKey(t) + "\x00" + string(who)
}

// note keeps a line for a player, throws one away, or shows them all.
func note(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	t, err := h.LoadDealt(ctx, req)
	if err == nil {
		if _, ok := t.SeatOf(req.User.ID); !ok {
			err = &game.RuleError{Code: game.NotPlaying}
		}
	}
	if err != nil {
		return h.OrExplain(t, req, err)
	}
	said := strings.Join(strings.Fields(req.Args["text"]), " ")
	if n := len([]rune(said)); n > longestLine {
		return words.Refuse(text.Say("A note has up to {most} characters, and that has {n}. Nothing was noted; try it in two.", longestLine, n)), nil
	}
	var all storedLines
	var refused text.Text
	err = h.Notes.Change(ctx, func(rows bot.Rows) error {
		all, refused = storedLines{V: 1}, nil
		key := linesKey(t.ID, req.User.ID)
		if _, err := notes.Get(rows, tableNotesShelf, key, &all); err != nil {
			return err
		}
		switch drop := req.Args["drop"]; {
		case drop == "" || all.Dropped == req.ID:
		case strings.EqualFold(drop, "all"):
			all.Lines = nil
		default:
			n, err := strconv.Atoi(drop)
			if err != nil || n < 1 || n > len(all.Lines) {
				refused = text.Say("You have no note {drop}. {note} shows their numbers.", text.Code(text.Shorten(drop, bot.MaxName)), text.Code("/note"))
				return nil
			}
			all.Lines = slices.Delete(all.Lines, n-1, n)
		}
		if req.Args["drop"] != "" {
			all.Dropped = req.ID
		}
		if said != "" && !slices.ContainsFunc(all.Lines, func(l storedLine) bool { return l.ID == req.ID }) {
			if len(all.Lines) >= bot.LimitNotes.Most {
				refused = text.Say("You have {most} notes here, which is as many as there can be. {note} throws the first away.", bot.LimitNotes.Most, text.Code("/note drop:1"))
				return nil
			}
			all.Lines = append(all.Lines, storedLine{req.ID, said})
		}
		return notes.Put(rows, tableNotesShelf, key, all)
	})
	switch {
	case err != nil:
		return bot.Reply{}, err
	case refused != nil:
		return words.Refuse(refused), nil
	case len(all.Lines) == 0:
		return bot.Reply{Text: text.Say("You have no notes at this table. {note} keeps one; nobody else sees it.", text.Code("/note Bob has the Q"))}, nil
	}
	return bot.Reply{Text: text.Lines(text.Say("Your notes, which nobody else sees:"), text.Plain(inLines(all.Lines)))}, nil
}

// linesOf are the notes of a player at a table.
func linesOf(ctx context.Context, h *host.Host, t bot.TableID, who game.PlayerID) ([]storedLine, error) {
	var all storedLines
	b, err := h.Notes.Get(ctx, tableNotesShelf, linesKey(t, who))
	if err != nil || b == nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, fmt.Errorf("read somebody's notes: %w", err)
	}
	return all.Lines, nil
}

// ownLines shows a player their notes beside the rack.
func ownLines(ctx context.Context, h *host.Host, t table.Table, seat int, own *bot.Own) error {
	lines, err := linesOf(ctx, h, t.ID, t.Seats[seat].Person.ID)
	for _, l := range lines {
		own.Notes = append(own.Notes, l.Text)
	}
	return err
}

func inLines(lines []storedLine) string {
	var out []string
	for i, l := range lines {
		out = append(out, fmt.Sprintf("%d. %s", i+1, l.Text))
	}
	return strings.Join(out, "\n")
}
