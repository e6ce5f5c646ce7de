package discordtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// A Gateway is the part of a Discord that sends events.
type Gateway struct {
	d *Discord // its lock is taken first if both are needed

	mu         sync.Mutex
	sessions   map[string]*session // by id
	shards     int                 // recommended number
	identified int
	resumed    int
	astray     int  // resumptions at another address than READY names
	refuse     int  // close code for the next identification or resumption
	forget     bool // sessions can't be resumed
	later      bool // the next session must resume later
	atOnce     int  // number of identifications allowed at once
	invalid    bool // no session is valid
	deaf       int  // number of coming connections whose heartbeats get no answer
	left       int  // identifications allowed today, including those made
	secure     bool // the address uses TLS
	allowed    int  // enabled privileged intents
	least      int  // fewest shards that are accepted
	greets     bool // each session gets an event for each of its servers
}

// A session outlives its connection, so that it can be resumed.
type session struct {
	id      string
	dead    bool // can't be resumed
	shard   int
	intents int
	seq     int
	events  []event // all events so far
	conn    *connection
}

type event struct {
	Op   int    `json:"op"`
	Data any    `json:"d"`
	Seq  int    `json:"s"`
	Type string `json:"t"`
}

// A connection is a websocket with one writer at a time.
type connection struct {
	mu     sync.Mutex
	ws     *websocket.Conn
	closed bool // by the stand-in
	again  bool // at the address for resuming
}

func (c *connection) send(v any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ws.WriteJSON(v) // a broken connection is noticed by its reader
}

func (c *connection) close(code int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second))
	c.ws.Close()
}

// address returns the address for shards. The caller must hold g.mu.
func (g *Gateway) address() string {
	scheme := "ws"
	if g.secure {
		scheme = "wss"
	}
	return scheme + strings.TrimPrefix(g.d.URL, "http") + "/gateway/"
}

// NamesSecure gives the gateway a TLS address, like Discord's. Nothing answers there.
func (g *Gateway) NamesSecure() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.secure = true
}

func (d api) gateway([]string, []byte, []file) (any, error) {
	g := d.Gateway
	g.mu.Lock()
	defer g.mu.Unlock()
	return map[string]any{"url": g.address()}, nil
}

func (d api) gatewayBot([]string, []byte, []file) (any, error) {
	g := d.Gateway
	g.mu.Lock()
	defer g.mu.Unlock()
	return map[string]any{
		"url": g.address(), "shards": g.shards,
		"session_start_limit": map[string]any{"total": 1000, "remaining": max(0, g.left-g.identified), "reset_after": ResetAfter.Milliseconds(), "max_concurrency": max(g.atOnce, 1)},
	}, nil
}

// serve handles one connection.
func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) {
	if g.d.Dead() {
		panic(http.ErrAbortHandler)
	}
	upgrader := websocket.Upgrader{}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	if q := r.URL.Query(); q.Get("v") != "10" || q.Get("encoding") != "json" {
		g.d.report("the gateway was opened as %s", r.URL)
	}
	conn := &connection{ws: ws, again: strings.HasSuffix(r.URL.Path, "/again/")}
	heartbeat, deaf := 45*time.Second, g.isDeaf()
	if deaf {
		heartbeat = 50 * time.Millisecond
	}
	conn.send(map[string]any{"op": 10, "d": map[string]any{"heartbeat_interval": heartbeat.Milliseconds()}})
	for begun := false; ; {
		var m struct {
			Op   int             `json:"op"`
			Data json.RawMessage `json:"d"`
		}
		if err := ws.ReadJSON(&m); err != nil {
			g.recordLoss(conn, websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway))
			return
		}
		switch m.Op {
		case 1:
			if !deaf || !begun {
				conn.send(map[string]any{"op": 11})
			}
		case 2:
			g.identify(conn, m.Data)
			begun = true
		case 6:
			g.resume(conn, m.Data)
			begun = true
		default:
			g.d.report("the gateway got op %d", m.Op)
		}
	}
}

// The privileged intents, which must be enabled, and approved for bots in many servers.
const (
	guildMembers = 1 << 1
	privileged   = guildMembers | 1<<8 | 1<<15
)

func (g *Gateway) identify(conn *connection, data []byte) {
	var id struct {
		Token      string         `json:"token"`
		Intents    *int           `json:"intents"`
		Properties map[string]any `json:"properties"`
		Shard      *[2]int        `json:"shard"`
	}
	if err := json.Unmarshal(data, &id); err != nil {
		conn.close(4002)
		return
	}
	d := g.d
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.change()
	g.mu.Lock()
	defer g.mu.Unlock()
	if conn.again {
		d.report("identified at the address for resuming")
	}
	g.identified++
	if code := g.refuse; code != 0 {
		g.refuse = 0
		conn.close(code)
		return
	}
	if g.invalid {
		conn.send(map[string]any{"op": 9, "d": false})
		return
	}
	if id.Token != "Bot "+Token && id.Token != Token {
		conn.close(4004)
		return
	}
	if id.Intents == nil || *id.Intents&privileged&^g.allowed != 0 || len(id.Properties) == 0 {
		d.report("identified with %s", data)
		conn.close(4014)
		return
	}
	shard := [2]int{0, 1}
	if id.Shard != nil {
		shard = *id.Shard
	}
	if shard[1] < g.least {
		conn.close(4011)
		return
	}
	g.begin(&session{id: "session-" + d.id(), conn: conn, intents: *id.Intents, shard: shard[0]}, shard)
}

// begin begins a session. The caller must hold both locks.
func (g *Gateway) begin(s *session, shard [2]int) {
	g.shards = shard[1]
	g.sessions[s.id] = s
	guilds, greetings := []any{}, []any{}
	for _, guild := range g.d.guilds {
		if guild.botIsHere && g.shardOf(guild.ID) == s.shard {
			guilds = append(guilds, map[string]any{"id": guild.ID, "unavailable": true})
			greetings = append(greetings, guild.greeting())
		}
	}
	s.emit("READY", map[string]any{
		"v": 10, "session_id": s.id, "resume_gateway_url": g.address() + "again/", "shard": shard, "guilds": guilds,
		"user": botUser(), "application": map[string]any{"id": ApplicationID, "flags": 0},
	})
	if !g.greets {
		return
	}
	// These events are sent in the background, and not again when the session is resumed.
	conn, first := s.conn, s.seq+1
	s.seq += len(guilds)
	go func() {
		for n, greeting := range greetings {
			conn.send(event{0, greeting, first + n, "GUILD_CREATE"})
		}
	}()
}

// greeting returns the event about a server, of about 2 kB.
func (g *Guild) greeting() map[string]any {
	id, joined, channels := g.ID, "2026-01-01T00:00:00Z", []any{}
	if !g.joined.IsZero() {
		joined = g.joined.UTC().Format(time.RFC3339Nano)
	}
	for n := range 8 {
		channels = append(channels, map[string]any{"id": id, "type": 0, "name": "channel", "position": n, "topic": nil, "permission_overwrites": []any{}, "parent_id": nil, "last_message_id": id, "rate_limit_per_user": 0})
	}
	return map[string]any{"id": id, "name": "server", "joined_at": joined, "member_count": 100, "large": true, "unavailable": false, "owner_id": id, "roles": []any{}, "emojis": []any{}, "features": []any{}, "channels": channels, "members": []any{}, "threads": []any{}, "presences": []any{}, "voice_states": []any{}}
}

// Greet makes each session get an event for each of its servers, as in Discord.
func (g *Gateway) Greet() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.greets = true
}

func (g *Gateway) resume(conn *connection, data []byte) {
	var r struct {
		Token   string `json:"token"`
		Session string `json:"session_id"`
		Seq     int    `json:"seq"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		conn.close(4002)
		return
	}
	d := g.d
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.change()
	g.mu.Lock()
	defer g.mu.Unlock()
	if !conn.again {
		g.astray++
	}
	if code := g.refuse; code != 0 {
		g.refuse = 0
		conn.close(code)
		return
	}
	if g.later {
		g.later = false
		conn.send(map[string]any{"op": 9, "d": true})
		return
	}
	s := g.sessions[r.Session]
	if s == nil || s.dead || g.forget {
		g.forget = false
		conn.send(map[string]any{"op": 9, "d": false})
		return
	}
	g.resumed++
	s.conn = conn
	for _, e := range s.events {
		if e.Seq > r.Seq {
			if shown, ok := e.Data.(map[string]any); ok && e.Type == "INTERACTION_CREATE" {
				d.interactions[fmt.Sprint(shown["token"])].again = true
			}
			conn.send(e)
		}
	}
	s.emit("RESUMED", map[string]any{})
}

// emit sends an event to a session, and keeps it for when the session is resumed. The
// caller must hold the gateway's lock.
func (s *session) emit(kind string, data any) {
	s.seq++
	e := event{0, data, s.seq, kind}
	s.events = append(s.events, e)
	if s.conn != nil {
		s.conn.send(e)
	}
}

// dispatch sends an event to the newest session of a guild's shard; guild "" means shard 0.
func (g *Gateway) dispatch(guild, kind string, data any, intents ...int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	shard := g.shardOf(guild)
	var newest *session
	for _, s := range g.sessions {
		if s.shard == shard && (newest == nil || len(s.id) > len(newest.id) || len(s.id) == len(newest.id) && s.id > newest.id) {
			newest = s
		}
	}
	for _, intent := range intents {
		if newest != nil && newest.intents&intent == 0 {
			return // the session didn't request these events
		}
	}
	if newest != nil {
		newest.emit(kind, data)
	}
}

// shardOf returns the shard of a guild. The caller must hold g.mu.
func (g *Gateway) shardOf(guild string) int {
	id, err := strconv.ParseUint(guild, 10, 64)
	if err != nil || g.shards < 2 {
		return 0
	}
	return int((id >> 22) % uint64(g.shards))
}

// recordLoss records the loss of a connection. If the bot closed it with 1000 or 1001, its
// session is over.
func (g *Gateway) recordLoss(conn *connection, left bool) {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.sessions {
		if s.conn == conn {
			s.conn, s.dead = nil, s.dead || left && !conn.closed
		}
	}
	g.d.change()
}

// Recommend sets the recommended number of shards.
func (g *Gateway) Recommend(shards int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shards = shards
}

// RecommendAtOnce sets how many shards may identify at once.
func (g *Gateway) RecommendAtOnce(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.atOnce = n
}

// ResumeLater makes the next attempt to resume fail, with an invitation to try later.
func (g *Gateway) ResumeLater() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.later = true
}

// TellOfMembers enables the application's Server Members Intent.
func (g *Gateway) TellOfMembers() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.allowed |= guildMembers
}

func (g *Gateway) tellsOfMembers() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.allowed&guildMembers != 0
}

// RefuseNext closes the next connection that identifies or resumes with a code.
func (g *Gateway) RefuseNext(code int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refuse = code
}

// ForgetSessions makes the next attempt to resume an invalid session.
func (g *Gateway) ForgetSessions() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget = true
}

// InvalidateAll makes every session invalid from now on, including new ones.
func (g *Gateway) InvalidateAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.invalid = true
}

// Deafen leaves the heartbeats of the next connection unanswered once its session has
// begun. That connection must send them frequently.
func (g *Gateway) Deafen() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.deaf++
}

func (g *Gateway) isDeaf() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.deaf == 0 {
		return false
	}
	g.deaf--
	return true
}

// Identifications returns the number of identifications. For use in Wait.
func (g *Gateway) Identifications() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.identified
}

// Resumptions returns the number of resumptions. For use in Wait.
func (g *Gateway) Resumptions() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.resumed
}

// Astray returns the number of resumptions that ignored the address from READY. Discord's
// documentation asks clients to use it.
func (g *Gateway) Astray() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.astray
}

// ResetAfter is the time until the limit of identifications is reset.
const ResetAfter = 4 * time.Hour

// Allow sets the number of remaining identifications.
func (g *Gateway) Allow(left int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left = g.identified + left
}

// Drop cuts all connections.
func (g *Gateway) Drop() {
	for _, c := range g.connections() {
		c.ws.Close()
	}
}

// sessionsEnd lists the close codes after which a session can't be resumed, from "Gateway
// Close Event Codes" in Discord's documentation. All others preserve it, including 1000 and
// 1001 if Discord closes.
var sessionsEnd = []int{4003, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014}

// Close closes all connections with a code from 1000 to 1015 or 4000 to 4014. For 1005,
// 1006 and 1015, which no frame may contain, it cuts them.
func (g *Gateway) Close(code int) {
	g.mu.Lock()
	var open []*connection
	for _, s := range g.sessions {
		if s.conn != nil {
			open = append(open, s.conn)
			s.dead = s.dead || slices.Contains(sessionsEnd, code)
		}
	}
	g.mu.Unlock()
	for _, c := range open {
		if code == websocket.CloseNoStatusReceived || code == websocket.CloseAbnormalClosure || code == websocket.CloseTLSHandshake {
			c.ws.Close()
		} else {
			c.close(code)
		}
	}
}

// RequireShards makes the gateway recommend a number of shards from now on, and refuse
// sessions with fewer. Those that are open end.
func (g *Gateway) RequireShards(n int) {
	g.mu.Lock()
	g.least, g.shards = n, n
	g.mu.Unlock()
	g.Close(4011)
}

// AskToReconnect asks all connections to reconnect.
func (g *Gateway) AskToReconnect() {
	for _, c := range g.connections() {
		c.send(map[string]any{"op": 7, "d": nil})
	}
}

func (g *Gateway) connections() (all []*connection) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.sessions {
		if s.conn != nil {
			all = append(all, s.conn)
		}
	}
	return all
}

// Connected waits until a number of shards are connected, after at least the given
// numbers of identifications and resumptions in total.
func (g *Gateway) Connected(shards, identified, resumed int) {
	g.d.Wait(fmt.Sprintf("%d shards are connected (%d identified, %d resumed)", shards, identified, resumed), func() bool {
		return len(slices.Compact(g.Shards())) == shards && g.Identifications() >= identified && g.Resumptions() >= resumed
	})
}

// Shards lists the connected shards, each as often as it is connected. For use in Wait.
func (g *Gateway) Shards() (ids []int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.sessions {
		if s.conn != nil {
			ids = append(ids, s.shard)
		}
	}
	slices.Sort(ids)
	return ids
}
