package slack

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file shows boards in one of two ways, chosen per workspace. By address, Slack
// fetches the picture from this host once, without a call. An upload takes three calls,
// and another to delete the file. If a workspace accepts neither, boards are shown as
// text. Racks are never shown by address, because others may get to see the secret
// address.

// A gallery shows pictures.
type gallery struct {
	*common
	web     *webAPI
	files   cache       // uploaded pictures
	ready   delay       // time until files are ready
	answers tasks.Locks // guard the notes about the pictures of a person's answers
	refused cache       // by way and home: Slack has refused a picture recently
}

// A way is a way to show pictures.
type way string

const (
	byAddress way = "address"
	uploaded  way = "upload"
)

// refusalAge sets how long a way isn't tried in a workspace that has refused it.
const refusalAge = time.Hour

func newGallery(c *common, web *webAPI) *gallery {
	return &gallery{common: c, web: web, files: newCache(c.Now, 24*time.Hour), refused: newCache(c.Now, refusalAge)}
}

// picturePath is the path of boards, followed by a ticket.
const picturePath = "/slack/picture/"

// A pictureTicket identifies the picture of a post. It is signed, so that only people who have
// seen the post can fetch its board.
type pictureTicket struct {
	Channel bot.ChannelID `json:"c"`
	Table   bot.TableID   `json:"t"`
	Number  int           `json:"n"`
	Kind    string        `json:"k,omitempty"`
}

// pictureURL returns the address of a post's picture, or "" if its workspace doesn't show
// pictures by address.
func (g *gallery) pictureURL(h home, m bot.Message) string {
	if m.To != nil || m.Picture == nil || len(m.Picture.PNG) == 0 || !g.accepts(h, byAddress) {
		return ""
	}
	return g.address(pictureTicket{m.Channel, m.Table, m.Number, m.Kind})
}

// address returns the address from which Slack fetches a picture.
func (g *gallery) address(t pictureTicket) string {
	b, err := json.Marshal(t)
	if err != nil {
		return ""
	}
	text := base64.RawURLEncoding.EncodeToString(b)
	return strings.TrimSuffix(g.OAuth.URL, "/") + picturePath + text + "." + g.signTicket(text) + ".png"
}

// board returns a board as a person sees it: a picture if Slack fetches it from us,
// otherwise text, because an uploaded picture is deleted with its post. Before the start
// it returns none.
func (g *gallery) board(h home, ch bot.ChannelID, s bot.Sight, to *text.Locale) []slack.Block {
	switch {
	case s.Number == 0 || len(s.Board) == 0:
		return nil
	case g.accepts(h, byAddress):
		return image(g.address(pictureTicket{Channel: ch, Table: s.Table, Number: s.Number}), text.Say("The board. {what}", s.Caption).In(to).String())
	}
	return g.names.sections(text.Text{text.Code(s.Text)})
}

// isReachable reports whether the settings let Slack call this host.
func (g *gallery) isReachable() bool {
	return strings.HasPrefix(g.OAuth.URL, "https://") && g.AppToken == ""
}

// accepts reports whether a workspace accepts pictures in a way.
func (g *gallery) accepts(h home, w way) bool {
	_, refused := g.refused.get(string(w) + " " + string(h))
	return !refused && (w != byAddress || g.isReachable())
}

// refuse records that a workspace has refused a picture. That way isn't tried there for a
// while; other workspaces aren't affected.
func (g *gallery) refuse(h home, w way, err error) {
	g.refused.add(string(w)+" "+string(h), "")
	if w == byAddress {
		g.Log.Warn("Slack can't fetch pictures from this host for a workspace, so they are uploaded, which takes longer: let "+picturePath+" through to it", "home", h, "address", g.OAuth.URL, "error", err)
	} else {
		g.Log.Warn("Slack refuses uploaded pictures in a workspace, so boards are drawn in characters there", "home", h, "error", err)
	}
}

func (g *gallery) signTicket(text string) string {
	mac := hmac.New(sha256.New, []byte("picture:"+g.SigningSecret))
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// isURL reports whether a picture is an address rather than a file.
func isURL(picture string) bool { return strings.HasPrefix(picture, "https://") }

// fileOnly returns a picture that is a file. For an address it returns "", since there
// is nothing to delete.
func fileOnly(picture string) string {
	if isURL(picture) {
		return ""
	}
	return picture
}

// pictureFor returns the picture of a post in the way of its workspace: an address, or an
// uploaded file. If neither works it returns "", and the board is shown as text.
func (g *gallery) pictureFor(ctx context.Context, at place, m bot.Message) string {
	if url := g.pictureURL(at.home, m); url != "" {
		return url
	}
	return g.uploadPicture(ctx, at.home, m.Key, m.Picture)
}

// otherPicture returns another picture for a post after Slack has refused its blocks, or
// "" for none. Only an error that names the picture counts against its way. Other errors
// may concern anything in the post, which is then sent without a picture.
func (g *gallery) otherPicture(ctx context.Context, at place, m bot.Message, refused string, err error) string {
	named := isPictureError(err)
	if isURL(refused) {
		if !named {
			return ""
		}
		g.refuse(at.home, byAddress, err)
		return g.pictureFor(ctx, at, m)
	}
	if named {
		g.refuse(at.home, uploaded, err)
	}
	g.deletePicture(ctx, at.home, refused)
	return ""
}

// warning tells the operator in how many workspaces pictures aren't shown as intended, or
// returns "" if in none. That isn't an outage: boards are readable everywhere.
func (g *gallery) warning() string {
	var all []string
	if n := g.refused.count(string(byAddress) + " "); n > 0 {
		all = append(all, fmt.Sprintf("in %d workspaces Slack can't fetch pictures from this host: let %s through to it", n, picturePath))
	}
	if n := g.refused.count(string(uploaded) + " "); n > 0 {
		all = append(all, fmt.Sprintf("in %d workspaces Slack takes no uploaded pictures, so boards are posted in characters", n))
	}
	return strings.Join(all, "; ")
}

// servePicture draws the picture of a post again.
func (g *gallery) servePicture(w http.ResponseWriter, r *http.Request) {
	text, sign, _ := strings.Cut(strings.TrimSuffix(r.PathValue("ticket"), ".png"), ".")
	var t pictureTicket
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || !hmac.Equal([]byte(sign), []byte(g.signTicket(text))) || json.Unmarshal(b, &t) != nil {
		http.NotFound(w, r)
		return
	}
	if t.Kind == welcomeKind {
		servePNG(w, r, welcomePNG)
		return
	}
	p, err := g.Host.Picture(r.Context(), bot.Posted{Channel: t.Channel, Table: t.Table, Number: t.Number, Kind: t.Kind}, false)
	switch {
	case errors.Is(err, bot.ErrNoPicture) || err == nil && len(p.PNG) == 0:
		http.NotFound(w, r)
		return
	case err != nil:
		g.Log.Error("can't redraw a picture", "channel", t.Channel, "table", t.Table, "error", err)
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	}
	servePNG(w, r, p.PNG)
}

func servePNG(w http.ResponseWriter, r *http.Request, png []byte) {
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "public, max-age=86400, immutable")
	w.Header().Set("X-Robots-Tag", "noindex")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(png))
}
