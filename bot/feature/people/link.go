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
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// A person can have an identity on each platform. A code shown on one and typed on another
// links them.

type storedCode struct {
	V     int           `json:"v"`
	For   game.PlayerID `json:"for"`
	Until time.Time     `json:"until"`
	Used  string        `json:"used,omitempty"` // ID of the request that used it
}

// storedTries counts the wrong codes that a person typed recently.
type storedTries struct {
	V     int       `json:"v"`
	Wrong int       `json:"wrong"`
	Since time.Time `json:"since"`
}

// A code has 40 bits, lives for ten minutes and works once, and an identity can try five in
// that time. An attacker with ten thousand identities would hit one of a thousand open
// codes with a chance of 1 in 20,000.
const (
	codeSize  = 8
	codeLife  = 10 * time.Minute
	mostTries = 5
)

// codeLetters holds the letters and digits that can't be mistaken for each other.
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

func linkOptions() []bot.Option {
	return []bot.Option{
		{Name: "code", Help: "The code that /link showed you on the other platform. Leave it out to get one.", Kind: bot.Words},
		{Name: "undo", Help: "Separate this account from the others again", Kind: bot.YesNo},
	}
}

// link shows a code, accepts one, or undoes a link.
func (f *Feature) link(ctx context.Context, req bot.Request) (bot.Reply, error) {
	typed := strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(req.Args["code"]))
	undo, err := words.YesNo(req.Args, "undo", typed == "UNDO")
	switch {
	case err != nil:
		return bot.Reply{}, err
	case undo:
		return f.unlink(ctx, req)
	case typed != "":
		return f.linkBy(ctx, req, typed)
	}
	return f.newCode(ctx, req)
}

// newCode creates a code for a person. A repeated request gets the same code.
func (f *Feature) newCode(ctx context.Context, req bot.Request) (bot.Reply, error) {
	key, err := f.own.Secret(ctx, "link")
	if err != nil {
		return bot.Reply{}, err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s\x00%s", req.User.ID, req.ID)
	b := mac.Sum(nil)[:codeSize]
	for i := range b {
		b[i] = codeLetters[int(b[i])%len(codeLetters)]
	}
	made, now := string(b), f.desk.Now()
	if err := f.own.Change(ctx, func(tx shelf.Tx) error {
		if err := f.dropCodes(tx, now, req.User.ID, hashCode(made)); err != nil {
			return err
		}
		if _, had, err := f.codes.In(tx).Get(hashCode(made)); err != nil || had {
			return err
		}
		return f.codes.In(tx).Put(hashCode(made), storedCode{V: 1, For: req.User.ID, Until: now.Add(codeLife)})
	}); err != nil {
		return bot.Reply{}, fmt.Errorf("keep a code: %w", err)
	}
	all, err := f.Identities(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	t := text.Say("On the other platform, type {link} within ten minutes. After that, {games} shows all your games on both. Don't share this code: whoever types it becomes you.", text.Code("/link "+made[:4]+"-"+made[4:]), text.Code("/games"))
	if len(all) > 1 {
		t = text.Lines(t, text.Say("You're already linked with {surfaces}; {undo} ends that.", f.platformNames(all[1:]), text.Code("/link undo")))
	}
	return bot.Reply{Text: t}, nil
}

// dropCodes deletes expired codes, and a person's unused codes except one.
func (f *Feature) dropCodes(tx shelf.Tx, now time.Time, of game.PlayerID, but shelf.Mark) error {
	codes := f.codes.In(tx)
	return codes.Each(func(key shelf.Mark, c storedCode) error {
		if key == but || now.Before(c.Until) && (c.For != of || c.Used != "") {
			return nil
		}
		return codes.Drop(key)
	})
}

// hashCode returns the hash under which a code is stored, so that the code can't be read from
// the store.
func hashCode(code string) shelf.Mark {
	sum := sha256.Sum256([]byte("rackmate link " + code))
	return shelf.Mark(hex.EncodeToString(sum[:]))
}

// linkBy links the sender with the owner of a code.
func (f *Feature) linkBy(ctx context.Context, req bot.Request, typed string) (bot.Reply, error) {
	me, now := req.User.ID, f.desk.Now()
	var answer bot.Reply
	err := f.own.Change(ctx, func(tx shelf.Tx) error {
		tries, _, err := f.tries.In(tx).Get(shelf.Person(me))
		if err != nil {
			return err
		}
		if now.Sub(tries.Since) >= codeLife {
			tries = storedTries{V: 1, Since: now}
		}
		if tries.Wrong >= mostTries {
			answer = words.Refuse(text.Say("That was too many wrong codes. Wait ten minutes, then get a new one with {link} on the other platform.", text.Code("/link")))
			return nil
		}
		c, found, err := f.codes.In(tx).Get(hashCode(typed))
		if err != nil {
			return err
		}
		if found && c.Used == req.ID {
			all, err := f.linkedIdentities(tx, me)
			answer = f.linkedReply(withoutPlayer(all, me))
			return err
		}
		if !found || c.Used != "" || now.After(c.Until) {
			answer = words.Refuse(text.Say("That code isn't valid: it may be mistyped, too old or already used. {link} on the other platform shows you a new one.", text.Code("/link")))
			tries.Wrong++
			return f.tries.In(tx).Put(shelf.Person(me), tries)
		}
		if c.For == me {
			answer = words.Refuse(text.Say("That's your own code. Type it on the other platform."))
			return nil
		}
		all, err := f.join(tx, me, c.For)
		if err != nil {
			return err
		}
		if len(all) > bot.LimitIdentities.Most {
			answer = words.Refuse(text.Say("That would link {n, plural, one {# account} other {# accounts}}, and the limit is {most}. {undo} separates one.", len(all), bot.LimitIdentities.Most, text.Code("/link undo")))
			return nil
		}
		answer = f.linkedReply(withoutPlayer(all, me))
		c.Used = req.ID
		return f.codes.In(tx).Put(hashCode(typed), c)
	})
	if err != nil {
		return bot.Reply{}, err
	}
	return answer, nil
}

// join links two people. If they would have more than bot.LimitIdentities.Most identities,
// it changes nothing and returns them all.
func (f *Feature) join(tx shelf.Tx, a, b game.PlayerID) (all []game.PlayerID, err error) {
	for _, p := range []game.PlayerID{a, b} {
		some, err := f.linkedIdentities(tx, p)
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
		if err := f.links.In(tx).Put(shelf.Person(p), storedLink{V: 1, All: all}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Same links two identities that are known to belong to one person.
func (f *Feature) Same(ctx context.Context, a, b game.PlayerID) error {
	return f.own.Change(ctx, func(tx shelf.Tx) error {
		_, err := f.join(tx, a, b)
		return err
	})
}

func (f *Feature) linkedReply(others []game.PlayerID) bot.Reply {
	return bot.Reply{Text: text.Say("Done: you're linked with your account in {surfaces}. {games} shows the games of both; {undo} separates them again.", f.platformNames(others), text.Code("/games"), text.Code("/link undo"))}
}

// unlink separates an identity from the others of its person.
func (f *Feature) unlink(ctx context.Context, req bot.Request) (bot.Reply, error) {
	var was bool
	err := f.own.Change(ctx, func(tx shelf.Tx) (err error) {
		was, err = f.separate(tx, req.User.ID)
		return err
	})
	if err != nil {
		return bot.Reply{}, err
	}
	if !was {
		return bot.Reply{Text: text.Say("You aren't linked with another account. {link} does that.", text.Code("/link"))}, nil
	}
	return bot.Reply{Text: text.Say("This account is separate again. Your games elsewhere stay where they are.")}, nil
}

// separate removes an identity from those it is linked with. was is false if it isn't
// linked.
func (f *Feature) separate(tx shelf.Tx, who game.PlayerID) (was bool, err error) {
	links := f.links.In(tx)
	l, was, err := links.Get(shelf.Person(who))
	if err != nil || !was {
		return was, err
	}
	for _, p := range withoutPlayer(l.All, who) {
		if rest := l; unlink(&rest, who, bot.User{}) {
			err = links.Put(shelf.Person(p), storedLink{V: 1, All: rest.All})
		} else {
			err = links.Drop(shelf.Person(p))
		}
		if err != nil {
			return was, err
		}
	}
	return was, links.Drop(shelf.Person(who))
}

// platformNames returns the names of the platforms that identities belong to.
func (f *Feature) platformNames(all []game.PlayerID) text.Text {
	var names []string
	for _, p := range all {
		at := f.desk.Platform(bot.ChannelID(p))
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
