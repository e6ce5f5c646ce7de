package people

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/person"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// One person can have an identity on each surface. A code that is shown on one
// and typed on another joins them.

// The shelves of the host's notes that links are on.
const (
	codesShelf = "codes" // by the hash of a code: a storedCode
	triesShelf = "tries" // by player: storedTries
)

type storedCode struct {
	V     int           `json:"v"`
	For   game.PlayerID `json:"for"`
	Until time.Time     `json:"until"`
	Used  string        `json:"used,omitempty"` // the id of the request that did
}

// storedTries are the wrong codes that somebody typed lately.
type storedTries struct {
	V     int       `json:"v"`
	Wrong int       `json:"wrong"`
	Since time.Time `json:"since"`
}

// A code has 40 bits, lives ten minutes and works once, and an identity can try
// five in that time: whoever had ten thousand identities would meet one of a
// thousand open codes with a chance of 1 in 20,000.
const (
	codeSize  = 8
	codeLife  = 10 * time.Minute
	mostTries = 5
)

// codeLetters are those that nobody mistakes for another.
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

func linkOptions() []bot.Option {
	return []bot.Option{
		{Name: "code", Help: "The code that /link showed you on the other surface; leave out to get one", Kind: bot.Words},
		{Name: "undo", Help: "Separate this identity from the others again", Kind: bot.YesNo},
	}
}

// link shows a code, or takes one, or undoes what one did.
func link(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	typed := strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(req.Args["code"]))
	undo, err := words.YesNo(req.Args, "undo", typed == "UNDO")
	switch {
	case err != nil:
		return bot.Reply{}, err
	case undo:
		return unlink(ctx, h, req)
	case typed != "":
		return linkBy(ctx, h, req, typed)
	}
	return newCode(ctx, h, req)
}

// newCode makes a code for somebody. The same request gets the same one.
func newCode(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	key, err := notes.Secret(ctx, h.Notes, h.Random, "link")
	if err != nil {
		return bot.Reply{}, err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s\x00%s", req.User.ID, req.ID)
	b := mac.Sum(nil)[:codeSize]
	for i := range b {
		b[i] = codeLetters[int(b[i])%len(codeLetters)]
	}
	made, now := string(b), h.Now()
	if err := h.Notes.Change(ctx, func(rows bot.Rows) error {
		if err := dropCodes(rows, now, req.User.ID, hashed(made)); err != nil {
			return err
		}
		if had, err := rows.Get(codesShelf, hashed(made)); err != nil || had != nil {
			return err
		}
		return notes.Put(rows, codesShelf, hashed(made), storedCode{V: 1, For: req.User.ID, Until: now.Add(codeLife)})
	}); err != nil {
		return bot.Reply{}, fmt.Errorf("keep a code: %w", err)
	}
	all, err := person.Identities(ctx, h, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	t := text.Say("On the other surface, type {link} within ten minutes. Then {games} shows all your games on both. Tell nobody else this code: whoever types it becomes you.", text.Code("/link "+made[:4]+"-"+made[4:]), text.Code("/games"))
	if len(all) > 1 {
		t = text.Lines(t, text.Say("You are linked already with {surfaces}; {undo} ends that.", surfaces(h, all[1:]), text.Code("/link undo")))
	}
	return bot.Reply{Text: t}, nil
}

// dropCodes removes the codes that are too old, and those of one person but
// for one.
func dropCodes(rows bot.Rows, now time.Time, of game.PlayerID, but string) error {
	return notes.EachOf(rows, codesShelf, "", func(key string, c storedCode) error {
		if key == but || now.Before(c.Until) && (c.For != of || c.Used != "") {
			return nil
		}
		return rows.Put(codesShelf, key, nil)
	})
}

// hashed is how a code is kept: whoever reads the store can't use it.
func hashed(code string) string {
	sum := sha256.Sum256([]byte("rackmate link " + code))
	return hex.EncodeToString(sum[:])
}

// linkBy makes two persons one.
func linkBy(ctx context.Context, h *host.Host, req bot.Request, typed string) (bot.Reply, error) {
	me, now := req.User.ID, h.Now()
	var answer bot.Reply
	err := h.Notes.Change(ctx, func(rows bot.Rows) error {
		var tries storedTries
		if _, err := notes.Get(rows, triesShelf, string(me), &tries); err != nil {
			return err
		}
		if now.Sub(tries.Since) >= codeLife {
			tries = storedTries{V: 1, Since: now}
		}
		if tries.Wrong >= mostTries {
			answer = words.Refuse(text.Say("That was too many wrong codes. Wait ten minutes, then get a new one with {link} on the other surface.", text.Code("/link")))
			return nil
		}
		var c storedCode
		found, err := notes.Get(rows, codesShelf, hashed(typed), &c)
		if err != nil {
			return err
		}
		if found && c.Used == req.ID {
			all, err := person.Linked(rows, me)
			answer = linkedWith(h, person.Without(all, me))
			return err
		}
		if !found || c.Used != "" || now.After(c.Until) {
			answer = words.Refuse(text.Say("That is no code, or it is too old, or it was used. {link} on the other surface shows you a new one.", text.Code("/link")))
			tries.Wrong++
			return notes.Put(rows, triesShelf, string(me), tries)
		}
		if c.For == me {
			answer = words.Refuse(text.Say("That code is your own. Type it on the other surface."))
			return nil
		}
		all, err := join(rows, me, c.For)
		if err != nil {
			return err
		}
		if len(all) > bot.LimitIdentities.Most {
			answer = words.Refuse(text.Say("That would make {n, plural, one {# identity} other {# identities}} of one person, and {most} is the most. {undo} separates one.", len(all), bot.LimitIdentities.Most, text.Code("/link undo")))
			return nil
		}
		answer = linkedWith(h, person.Without(all, me))
		c.Used = req.ID
		return notes.Put(rows, codesShelf, hashed(typed), c)
	})
	if err != nil {
		return bot.Reply{}, err
	}
	return answer, nil
}

// join makes two persons one, unless they would be too many: then all are more
// than bot.LimitIdentities.Most.
func join(rows bot.Rows, a, b game.PlayerID) (all []game.PlayerID, err error) {
	for _, p := range []game.PlayerID{a, b} {
		some, err := person.Linked(rows, p)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) > bot.LimitIdentities.Most {
		return all, nil
	}
	for _, p := range all {
		if err := notes.Put(rows, person.LinksShelf, string(p), person.StoredLink{V: 1, All: all}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// same makes two one person, who have shown that they are.
func same(ctx context.Context, h *host.Host, a, b game.PlayerID) error {
	return h.Notes.Change(ctx, func(rows bot.Rows) error {
		_, err := join(rows, a, b)
		return err
	})
}

func linkedWith(h *host.Host, others []game.PlayerID) bot.Reply {
	return bot.Reply{Text: text.Say("Done: you are one person with who you are in {surfaces}. {games} shows the games of both; {undo} separates you again.", surfaces(h, others), text.Code("/games"), text.Code("/link undo"))}
}

// unlink makes somebody a person of their own again.
func unlink(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	was := false
	err := h.Notes.Change(ctx, func(rows bot.Rows) (err error) {
		was, err = separate(rows, req.User.ID)
		return err
	})
	if err != nil {
		return bot.Reply{}, err
	}
	if !was {
		return bot.Reply{Text: text.Say("You are linked with nobody. {link} does that.", text.Code("/link"))}, nil
	}
	return bot.Reply{Text: text.Say("You are a person of your own here again. What is yours elsewhere stays there.")}, nil
}

// separate takes somebody out of those they are linked with.
func separate(rows bot.Rows, who game.PlayerID) (was bool, err error) {
	var l person.StoredLink
	if was, err = notes.Get(rows, person.LinksShelf, string(who), &l); err != nil || !was {
		return was, err
	}
	rest := person.Without(l.All, who)
	for _, p := range rest {
		if len(rest) < 2 {
			err = rows.Put(person.LinksShelf, string(p), nil)
		} else {
			err = notes.Put(rows, person.LinksShelf, string(p), person.StoredLink{V: 1, All: rest})
		}
		if err != nil {
			return was, err
		}
	}
	return was, rows.Put(person.LinksShelf, string(who), nil)
}

// surfaces are where somebody's identities are, in words.
func surfaces(h *host.Host, all []game.PlayerID) text.Text {
	var names []string
	for _, p := range all {
		at := h.Platform(bot.ChannelID(p))
		names = append(names, cmp.Or(at.Title, at.Name))
	}
	var texts []text.Text
	for _, name := range slices.Compact(names) {
		if name == "" {
			texts = append(texts, text.Item("elsewhere"))
		} else {
			texts = append(texts, text.Known(name))
		}
	}
	return text.List(texts)
}
