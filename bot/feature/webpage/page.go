package webpage

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// secretOf names the host's secret that signs addresses and passes.
const secretOf = "page"

func sign(secret []byte, what ...string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(strings.Join(what, "\x00")))
	return mac.Sum(nil)
}

// keySize is the number of unguessable bytes in a key.
const keySize = 10

// keyOf returns the key of a table's page: its number and a signature.
func keyOf(secret []byte, t bot.TableID) string {
	n := strconv.FormatUint(uint64(t), 36)
	return n + "-" + strings.ToLower(base32.StdEncoding.EncodeToString(sign(secret, "page", n)[:keySize]))
}

// address returns the address of a table's page, or "" if the host's public address is unknown.
func (f *Feature) address(ctx context.Context, t bot.TableID) (string, error) {
	if f.URL == "" {
		return "", nil
	}
	key, err := f.key(ctx, t)
	return f.URL + "/g/" + key, err
}

func (f *Feature) key(ctx context.Context, t bot.TableID) (string, error) {
	secret, err := f.own.Secret(ctx, secretOf)
	if err != nil {
		return "", err
	}
	return keyOf(secret, t), nil
}

// A pass signs one person in to a page by a link.
type pass struct {
	Table bot.TableID   `json:"t"`
	For   game.PlayerID `json:"p"`
	Until int64         `json:"u"` // Unix time in seconds
	Nonce []byte        `json:"n"`
}

// passLife limits how long a pass is valid. It can be used once.
const passLife = 10 * time.Minute

// A storedPass marks a pass as used until it expires.
type storedPass struct {
	V     int   `json:"v"` // 1
	Until int64 `json:"until"`
}

// newPass returns a person's pass. The same request gets the same pass, so it can be used only
// once.
func newPass(secret []byte, t bot.TableID, who game.PlayerID, request string, until time.Time) string {
	p := pass{t, who, until.Unix(), sign(secret, "nonce", string(who), request, strconv.FormatUint(uint64(t), 10))[:12]}
	b, _ := json.Marshal(p) // these fields can always be encoded
	return base64.RawURLEncoding.EncodeToString(b) + "." + base64.RawURLEncoding.EncodeToString(sign(secret, "pass", string(b)))
}

// readPass parses and verifies a pass made by newPass.
func readPass(secret []byte, text string) (p pass, ok bool) {
	body, mac, _ := strings.Cut(text, ".")
	b, err1 := base64.RawURLEncoding.DecodeString(body)
	m, err2 := base64.RawURLEncoding.DecodeString(mac)
	if err1 != nil || err2 != nil || !hmac.Equal(m, sign(secret, "pass", string(b))) {
		return pass{}, false
	}
	return p, json.Unmarshal(b, &p) == nil
}

// pages serves the pages of all tables; see [bot.TablePages].
type pages struct{ *Feature }

// Page returns the page that a key identifies.
func (p pages) Page(ctx context.Context, key string) (bot.Subject, error) {
	t, _, err := p.load(ctx, key)
	if err != nil {
		return bot.Subject{}, err
	}
	return bot.Subject{Channel: t.Channel, Table: t.ID, Over: t.Phase == game.Over}, nil
}

// Key returns the key of a table's page.
func (p pages) Key(ctx context.Context, t bot.TableID) (string, error) { return p.key(ctx, t) }

// load returns the table whose page a key identifies, and the secret that signed the key.
func (p pages) load(ctx context.Context, key string) (t table.Table, secret []byte, err error) {
	n, _, _ := strings.Cut(key, "-")
	id, err := strconv.ParseUint(n, 36, 64)
	if err != nil || id == 0 { // no table has number 0, and a request without a table means its channel's
		return t, nil, bot.ErrNoTable
	}
	if secret, err = p.own.Secret(ctx, secretOf); err != nil {
		return t, nil, err
	}
	if subtle.ConstantTimeCompare([]byte(key), []byte(keyOf(secret, bot.TableID(id)))) == 0 {
		return t, nil, bot.ErrNoTable
	}
	t, err = feature.LoadTable(ctx, p.desk, bot.TableID(id))
	return t, secret, err
}

// enter redeems a pass and returns its owner.
func (p pages) enter(ctx context.Context, v bot.Visit, said string) (bot.User, bot.ChannelID, error) {
	t, secret, err := p.load(ctx, v.Key)
	if err != nil {
		return bot.User{}, "", err
	}
	pass, ok := readPass(secret, said)
	now := p.desk.Now().Unix()
	switch {
	case !ok || pass.Table != t.ID:
		return bot.User{}, "", &bot.PageError{Text: text.Say("That link is incomplete. Press Play on the board again for a new one.")}
	case now > pass.Until:
		return bot.User{}, "", &bot.PageError{Text: text.Say("That link is more than ten minutes old. Press Play on the board again for a new one.")}
	}
	seat, seated := t.SeatOf(pass.For)
	if !seated || t.Phase == game.Over {
		return bot.User{}, "", &bot.PageError{Text: text.Say("You're out of that game. You can watch it here.")}
	}
	sum := sha256.Sum256(pass.Nonce)
	used := errors.New("used")
	err = p.own.Change(ctx, func(tx shelf.Tx) error {
		passes := p.passes.In(tx)
		if err := passes.Each(func(key shelf.Mark, old storedPass) error {
			if old.Until >= now {
				return nil
			}
			return passes.Drop(key)
		}); err != nil {
			return err
		}
		row := shelf.Mark(hex.EncodeToString(sum[:]))
		if _, had, err := passes.Get(row); err != nil {
			return err
		} else if had {
			return used
		}
		return passes.Put(row, storedPass{1, pass.Until})
	})
	switch {
	case errors.Is(err, used):
		return bot.User{}, "", &bot.PageError{Text: text.Say("That link has already been used. Press Play on the board again for a new one.")}
	case err != nil:
		return bot.User{}, "", fmt.Errorf("use a pass: %w", err)
	}
	return t.Seats[seat].Person, t.Channel, nil
}

// Picture returns the preview that sites show beside a link to a table's page. The readers' screens
// are unknown, so dark describes the screen of the person who shared the link.
func (p pages) Picture(ctx context.Context, id bot.TableID, dark bool) (*bot.Picture, error) {
	t, err := feature.LoadTable(ctx, p.desk, id)
	if err != nil {
		return nil, err
	}
	draw := p.desk.Painter(ctx, t.Channel, dark)
	if !t.IsDealt() || draw.Renderer == nil {
		return nil, bot.ErrNoPicture
	}
	to, err := p.Locale(ctx, t.Channel)
	if err != nil {
		return nil, err
	}
	return feature.Heavy(ctx, p.desk, pictureKey{filesKey{t.ID, t.Number}, draw.Renderer, to}, func(context.Context) (*bot.Picture, error) {
		picture := feature.Draw(draw, view.Link(t), (*imaging.Renderer).Link).In(to)
		if picture.PNG == nil {
			return nil, bot.ErrNoPicture
		}
		return picture, nil
	})
}

// Invitation returns the preview that sites show beside a link to a game with a person: an empty
// board in the game's language.
func (p pages) Invitation(ctx context.Context, by string, options map[string]string, lasts text.Text, to *text.Locale) (*bot.Picture, error) {
	draw := p.desk.Painter(ctx, "", false)
	if draw.Renderer == nil {
		return nil, bot.ErrNoPicture
	}
	list, in, err := p.desk.Lists().ListFor("web", map[string]string{"language": options["language"]})
	if err != nil {
		return nil, bot.ErrNoPicture // its list was removed since
	}
	if in == nil {
		in = p.desk.Lists().LanguageOf(list.Name())
	}
	_, eq := p.desk.Lists().Equip(game.Classic(), in)
	card := imaging.LinkCard{View: imaging.View{
		Equipment: eq, Locale: to, Bag: len(eq.Tiles.All()), Caption: text.Say("{who} invites you to a game.", by).In(to).String(),
		Players: []imaging.Player{{Name: by}, {Name: text.Say("You").In(to).String()}},
	}}
	if lasts != nil {
		card.Facts = append(card.Facts, lasts.In(to).String())
	}
	if in != nil {
		card.Facts = append(card.Facts, text.Known(in.Name).In(to).String())
	}
	return feature.Heavy(ctx, p.desk, invitationKey{by, strings.Join(card.Facts, "\n"), draw.Renderer, to}, func(context.Context) (*bot.Picture, error) {
		picture := feature.Draw(draw, func(*text.Locale) imaging.LinkCard { return card }, (*imaging.Renderer).Link).In(to)
		if picture.PNG == nil {
			return nil, bot.ErrNoPicture
		}
		return picture, nil
	})
}

// invitationKey is the key of an invitation's picture.
type invitationKey struct {
	by, facts string
	in        *imaging.Renderer
	to        *text.Locale
}

// loadFinished loads a table whose game is over. If it isn't over, the error is a
// *bot.PageError with the text no.
func (p pages) loadFinished(ctx context.Context, id bot.TableID, no text.Text) (table.Table, error) {
	t, err := feature.LoadTable(ctx, p.desk, id)
	if err == nil && (t.Phase != game.Over || !t.IsDealt()) {
		err = &bot.PageError{Text: no}
	}
	return t, err
}

// filesKey is the key of a game's files, and pictureKey of its picture beside links.
type filesKey struct {
	table  bot.TableID
	number int
}

type pictureKey struct {
	filesKey
	in *imaging.Renderer
	to *text.Locale
}

// Waiting lists the tables in a channel and beside it that wait for players.
func (p pages) Waiting(ctx context.Context, ch bot.ChannelID) (all []bot.TableID, err error) {
	here, err := p.desk.Load(ctx, bot.Request{Channel: ch})
	if err != nil {
		return nil, err
	}
	if here.Phase == game.Lobby {
		all = append(all, here.ID)
	}
	beside, err := p.Beside(ctx, ch)
	if err != nil {
		return nil, err
	}
	for _, id := range beside {
		t, err := feature.LoadTable(ctx, p.desk, id)
		switch {
		case errors.Is(err, bot.ErrUnreadable) || errors.Is(err, bot.ErrNoTable):
		case err != nil:
			return nil, err
		case t.Phase == game.Lobby && !t.IsDeserted(p.desk.Now()):
			all = append(all, id)
		}
	}
	return all, nil
}

// Watch calls fn with each channel whose table has changed, until ctx is done.
func (p pages) Watch(ctx context.Context, fn func(bot.ChannelID)) error {
	return p.Others.Watch(ctx, fn)
}
