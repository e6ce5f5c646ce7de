package slack

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// This file shows boards by address, where Slack reaches the host by HTTP: it
// fetches the picture once from there. That takes no request of ours, where a
// file takes four: three to upload it, and one to delete it. Racks are files always, for an address is a secret that others
// than their owner may come to see.

// A gallery shows pictures: by address, or as files.
type gallery struct {
	*common
	web     *webAPI
	files   cache // uploaded pictures
	ready   delay // of files
	answers locks // of the notes about the pictures of somebody's answers

	// What was refused lately.
	unseen   cache // that Slack fetches a picture
	refusing cache // by home: that a post shows a file
	barred   cache // by home: that a file is uploaded
}

func newGallery(c *common, web *webAPI) *gallery {
	return &gallery{common: c, web: web, files: newCache(c.Now, 24*time.Hour), unseen: newCache(c.Now, time.Hour), refusing: newCache(c.Now, 24*time.Hour), barred: newCache(c.Now, time.Hour)}
}

// picturePath is where boards are; behind it stands a ticket.
const picturePath = "/slack/picture/"

// A ticket names the picture of a post. It is signed, so that nobody can ask
// for a channel's boards who wasn't shown them.
type ticket struct {
	Channel bot.ChannelID `json:"c"`
	Table   bot.TableID   `json:"t"`
	Number  int           `json:"n"`
	Kind    string        `json:"k,omitempty"`
}

// pictureURL is the address of a post's picture, "" where it has none.
func (g *gallery) pictureURL(m bot.Message) string {
	if m.To != nil || m.Picture == nil || len(m.Picture.PNG) == 0 || !g.reached() {
		return ""
	}
	return g.address(ticket{m.Channel, m.Table, m.Number, m.Kind})
}

// address is where Slack fetches a picture.
func (g *gallery) address(t ticket) string {
	b, err := json.Marshal(t)
	if err != nil {
		return ""
	}
	text := base64.RawURLEncoding.EncodeToString(b)
	return strings.TrimSuffix(g.OAuth.URL, "/") + picturePath + text + "." + g.signTicket(text) + ".png"
}

// reached reports whether Slack reaches the host, as far as we know.
func (g *gallery) reached() bool {
	_, refused := g.unseen.get("")
	return !refused && strings.HasPrefix(g.OAuth.URL, "https://") && g.AppToken == ""
}

func (g *gallery) signTicket(text string) string {
	mac := hmac.New(sha256.New, []byte("picture:"+g.SigningSecret))
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// byURL reports whether a picture is shown by its address, and is no file.
func byURL(picture string) bool { return strings.HasPrefix(picture, "https://") }

// show is how the picture of a post is shown: in the first of the ways that Slack takes.
// It is an address, a file that was uploaded, or one that was shared in the place before
// the post; "" where there is none, and the board stands in characters.
func (g *gallery) show(ctx context.Context, at place, m bot.Message) string {
	if url := g.pictureURL(m); url != "" {
		return url
	}
	if _, refused := g.refusing.get(string(at.home)); refused {
		return g.share(ctx, at, m.Key, m.Picture)
	}
	return g.picture(ctx, at.home, m.Key, m.Picture)
}

// showOtherwise is the next way to show a picture where Slack has refused one, which it
// does as a rule for all of a home: for a while that way isn't tried there.
func (g *gallery) showOtherwise(ctx context.Context, at place, m bot.Message, refused string) string {
	switch {
	case byURL(refused):
		g.notSeen()
	case isShared(refused):
		return ""
	default:
		g.refusing.add(string(at.home), "")
		g.Log.Warn("Slack shows no files in posts here, so that boards are files of their own", "home", at.home)
		g.deletePicture(ctx, at.home, refused)
	}
	return g.show(ctx, at, m)
}

// trouble says how boards are shown where it isn't as it should be, "" where it is.
func (g *gallery) trouble() string {
	switch {
	case g.barred.any():
		return "Slack takes no pictures, so boards are posted in characters"
	case g.refusing.any():
		return "Slack shows no files in posts, so boards are posted as files of their own"
	case g.unseen.any():
		return "Slack can't fetch pictures from this host: let " + picturePath + " through to it"
	}
	return ""
}

// sharedMark begins what stands for a file that is shown by itself.
const sharedMark = "shared:"

// isShared reports whether a picture is a file that is shown by itself, above the post.
func isShared(picture string) bool { return strings.HasPrefix(picture, sharedMark) }

// notSeen notes that Slack couldn't fetch a picture. For a while they are
// uploaded instead.
func (g *gallery) notSeen() {
	g.unseen.add("", "")
	g.Log.Warn("Slack can't fetch pictures from this host, so they are uploaded, which takes longer: let "+picturePath+" through to it", "address", g.OAuth.URL)
}

// servePicture draws the picture of a post once more.
func (g *gallery) servePicture(w http.ResponseWriter, r *http.Request) {
	text, sign, _ := strings.Cut(strings.TrimSuffix(r.PathValue("ticket"), ".png"), ".")
	var t ticket
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
		g.Log.Error("can't draw a picture again", "channel", t.Channel, "table", t.Table, "error", err)
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
