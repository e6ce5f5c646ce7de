package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// This file serves the board on the page, another way to give the host's commands. It
// stores nothing.

// board serves the page's board.
type board struct {
	host     bot.Host
	notes    bot.Notes
	answers  *pages.Answers
	commands *commands
	members  *members
	keys     pages.Keys
	streams  *streams
	visitors *visitors
}

// A tableView is a table as a person sees it in the room, with its stream and page. Old is
// true if it isn't the stream's latest.
type tableView struct {
	Sight  *bot.Sight `json:"sight,omitempty"`
	Stream stream     `json:"stream,omitempty"`
	Page   string     `json:"page,omitempty"`
	Old    bool       `json:"old,omitempty"`
}

// table returns a table as a person sees it: a stream's, or the one whose page a key names.
// Without a table, the sight is missing.
func (bd *board) table(ctx context.Context, who person, in struct {
	Stream string `json:"stream"`
	Key    string `json:"key"`
}) (any, error) {
	var table bot.TableID
	if in.Key != "" {
		page, err := bd.keys.Find(ctx, in.Key)
		if err != nil {
			return nil, err
		}
		table, in.Stream = page.Table, ""
		if s, ours := streamOf(page.Channel); ours {
			in.Stream = string(s)
		}
	}
	s, err := bd.streams.find(ctx, who, in.Stream)
	if err != nil {
		return nil, err
	}
	req := bd.commands.request(who, s, "", pages.Screen{})
	sight, err := bd.host.Sight(ctx, req)
	latest := sight.Table
	if table != 0 && latest != table && (err == nil || errors.Is(err, bot.ErrNoTable)) {
		req.Table = table
		sight, err = bd.host.Sight(ctx, req)
	}
	switch {
	case errors.Is(err, bot.ErrNoTable):
		return tableView{}, nil
	case err != nil:
		return nil, err
	}
	all := tableView{Sight: &sight, Stream: s, Old: sight.Table != latest}
	if all.Page, err = bd.keys.Path(ctx, sight.Table); err != nil {
		return nil, err
	}
	return all, bd.members.nameNow(ctx, &sight)
}

// A listedTable is a table that can be joined or watched.
type listedTable struct {
	Stream  stream   `json:"stream"`
	Phase   string   `json:"phase"`
	Players []string `json:"players"`
	Seats   int      `json:"seats"`
}

// listRunning lists the tables in all channels whose game isn't over.
func (bd *board) listRunning(ctx context.Context, who person, _ struct{}) (any, error) {
	channels, err := bd.streams.channels(ctx)
	if err != nil {
		return nil, err
	}
	all := []listedTable{}
	for _, s := range channels {
		sight, err := bd.host.Sight(ctx, bd.commands.request(who, s, "", pages.Screen{}))
		if errors.Is(err, bot.ErrNoTable) || err == nil && sight.Phase == "over" {
			continue
		}
		if err != nil {
			return nil, err
		}
		one := listedTable{Stream: s, Phase: sight.Phase, Seats: sight.Seats}
		for _, p := range sight.Players {
			one.Players = append(one.Players, p.Name)
		}
		all = append(all, one)
	}
	return map[string]any{"games": all}, nil
}

// draft returns what a play would score at a table, or at the stream's latest if table is
// 0.
func (bd *board) draft(ctx context.Context, who person, in struct {
	pages.Drafted
	Stream string      `json:"stream"`
	Table  bot.TableID `json:"table"`
}) (any, error) {
	s, err := bd.streams.find(ctx, who, in.Stream)
	if err != nil {
		return nil, err
	}
	req := in.Tried(bd.commands.request(who, s, "", pages.Screen{}))
	req.Table = in.Table
	return bd.host.Draft(ctx, req)
}

// act carries out a command from the board, for the table as the board showed it.
func (bd *board) act(ctx context.Context, who person, in struct {
	Stream  string            `json:"stream"`
	ID      string            `json:"id"`
	Command string            `json:"command"`
	Args    map[string]string `json:"args"`
	Table   bot.TableID       `json:"table"`
	Number  int               `json:"number"`
	pages.Screen
}) (any, error) {
	s, err := bd.streams.find(ctx, who, in.Stream)
	if err != nil {
		return nil, err
	}
	if !pages.IsClientID(in.ID) || in.Number < 0 {
		return nil, pages.ErrUnread
	}
	req := bd.commands.request(who, s, in.ID, in.Screen)
	req.Command, req.Args, req.Table, req.Number = in.Command, in.Args, in.Table, in.Number
	return bd.commands.handle(ctx, who, req)
}

// servePicture serves the picture of a line to people who may read its stream, with "?dark"
// for a dark screen.
func (bd *board) servePicture(w http.ResponseWriter, req *http.Request) {
	who, err := bd.visitors.visitor(req)
	if err != nil {
		bd.answers.Fail(w, req, err)
		return
	}
	b, err := bd.draw(req.Context(), who, req.PathValue("stream"), req.PathValue("file"), req.URL.Query().Has("dark"))
	if err != nil {
		bd.answers.Fail(w, req, err)
		return
	}
	sum := sha256.Sum256(b)
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:9])+`"`)
	h.Set("Cache-Control", "private, max-age=31536000, immutable")
	http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(b))
}

// draw returns the picture of a line, drawn by the host, if the person may read it.
func (bd *board) draw(ctx context.Context, who person, id, file string, dark bool) ([]byte, error) {
	s, err := bd.streams.find(ctx, who, id)
	if err != nil {
		return nil, err
	}
	number, _, _ := strings.Cut(file, "-")
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return nil, pages.ErrNoPicture
	}
	var l storedLine
	found, err := notes.Read(ctx, bd.notes, string(s.log()), notes.EntryKey(n), &l)
	if err != nil {
		return nil, err
	}
	if !found || l.Picture == nil || l.pictureFile(n) != file {
		return nil, pages.ErrNoPicture
	}
	p := bot.Posted{Channel: s.channelID(), Table: l.Table, Number: l.Events, Kind: l.Kind}
	if l.About != "" {
		p.Channel, p.To = l.About.channelID(), who.player()
	}
	drawn, err := bd.host.Picture(ctx, p, dark)
	if errors.Is(err, bot.ErrNoPicture) || err == nil && len(drawn.PNG) == 0 {
		return nil, pages.ErrNoPicture
	}
	if err != nil {
		return nil, err
	}
	return drawn.PNG, nil
}
