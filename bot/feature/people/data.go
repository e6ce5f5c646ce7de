package people

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// leavingShelf has, by player, whoever is being forgotten: a storedLeaving.
const leavingShelf = "leaving"

// A storedLeaving is kept until all is done, so that it is done to the end.
type storedLeaving struct {
	V    int           `json:"v"`
	Name string        `json:"name"`
	As   game.PlayerID `json:"as"` // who they are from now on
	// Earlier are the other names they have had.
	Earlier []string `json:"earlier,omitempty"`
}

// formerName is what a former player is called.
const formerName = "former player"

func dataOptions() []bot.Option {
	return []bot.Option{
		{Name: "what", Help: "What to do with it", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "export", Label: text.Say("Give me all of it, as a file")}, {Value: "delete", Label: text.Say("Forget me; I ask you again first")},
		}},
	}
}

// data gives somebody all that is kept of them, or removes it.
func data(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	switch what := req.Args["what"]; what {
	case "":
		return bot.Reply{
			Text: text.Say("What I keep of you here: your name, your games, your settings, and what is counted of your games. {export} gives you all of it in a file. {delete} removes it.", text.Code("/data export"), text.Code("/data delete")),
			Buttons: []bot.Button{
				{ID: bot.ButtonID(0, 0, "data", map[string]string{"what": "export"}), Label: text.Say("Export")},
				{ID: bot.ButtonID(0, 0, "data", map[string]string{"what": "delete"}), Label: text.Say("Delete"), Style: bot.Danger},
			},
		}, nil
	case "export":
		return exportData(ctx, h, req)
	case "delete":
		return askToForget(ctx, h, req)
	case "forget":
		return forget(ctx, h, req)
	default:
		return bot.Reply{}, words.NoChoice("what", what, "export", "delete")
	}
}

func askToForget(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	tables, err := h.Store.Playing(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	t := text.Say("Shall I forget you? Your name, ratings, records, plans, notes and settings go, and so does the link to who you are elsewhere. Games that are over stay for those you played with, by a \"{former}\"; what was posted stays where it is.", formerName)
	if n := len(tables); n > 0 {
		t = text.Sentences(t, text.Say("You are in the middle of {n, plural, one {# game, and resign it} other {# games, and resign them}}.", n))
	}
	t = text.Sentences(t, text.Say("This can't be undone; {export} keeps you a copy.", text.Code("/data export")))
	return bot.Reply{Text: t, Buttons: []bot.Button{
		{ID: bot.ButtonID(0, 0, "data", map[string]string{"what": "forget"}), Label: text.Say("Yes, forget me"), Style: bot.Danger},
		{ID: bot.ButtonID(0, 0, "data", map[string]string{"what": "export"}), Label: text.Say("Export first")},
	}}, nil
}

// rowsOf are the notes that are about one person alone.
func rowsOf(h *host.Host, rows bot.Rows, who game.PlayerID, tables []bot.TableID) (own []host.NoteKey, err error) {
	for _, f := range h.Parts {
		if f.Kept == nil {
			continue
		}
		for _, shelf := range f.Kept.Shelves {
			own = append(own, host.NoteKey{Shelf: shelf, Key: string(who)})
		}
		for _, shelf := range f.Kept.Parted {
			if err := notes.Each(rows, shelf, "", func(row bot.Row) error {
				if strings.HasSuffix(row.Key, notes.Key("", string(who))) {
					own = append(own, host.NoteKey{Shelf: shelf, Key: row.Key})
				}
				return nil
			}); err != nil {
				return nil, err
			}
		}
		if f.Kept.Own == nil {
			continue
		}
		more, err := f.Kept.Own(rows, who, tables)
		if err != nil {
			return nil, err
		}
		own = append(own, more...)
	}
	slices.SortFunc(own, func(a, b host.NoteKey) int { return strings.Compare(a.Shelf+"\x00"+a.Key, b.Shelf+"\x00"+b.Key) })
	return slices.Compact(own), nil
}

// codesOf are the rows of the codes that somebody was given to link themselves.
func codesOf(rows bot.Rows, who game.PlayerID, _ []bot.TableID) (own []host.NoteKey, err error) {
	err = notes.EachOf(rows, codesShelf, "", func(key string, c storedCode) error {
		if c.For == who {
			own = append(own, host.NoteKey{Shelf: codesShelf, Key: key})
		}
		return nil
	})
	return own, err
}

// unlinkLeaver takes somebody out of those they are linked with.
func unlinkLeaver(rows bot.Rows, who game.PlayerID, _ bot.User, _ []bot.TableID) error {
	_, err := separate(rows, who)
	return err
}

// exported is the file "data.json".
type exported struct {
	Person   bot.User                   `json:"person"`
	At       time.Time                  `json:"at"`
	Host     map[string]json.RawMessage `json:"host"` // the notes, by what they are
	Games    []exportedGame             `json:"games"`
	Platform map[string]any             `json:"platform,omitempty"`
}

// with is the file with what the features keep beside.
func (e exported) with(more map[string]any) ([]byte, error) {
	b, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, err
	}
	for name, v := range more {
		if all[name], err = json.Marshal(v); err != nil {
			return nil, err
		}
	}
	return json.MarshalIndent(all, "", "  ")
}

type exportedGame struct {
	Table   bot.TableID   `json:"table"`
	Channel bot.ChannelID `json:"channel"`
	Opened  time.Time     `json:"opened"`
	Seat    string        `json:"seat"`           // "invited", "playing", "played", "ended": a game of others
	File    string        `json:"file,omitempty"` // of a finished game
}

// exportData gives somebody all that is kept of them: a file of JSON, and each
// of their finished games as GCG.
func exportData(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	who := req.User.ID
	tables, err := h.Store.Named(ctx, who)
	if err != nil {
		return bot.Reply{}, err
	}
	out := exported{Person: req.User, At: h.Now().UTC()}
	var more map[string]any
	if out.Host, more, err = keptBy(ctx, h, who, tables); err != nil {
		return bot.Reply{}, err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: out.At})
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	for _, id := range tables {
		g, gcg, err := exportGame(ctx, h, id, who)
		if err != nil {
			return bot.Reply{}, err
		}
		if gcg != nil {
			if err := add(g.File, gcg); err != nil {
				return bot.Reply{}, err
			}
		}
		out.Games = append(out.Games, g)
	}
	for _, k := range h.Keepers() {
		kept, err := k.Kept(ctx, who)
		if err != nil {
			return bot.Reply{}, err
		}
		if out.Platform == nil && len(kept) > 0 {
			out.Platform = map[string]any{}
		}
		maps.Copy(out.Platform, kept)
	}
	said, err := out.with(more)
	if err != nil {
		return bot.Reply{}, err
	}
	if err := errors.Join(add("data.json", said), z.Close()); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{
		Text:  text.Say("All that I keep of you: {file}, and your finished games as GCG.", text.Code("data.json")),
		Files: []bot.File{{Name: "rackmate-data.zip", Type: "application/zip", Data: b.Bytes()}},
	}, nil
}

// keptBy is what the host's notes have of somebody who is named at some tables: the
// rows that are theirs alone, and what the features keep that is about others too.
func keptBy(ctx context.Context, h *host.Host, who game.PlayerID, tables []bot.TableID) (own map[string]json.RawMessage, more map[string]any, err error) {
	err = h.Notes.Change(ctx, func(rows bot.Rows) error {
		own, more = map[string]json.RawMessage{}, map[string]any{}
		theirs, err := rowsOf(h, rows, who, tables)
		if err != nil {
			return err
		}
		for _, f := range h.Parts {
			if f.Kept == nil || f.Kept.Export == nil {
				continue
			}
			kept, err := f.Kept.Export(rows, who, tables)
			if err != nil {
				return err
			}
			maps.Copy(more, kept)
		}
		for _, at := range theirs {
			value, err := rows.Get(at.Shelf, at.Key)
			if err != nil {
				return err
			}
			if json.Valid(value) {
				own[at.Shelf+" "+strings.ReplaceAll(at.Key, "\x00", " ")] = value
			}
		}
		return nil
	})
	return own, more, err
}

// exportGame is a table that names somebody, and the game as GCG when it is
// over and they played it.
func exportGame(ctx context.Context, h *host.Host, id bot.TableID, who game.PlayerID) (g exportedGame, gcg []byte, err error) {
	t, err := h.Load(ctx, bot.Request{Table: id})
	if err != nil {
		return g, nil, err
	}
	ch, _, err := h.Store.Events(ctx, id, 0)
	if err != nil {
		return g, nil, err
	}
	g = exportedGame{Table: id, Channel: ch, Opened: t.Events[0].At, Seat: "invited"}
	if _, seated := t.SeatOf(who); !seated {
		if t.End != nil && t.End.By.ID == who {
			g.Seat = "ended"
		}
		return g, nil, nil
	}
	if g.Seat = "playing"; t.End == nil {
		return g, nil, nil
	}
	g.Seat, g.File = "played", fmt.Sprintf("games/rackmate-%d.gcg", id)
	r, err := record.FromEvents(t.Events)
	if err != nil {
		return g, nil, fmt.Errorf("export table %d: %w", id, err)
	}
	return g, []byte(r.String()), nil
}

// Forget removes all that is kept of somebody, as /data delete does. The name is
// what they are called now, as far as it is known. Each of its steps can be done
// again, and what is begun is done to the end, by the next host if this one is
// stopped.
func Forget(ctx context.Context, h *host.Host, who bot.User) error {
	var random [8]byte
	if _, err := io.ReadFull(h.Random, random[:]); err != nil {
		return err
	}
	leaving := storedLeaving{V: 1, Name: who.Name, As: game.PlayerID(bot.FormerPrefix + hex.EncodeToString(random[:]))}
	earlier, err := earlierNames(ctx, h, who)
	if err != nil {
		return err
	}
	leaving.Earlier = earlier
	if err := h.Notes.Change(ctx, func(rows bot.Rows) error {
		if found, err := notes.Get(rows, leavingShelf, string(who.ID), &leaving); err != nil || found {
			return err
		}
		return notes.Put(rows, leavingShelf, string(who.ID), leaving)
	}); err != nil {
		return err
	}
	return forgetAs(ctx, h, who, leaving)
}

func forget(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	if err := Forget(ctx, h, req.User); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Done. I know nothing of you any more. Thank you for playing; {new} or {join} would begin anew.", text.Code("/new"), text.Code("/join"))}, nil
}

// forgetLeavers goes on with those whom a host that was stopped began to
// forget.
func forgetLeavers(ctx context.Context, h *host.Host) error {
	rows, err := h.Notes.Scan(ctx, leavingShelf, "", "", 1000)
	if err != nil {
		return err
	}
	var failed []error
	for _, row := range rows {
		var l storedLeaving
		if err := json.Unmarshal(row.Value, &l); err != nil {
			failed = append(failed, err)
			continue
		}
		failed = append(failed, forgetAs(ctx, h, bot.User{ID: game.PlayerID(row.Key), Name: l.Name}, l))
	}
	return errors.Join(failed...)
}

// earlierNames are what somebody was called in their games, beside what they are
// called now.
func earlierNames(ctx context.Context, h *host.Host, who bot.User) ([]string, error) {
	tables, err := h.Store.Named(ctx, who.ID)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, id := range tables {
		_, events, err := h.Store.Events(ctx, id, -1)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			for _, p := range e.People() {
				if p.ID == who.ID && p.Name != who.Name {
					names = append(names, p.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func forgetAs(ctx context.Context, h *host.Host, who bot.User, leaving storedLeaving) error {
	former := bot.User{ID: leaving.As, Name: formerName}
	tables, err := h.Store.Named(ctx, who.ID)
	if err != nil {
		return err
	}
	for _, id := range tables {
		if err := leaveTable(ctx, h, id, who, former); err != nil {
			return fmt.Errorf("leave table %d: %w", id, err)
		}
	}
	// The results first: they are found by the tables that still name them.
	if err := h.Notes.Change(ctx, func(rows bot.Rows) error { return forgetRows(h, rows, who.ID, former, tables) }); err != nil {
		return fmt.Errorf("remove what is counted: %w", err)
	}
	for _, id := range tables {
		if err := h.Store.Rename(ctx, id, who.ID, former); err != nil {
			return fmt.Errorf("rename at table %d: %w", id, err)
		}
	}
	// Posts that were made before are delivered first; those made from now on
	// don't name them.
	h.AwaitPosts()
	for _, k := range h.Keepers() {
		for _, name := range append(slices.Clip(leaving.Earlier), who.Name) {
			if err := k.Forget(ctx, bot.User{ID: who.ID, Name: name}, former); err != nil {
				return err
			}
		}
	}
	return h.Notes.Put(ctx, leavingShelf, string(who.ID), nil)
}

// leaveTable gets somebody up from a table, or resigns their game. What is over
// is counted before they go, so that nothing is counted of them later.
func leaveTable(ctx context.Context, h *host.Host, id bot.TableID, who, former bot.User) error {
	ch, _, err := h.Store.Events(ctx, id, 0)
	if err != nil {
		return err
	}
	// The request's id stays in the events.
	req := bot.Request{ID: fmt.Sprintf("forget:%s:%d", former.ID, id), Channel: ch, Table: id, User: who}
	t, err := h.Load(ctx, req)
	if err != nil {
		return err
	}
	seat, seated := t.SeatOf(who.ID)
	var do game.Action
	switch {
	case !seated || t.Seats[seat].Out:
	case t.Phase == game.Lobby:
		do = game.Leave{}
	case t.Phase == game.Playing:
		do = game.Resign{}
	}
	if do != nil {
		if _, err := h.Change(ctx, req, host.Always(do)); err != nil {
			return err
		}
	}
	for _, f := range h.Parts {
		if f.Kept == nil || f.Kept.LeaveTable == nil {
			continue
		}
		if err := f.Kept.LeaveTable(ctx, h, ch, id); err != nil {
			return err
		}
	}
	return nil
}

// forgetRows removes the notes that are about somebody, and their name from
// those that are about others too.
func forgetRows(h *host.Host, rows bot.Rows, who game.PlayerID, former bot.User, tables []bot.TableID) error {
	own, err := rowsOf(h, rows, who, tables)
	if err != nil {
		return err
	}
	for _, f := range h.Parts {
		if f.Kept == nil || f.Kept.Forget == nil {
			continue
		}
		if err := f.Kept.Forget(rows, who, former, tables); err != nil {
			return err
		}
	}
	for _, at := range own {
		if err := rows.Put(at.Shelf, at.Key, nil); err != nil {
			return err
		}
	}
	return nil
}
