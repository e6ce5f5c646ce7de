package web

import (
	"bytes"
	"context"
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

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/limit"
	"github.com/rackmate/rackmate/bot/text"
)

// A refusal answers a request that can't be carried out, with a sentence for the person.
type refusal struct {
	status int
	text   text.Text
}

func (e *refusal) Error() string { return e.text.String() }

// refuse returns a refusal whose sentence is built like [text.Say].
func refuse(template string, values ...any) error {
	return &refusal{http.StatusUnprocessableEntity, text.Say(template, values...)}
}

var (
	errNoName    = &refusal{http.StatusUnauthorized, text.Say("Please choose a name first.")}
	errNoPicture = &refusal{http.StatusNotFound, text.Say("That picture doesn't exist.")}
	errUnread    = &refusal{http.StatusUnprocessableEntity, text.Say("The room couldn't read that. Please reload the page.")}
)

// readJSON decodes a request's body. It requires the JSON content type, which a form of
// another site can't send.
func readJSON(req *http.Request, in any) error {
	body, err := readBody(req)
	if err != nil {
		return err
	}
	return parseJSON(body, in)
}

func readBody(req *http.Request) ([]byte, error) {
	kind, _, _ := strings.Cut(req.Header.Get("Content-Type"), ";")
	if strings.TrimSpace(kind) != "application/json" {
		return nil, &refusal{http.StatusUnsupportedMediaType, text.Say("The room accepts only JSON.")}
	}
	body, err := io.ReadAll(req.Body)
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return nil, &refusal{http.StatusRequestEntityTooLarge, text.Say("That's too long. Please split it into several messages.")}
	case err != nil:
		return nil, errNotJSON
	}
	return body, nil
}

var errNotJSON = &refusal{http.StatusBadRequest, text.Say("The room couldn't read that. Please reload the page.")}

func parseJSON(body []byte, in any) error {
	if json.NewDecoder(bytes.NewReader(body)).Decode(in) != nil {
		return errNotJSON
	}
	return nil
}

// answers writes the room's answers as JSON or as a page, in the reader's language.
type answers struct {
	host    bot.Host
	log     *slog.Logger
	cookies *cookies
	texts   texts // texts of the pages, by language
	url     string
}

func newAnswers(host bot.Host, log *slog.Logger, cookies *cookies, texts texts, url string) *answers {
	return &answers{host, log, cookies, texts, url}
}

// answer responds with a value as JSON.
func (as *answers) answer(w http.ResponseWriter, status int, out any) {
	var body bytes.Buffer
	if err := json.NewEncoder(&body).Encode(out); err != nil {
		as.log.Error("web answer", "err", err)
		status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body.Bytes()) // the browser may have closed the connection; it will ask again
}

// answerLong answers like answer, but compresses the body for browsers that accept gzip.
func (as *answers) answerLong(w http.ResponseWriter, req *http.Request, out any) {
	body, err := json.Marshal(out)
	if err != nil || !takesGzip(req) {
		as.answer(w, http.StatusOK, out)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Add("Vary", "Accept-Encoding")
	w.Write(zip(body)) // the browser may have closed the connection; it will ask again
}

// fail answers with a sentence: as a page to a browser that opens one, and as JSON to the
// room's scripts and to programs. It logs errors that aren't the person's mistake, without
// what they wrote.
func (as *answers) fail(w http.ResponseWriter, req *http.Request, err error) {
	var no *refusal
	var busy *bot.BusyError
	if errors.As(err, &busy) {
		no = &refusal{http.StatusTooManyRequests, busy.Text}
		if busy.Wait > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(seconds(busy.Wait)))
		}
	} else if !errors.As(err, &no) {
		reference := fmt.Sprintf("%08x", rand.Uint32())
		no = &refusal{http.StatusInternalServerError, text.Say("Something went wrong in the room. Please try again. Whoever runs this host can find it in the log as {reference}.", reference)}
		if req.Context().Err() == nil {
			as.log.Error("web request", "request", reference, "path", req.URL.Path, "err", err)
		}
	}
	to := as.tongue(req)
	if strings.Contains(req.Header.Get("Accept"), "text/html") {
		as.serve(w, req, no.status, no.page(to))
		return
	}
	as.answer(w, no.status, map[string]string{"error": no.text.In(to).String()})
}

func tooFast(wait time.Duration) error {
	return &refusal{http.StatusTooManyRequests, text.Say("That was a lot at once. Please try again in {n, plural, one {a second} other {# seconds}}.", seconds(wait))}
}

// inTheirs renders one of the room's texts in the reader's language.
func (as *answers) inTheirs(req *http.Request, t text.Text) string {
	return t.In(as.tongue(req)).String()
}

// tongue returns the reader's language: the one they chose, or else their browser's.
func (as *answers) tongue(req *http.Request) *text.Tongue {
	asked := bot.Request{Locale: req.Header.Get("Accept-Language")}
	if all := as.cookies.sessions(req); len(all) > 0 {
		asked.User.ID = bot.PlayerID(Platform + ":" + all[0].id)
	}
	return as.host.TongueFor(req.Context(), asked)
}

// tongueOf returns the language of public messages in a channel.
func (as *answers) tongueOf(ctx context.Context, ch bot.ChannelID) *text.Tongue {
	return as.host.TongueFor(ctx, bot.Request{Channel: ch})
}

// seconds rounds a wait up to whole seconds, at least one.
func seconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

// buckets limits how often something happens, by person or network.
type buckets = limit.Buckets[string]

func newBuckets(now func() time.Time, rate, burst float64) *buckets {
	return limit.NewBuckets[string](now, rate, burst)
}

// aDay returns buckets that limit how often something happens in a day.
func aDay(now func() time.Time, l bot.Limit) *buckets {
	return newBuckets(now, float64(l.Most)/(24*60*60), float64(l.Most))
}

// counted takes a token from a bucket, or returns an error if it is empty.
func counted(b *buckets, key string) error {
	if wait := b.Take(key); wait > 0 {
		return tooFast(wait)
	}
	return nil
}
