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
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/limit"
	"github.com/rackmate/rackmate/bot/text"
)

// maxBody is the maximum size of a request's body, in bytes.
const maxBody = 16 << 10

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
	errNoName   = &refusal{http.StatusUnauthorized, text.Say("Please choose a name first.")}
	errUnread   = &refusal{http.StatusUnprocessableEntity, text.Say("The room couldn't read that. Please reload the page.")}
	errNoStream = &refusal{http.StatusNotFound, text.Say("That conversation is gone.")}
)

// policy lets the page load only its own files, and makes the browser reject markup built
// from strings.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker"

// guard checks and limits every request before any other handler.
func (r *Room) guard(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	people, strangers := r.listeners.limit(50, 300), r.listeners.limit(50, 300)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cache-Control", "no-store")
		switch {
		case !r.clients.knows(req.Host):
			r.answers.fail(w, req, &refusal{http.StatusMisdirectedRequest, text.Say("This room has another address. Open it at the one that rackmate printed.")})
			return
		case inActivity(req) && !r.pages.activity.isFrom(req), !inActivity(req) && origin.Check(req) != nil:
			r.answers.fail(w, req, &refusal{http.StatusForbidden, text.Say("That came from another site, so nothing was done.")})
			return
		}
		// Members are counted by id, wherever they are, and strangers by network. Static
		// files cost next to nothing, and a household may open the page many times. Frames
		// share the address of a platform's proxy, and their users are known only after
		// they have entered; see activityPages.serveEnter.
		rate, key := strangers, r.clients.address(req)
		var asker bot.Asker
		if !inActivity(req) {
			asker.Address = r.clients.clientOf(req)
		}
		if who := r.cookies.sessions(req); len(who) > 0 {
			rate, key = people, who[0].id
			asker.Person = person{ID: who[0].id}.player()
		}
		if s, ok := r.pages.activity.session(req); ok {
			rate, key = people, string(s.Player)
			asker.Person = s.Player
		}
		req = req.WithContext(bot.AskedBy(req.Context(), asker))
		if !countedElsewhere(req) {
			if wait := rate.Take(key); wait > 0 {
				r.answers.fail(w, req, tooFast(wait))
				return
			}
		}
		req.Body = http.MaxBytesReader(w, req.Body, maxBody)
		defer func() {
			if p := recover(); p == http.ErrAbortHandler {
				panic(p)
			} else if p != nil {
				r.answers.fail(w, req, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		next.ServeHTTP(w, req)
	})
}

// countedElsewhere reports whether a request has its own limits or costs next to nothing: static
// files, and the pages of frames, which share an address.
func countedElsewhere(req *http.Request) bool {
	path, framed := strings.CutPrefix(req.URL.Path, activityPath)
	return strings.HasPrefix(path, "/static/") || framed && (path == "/enter" || req.Method == http.MethodGet && (path == "" || path == "/" || strings.HasPrefix(path, "/texts/")))
}

// clients identifies clients by address, behind the proxies that the operator configured.
type clients struct {
	hosts   []string
	proxies []netip.Prefix
}

// knows reports whether a Host header names the room. A foreign page that points its own
// domain at 127.0.0.1 still sends that domain here.
func (cl *clients) knows(hostPort string) bool {
	host := hostPort
	if h, _, err := net.SplitHostPort(hostPort); err == nil {
		host = h
	}
	host = strings.Trim(strings.ToLower(host), "[]")
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsLoopback() {
		return true
	}
	return host == "localhost" || slices.Contains(cl.hosts, "*") ||
		slices.ContainsFunc(cl.hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// address returns the network that a stranger's request is counted by: the address for
// IPv4, the /48 for IPv6.
func (cl *clients) address(req *http.Request) string {
	if ip := cl.clientOf(req); ip.IsValid() {
		n, _ := limit.NetworkOf(ip)
		return n.String()
	}
	return req.RemoteAddr
}

// clientOf returns the address that a request comes from, or the zero Addr if it is
// unknown.
func (cl *clients) clientOf(req *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(req.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return cl.client(at.Addr().Unmap(), req.Header)
}

// client returns the client's address: the peer's, unless the peer is a trusted proxy. Each
// proxy appends the address it was called from to X-Forwarded-For, so the last address
// there that isn't a trusted proxy's is the client's. Anything before it could be forged by
// the client.
func (cl *clients) client(peer netip.Addr, header http.Header) netip.Addr {
	if !cl.trusts(peer) {
		return peer
	}
	hops := strings.Split(strings.Join(header.Values("X-Forwarded-For"), ","), ",")
	if hops[0] == "" {
		hops = header.Values("X-Real-Ip") // a common header in nginx configurations
	}
	client := peer
	for _, hop := range slices.Backward(hops) {
		ip, err := parseHop(hop)
		if err != nil {
			break // the proxy hides its client, so only the proxy is known
		}
		if client = ip; !cl.trusts(ip) {
			break
		}
	}
	return client
}

// parseHop parses an address as proxies write it, with or without a port.
func parseHop(hop string) (netip.Addr, error) {
	hop = strings.TrimSpace(hop)
	if at, err := netip.ParseAddrPort(hop); err == nil {
		return at.Addr().Unmap().WithZone(""), nil
	}
	ip, err := netip.ParseAddr(strings.Trim(hop, "[]"))
	return ip.Unmap().WithZone(""), err
}

// trusts reports whether an address belongs to a configured proxy.
func (cl *clients) trusts(ip netip.Addr) bool {
	return slices.ContainsFunc(cl.proxies, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// member makes a handler for requests of a person with a name: In is decoded from the
// request's JSON, and the result is written as JSON.
func member[In any](vs *visitors, rate *buckets, do func(context.Context, person, In) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		var in In
		body, unread := readBody(req)
		req = vs.reading(req, body)
		who, err := vs.visitor(req)
		if err != nil {
			vs.answers.fail(w, req, err)
			return
		}
		who.locale = req.Header.Get("Accept-Language")
		if wait := rate.Take(who.ID); wait > 0 {
			vs.answers.fail(w, req, tooFast(wait))
			return
		}
		if unread == nil {
			unread = parseJSON(body, &in)
		}
		if unread != nil {
			vs.answers.fail(w, req, unread)
			return
		}
		out, err := do(req.Context(), who, in)
		if err != nil {
			vs.answers.fail(w, req, err)
			return
		}
		vs.answers.answer(w, http.StatusOK, out)
	}
}

// reading returns a request whose context lets the store read the rows of its sender, stream,
// other participant and message together.
func (vs *visitors) reading(req *http.Request, body []byte) *http.Request {
	var about struct {
		Stream stream
		ID     string // a message's id
	}
	_ = json.Unmarshal(body, &about) // an unreadable body is refused later
	var id, other string
	if all := vs.cookies.sessions(req); len(all) > 0 {
		id = all[0].id
		other = about.Stream.other(id)
	}
	return req.WithContext(bot.ReadTogether(req.Context(), "web "+req.Pattern, id, string(about.Stream), other, about.ID))
}

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
		asked.User.ID = person{ID: all[0].id}.player()
	}
	return as.host.TongueFor(req.Context(), asked)
}

// tongueOf returns the language of public messages in a stream.
func (as *answers) tongueOf(ctx context.Context, s stream) *text.Tongue {
	return as.host.TongueFor(ctx, bot.Request{Channel: s.channelID()})
}

// seconds rounds a wait up to whole seconds, at least one.
func seconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

// buckets limits how often something happens, by person or network.
type buckets = limit.Buckets[string]

func newBuckets(now func() time.Time, rate, burst float64) *buckets {
	return limit.NewBuckets[string](now, rate, burst)
}

// limit returns buckets shared by all processes.
func (ls *listeners) limit(rate, burst float64) *buckets {
	b := newBuckets(ls.now, rate, burst)
	b.Shared = func() int { return ls.crowd.processes(ls.now()) }
	return b
}

// aDay returns buckets that limit how often something happens in a day.
func aDay(now func() time.Time, l bot.Limit) *buckets {
	return newBuckets(now, float64(l.Most)/(24*60*60), float64(l.Most))
}
