package pages

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/limit"
	"github.com/rackmate/rackmate/bot/text"
)

// maxBody is the maximum size of a request's body, in bytes.
const maxBody = 16 << 10

// policy lets the page load only its own files, and makes the browser reject markup built
// from strings.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker"

// activityPath is the path of the frame that another platform's client shows.
const activityPath = "/activity"

// inActivity reports whether a request's path is activityPath or below it.
func inActivity(req *http.Request) bool {
	return req.URL.Path == activityPath || strings.HasPrefix(req.URL.Path, activityPath+"/")
}

// ofDocuments holds the headers that only documents and workers need.
var ofDocuments = map[string]string{
	"Content-Security-Policy":    policy,
	"X-Frame-Options":            "DENY",
	"Referrer-Policy":            "no-referrer",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Permissions-Policy":         "camera=(), geolocation=(), microphone=()",
}

// A guard checks and limits requests.
type guard struct {
	answers *Answers
	clients *Clients
	cookies *Cookies
	limit   func(rate, burst float64) *Buckets
	// isFrame reports whether a request comes from the frame's own page, and framed returns the
	// player whom a frame's bearer names, or "".
	isFrame func(*http.Request) bool
	framed  func(*http.Request) bot.PlayerID
}

// wrap checks and limits every request before any other handler.
func (gd guard) wrap(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	people, strangers := gd.limit(50, 300), gd.limit(50, 300)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		for name, value := range ofDocuments {
			h.Set(name, value)
		}
		switch {
		case !gd.clients.isOwnHost(req.Host):
			gd.answers.Fail(w, req, &Refusal{http.StatusMisdirectedRequest, text.Say("This room has another address. Open it at the one that rackmate printed.")})
			return
		case inActivity(req) && !gd.isFrame(req), !inActivity(req) && origin.Check(req) != nil:
			gd.answers.Fail(w, req, &Refusal{http.StatusForbidden, text.Say("That came from another site, so nothing was done.")})
			return
		}
		// Members are counted by id, wherever they are, and strangers by network. Static
		// files cost next to nothing, and a household may open the page many times. Frames
		// share the address of a platform's proxy, and their users are known only after
		// they have entered; see activityPages.serveEnter.
		rate, key := strangers, gd.clients.Address(req)
		var asker bot.Asker
		if !inActivity(req) {
			asker.Address = gd.clients.ClientOf(req)
		}
		if who := gd.cookies.Sessions(req); len(who) > 0 {
			rate, key = people, who[0].ID
			asker.Person = bot.PlayerID(Platform + ":" + who[0].ID)
		}
		if player := gd.framed(req); player != "" {
			rate, key = people, string(player)
			asker.Person = player
		}
		req = req.WithContext(bot.AskedBy(req.Context(), asker))
		if !countedElsewhere(req) {
			if err := TakeToken(rate, key); err != nil {
				gd.answers.Fail(w, req, err)
				return
			}
		}
		req.Body = http.MaxBytesReader(w, req.Body, maxBody)
		defer func() {
			if p := recover(); p == http.ErrAbortHandler {
				panic(p)
			} else if p != nil {
				gd.answers.Fail(w, req, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		next.ServeHTTP(w, req)
	})
}

// countedElsewhere reports whether a request has its own limits or costs next to nothing: static
// files, and the pages of frames, which share an address.
func countedElsewhere(req *http.Request) bool {
	at, framed := strings.CutPrefix(req.URL.Path, activityPath)
	return strings.HasPrefix(at, "/static/") || framed && (at == "/enter" || req.Method == http.MethodGet && (at == "" || at == "/" || strings.HasPrefix(at, "/texts/")))
}

// Clients identifies clients by address, behind the proxies that the operator configured.
type Clients struct {
	hosts   []string
	proxies []netip.Prefix
}

// NewClients returns the clients of a room with these host names, behind these proxies.
func NewClients(hosts []string, proxies []netip.Prefix) *Clients { return &Clients{hosts, proxies} }

// isOwnHost reports whether a Host header names the room. A foreign page that points its own
// domain at 127.0.0.1 still sends that domain here.
func (cl *Clients) isOwnHost(hostPort string) bool {
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

// Address returns the network that a stranger's request is counted by: the address for
// IPv4, the /48 for IPv6.
func (cl *Clients) Address(req *http.Request) string {
	if ip := cl.ClientOf(req); ip.IsValid() {
		n, _ := limit.NetworkOf(ip)
		return n.String()
	}
	return req.RemoteAddr
}

// ClientOf returns the address that a request comes from, or the zero Addr if it is
// unknown.
func (cl *Clients) ClientOf(req *http.Request) netip.Addr {
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
func (cl *Clients) client(peer netip.Addr, header http.Header) netip.Addr {
	if !cl.isTrusted(peer) {
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
		if client = ip; !cl.isTrusted(ip) {
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

// isTrusted reports whether an address belongs to a configured proxy.
func (cl *Clients) isTrusted(ip netip.Addr) bool {
	return slices.ContainsFunc(cl.proxies, func(p netip.Prefix) bool { return p.Contains(ip) })
}
