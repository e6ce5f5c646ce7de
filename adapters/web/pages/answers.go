package pages

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/limit"
	"github.com/rackmate/rackmate/bot/text"
)

// A Refusal answers a request that can't be carried out, with a sentence for the person.
type Refusal struct {
	Status int
	Text   text.Text
}

func (e *Refusal) Error() string { return e.Text.String() }

// Refuse returns a refusal whose sentence is built like [text.Say].
func Refuse(template string, values ...any) error {
	return &Refusal{http.StatusUnprocessableEntity, text.Say(template, values...)}
}

var (
	// ErrNoName refuses a stranger.
	ErrNoName = &Refusal{http.StatusUnauthorized, text.Say("Please choose a name first.")}
	// ErrNoPicture refuses a request for a picture that doesn't exist.
	ErrNoPicture = &Refusal{http.StatusNotFound, text.Say("That picture doesn't exist.")}
	errNothing   = &Refusal{http.StatusNotFound, text.Say("There's nothing at this address.")}
	errNoPage    = &Refusal{http.StatusNotFound, text.Say("There's no such game, or it isn't open to you.")}
	// ErrUnread refuses values that no script of ours sends.
	ErrUnread = &Refusal{http.StatusUnprocessableEntity, text.Say("The room couldn't read that. Please reload the page.")}
)

// ReadJSON decodes a request's body. It requires the JSON content type, which a form of
// another site can't send.
func ReadJSON(req *http.Request, in any) error {
	body, err := ReadBody(req)
	if err != nil {
		return err
	}
	return ParseJSON(body, in)
}

// ReadBody returns the body of a request with the JSON content type.
func ReadBody(req *http.Request) ([]byte, error) {
	kind, _, _ := strings.Cut(req.Header.Get("Content-Type"), ";")
	if strings.TrimSpace(kind) != "application/json" {
		return nil, &Refusal{http.StatusUnsupportedMediaType, text.Say("The room accepts only JSON.")}
	}
	body, err := io.ReadAll(req.Body)
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return nil, &Refusal{http.StatusRequestEntityTooLarge, text.Say("That's too long. Please split it into several messages.")}
	case err != nil:
		return nil, errNotJSON
	}
	return body, nil
}

var errNotJSON = &Refusal{http.StatusBadRequest, text.Say("The room couldn't read that. Please reload the page.")}

// ParseJSON decodes a body, or returns a refusal.
func ParseJSON(body []byte, in any) error {
	if json.NewDecoder(bytes.NewReader(body)).Decode(in) != nil {
		return errNotJSON
	}
	return nil
}

// Answers writes the room's answers as JSON or as a page, in the reader's language.
type Answers struct {
	host    bot.Host
	log     *slog.Logger
	cookies *Cookies
	texts   texts // texts of the pages, by language
	url     string
	demo    bool // pages say that this is a demo
}

// NewAnswers returns the answers of the room at url. In a demo every page says that it is one.
func NewAnswers(host bot.Host, log *slog.Logger, cookies *Cookies, texts texts, url string, demo bool) *Answers {
	return &Answers{host, log, cookies, texts, url, demo}
}

// Answer responds with a value as JSON.
func (as *Answers) Answer(w http.ResponseWriter, status int, out any) {
	var body bytes.Buffer
	if err := json.NewEncoder(&body).Encode(out); err != nil {
		as.log.Error("web answer", "err", err)
		status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body.Bytes()) // the browser may have closed the connection; it will ask again
}

// AnswerLong answers like Answer, but compresses the body for browsers that accept gzip.
func (as *Answers) AnswerLong(w http.ResponseWriter, req *http.Request, out any) {
	body, err := json.Marshal(out)
	if err != nil || !acceptsGzip(req) {
		as.Answer(w, http.StatusOK, out)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Add("Vary", "Accept-Encoding")
	w.Write(zip(body)) // the browser may have closed the connection; it will ask again
}

// Fail answers with a sentence: as a page to a browser that opens one, and as JSON to the
// room's scripts and to programs. It logs errors that aren't the person's mistake, without
// what they wrote.
func (as *Answers) Fail(w http.ResponseWriter, req *http.Request, err error) {
	var no *Refusal
	var busy *bot.BusyError
	if errors.As(err, &busy) {
		no = &Refusal{http.StatusTooManyRequests, busy.Text}
		if busy.Wait > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(Seconds(busy.Wait)))
		}
	} else if !errors.As(err, &no) {
		reference := fmt.Sprintf("%08x", rand.Uint32())
		no = &Refusal{http.StatusInternalServerError, text.Say("Something went wrong in the room. Please try again. Whoever runs this host can find it in the log as {reference}.", reference)}
		if req.Context().Err() == nil {
			as.log.Error("web request", "request", reference, "path", req.URL.Path, "err", err)
		}
	}
	to := as.Locale(req)
	if strings.Contains(req.Header.Get("Accept"), "text/html") {
		as.Serve(w, req, no.Status, refusalPage(to, no.Text, no.Status == http.StatusMisdirectedRequest))
		return
	}
	as.Answer(w, no.Status, map[string]string{"error": no.Text.In(to).String()})
}

// ServePicture responds with a preview picture, or with the error.
func (as *Answers) ServePicture(w http.ResponseWriter, req *http.Request, picture *bot.Picture, err error) {
	if errors.Is(err, bot.ErrNoPicture) {
		err = ErrNoPicture
	}
	if err != nil {
		as.Fail(w, req, err)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "public, max-age=60")
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(picture.PNG))
}

// render renders a document as HTML.
func (as *Answers) render(d Document) g.Node { return d.markup(as.texts.codes(), as.demo) }

// Serve responds with a document.
func (as *Answers) Serve(w http.ResponseWriter, req *http.Request, status int, d Document) {
	var page bytes.Buffer
	if err := as.render(d).Render(&page); err != nil {
		as.Fail(w, req, err)
		return
	}
	w.Header().Set("Content-Type", types["html"])
	w.Header().Add("Vary", "Accept-Encoding")
	body := page.Bytes()
	if acceptsGzip(req) {
		w.Header().Set("Content-Encoding", "gzip")
		body = zip(body)
	}
	w.WriteHeader(status)
	w.Write(body) // the browser may have closed the connection; it will ask again
}

// serveParts serves a page, or its changing parts alone if the query has "part".
func (as *Answers) serveParts(w http.ResponseWriter, req *http.Request, page Document, parts g.Node) {
	w.Header().Set("X-Robots-Tag", "noindex")
	w.Header().Set("Cache-Control", "no-cache")
	if _ = req.FormValue("part"); req.Form.Has("part") {
		var part bytes.Buffer
		if err := parts.Render(&part); err != nil {
			as.Fail(w, req, err)
			return
		}
		sum := sha256.Sum256(part.Bytes())
		w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:12])+`"`)
		w.Header().Set("Content-Type", types["html"])
		http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(part.Bytes()))
		return
	}
	as.Serve(w, req, http.StatusOK, page)
}

// serveNothing answers requests for unknown paths.
func (as *Answers) serveNothing(w http.ResponseWriter, req *http.Request) {
	as.Fail(w, req, errNothing)
}

// TooFast returns the refusal of a request that came too soon.
func TooFast(wait time.Duration) error {
	return &Refusal{http.StatusTooManyRequests, text.Say("That was a lot at once. Please try again in {n, plural, one {a second} other {# seconds}}.", Seconds(wait))}
}

// Translate renders one of the room's texts in the reader's language.
func (as *Answers) Translate(req *http.Request, t text.Text) string {
	return t.In(as.Locale(req)).String()
}

// Locale returns the reader's language: the one they chose, or else their browser's.
func (as *Answers) Locale(req *http.Request) *text.Locale {
	asked := bot.Request{Locale: req.Header.Get("Accept-Language")}
	if all := as.cookies.Sessions(req); len(all) > 0 {
		asked.User.ID = bot.PlayerID(Platform + ":" + all[0].ID)
	}
	return as.host.LocaleFor(req.Context(), asked)
}

// ChannelLocale returns the language of public messages in a channel.
func (as *Answers) ChannelLocale(ctx context.Context, ch bot.ChannelID) *text.Locale {
	return as.host.LocaleFor(ctx, bot.Request{Channel: ch})
}

// Seconds rounds a wait up to whole seconds, at least one.
func Seconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

// NewBuckets returns buckets that gain rate tokens a second and hold up to burst.
func NewBuckets(now func() time.Time, rate, burst float64) *Buckets {
	return limit.NewBuckets[string](now, rate, burst)
}

// ADay returns buckets that limit how often something happens in a day.
func ADay(now func() time.Time, l bot.Limit) *Buckets {
	return NewBuckets(now, float64(l.Most)/(24*60*60), float64(l.Most))
}

// TakeToken takes a token from a bucket, or returns a refusal if it is empty.
func TakeToken(b *Buckets, key string) error {
	if wait := b.Take(key); wait > 0 {
		return TooFast(wait)
	}
	return nil
}
