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

// gateway is the part of Discord that sends events.
type gateway struct {
	sessions   map[string]*session // by id
	shards     int                 // as it recommends
	identified int
	resumed    int
	refuse     int  // close code for the next identification or resumption
	forget     bool // sessions can't be resumed
	later      bool // the next session is to be resumed later
	atOnce     int  // identifications
	invalid    bool // no session is valid
	deaf       int  // this number of connections to come get no answer to heartbeats
	left       int  // identifications of the day, with those that there were
	secure     bool // its address is one of TLS
	allowed    int  // privileged intents that were switched on
}

// A session outlives its connection, so that it can be resumed.
type session struct {
	id      string
	shard   int
	intents int
	seq     int
	events  []event // all of them
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
	mu    sync.Mutex
	ws    *websocket.Conn
	again bool // at the address for resuming
}

func (c *connection) send(v any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ws.WriteJSON(v) // one that is gone is noticed by its reader
}

func (c *connection) close(code int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second))
	c.ws.Close()
}

func (d *Discord) gatewayURL() string {
	scheme := "ws"
	if d.gateway.secure {
		scheme = "wss"
	}
	return scheme + strings.TrimPrefix(d.URL, "http") + "/gateway/"
}

// NamesASecureGateway makes the gateway's address one of TLS, as Discord's is. Nobody
// answers there.
func (d *Discord) NamesASecureGateway() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gateway.secure = true
}

func (d *Discord) gatewayBot([]string, []byte, []file) (any, error) {
	return map[string]any{
		"url": d.gatewayURL(), "shards": d.gateway.shards,
		"session_start_limit": map[string]any{"total": 1000, "remaining": max(0, d.gateway.left-d.gateway.identified), "reset_after": ResetAfter.Milliseconds(), "max_concurrency": max(d.gateway.atOnce, 1)},
	}, nil
}

// serveGateway speaks with one connection.
func (d *Discord) serveGateway(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	if q := r.URL.Query(); q.Get("v") != "10" || q.Get("encoding") != "json" {
		d.report("the gateway was opened as %s", r.URL)
	}
	conn := &connection{ws: ws, again: strings.HasSuffix(r.URL.Path, "/again/")}
	heartbeat, deaf := 45*time.Second, d.isDeaf()
	if deaf {
		heartbeat = 10 * time.Millisecond
	}
	conn.send(map[string]any{"op": 10, "d": map[string]any{"heartbeat_interval": heartbeat.Milliseconds()}})
	for {
		var m struct {
			Op   int             `json:"op"`
			Data json.RawMessage `json:"d"`
		}
		if err := ws.ReadJSON(&m); err != nil {
			d.lost(conn)
			return
		}
		switch m.Op {
		case 1:
			if !deaf {
				conn.send(map[string]any{"op": 11})
			}
		case 2:
			d.identify(conn, m.Data)
		case 6:
			d.resume(conn, m.Data)
		default:
			d.report("the gateway got op %d", m.Op)
		}
	}
}

// privileged are the intents that must be switched on, and in many servers
// approved.
const (
	guildMembers = 1 << 1
	privileged   = guildMembers | 1<<8 | 1<<15
)

func (d *Discord) identify(conn *connection, data []byte) {
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
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.change()
	if conn.again {
		d.report("identified at the address for resuming")
	}
	g := &d.gateway
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
	s := &session{id: "session-" + d.id(), conn: conn, intents: *id.Intents}
	shard := [2]int{0, 1}
	if id.Shard != nil {
		shard = *id.Shard
	}
	s.shard = shard[0]
	g.shards = shard[1]
	g.sessions[s.id] = s
	guilds := []any{}
	for _, guild := range d.guilds {
		if guild.botIsHere && d.shardOf(guild.ID) == s.shard {
			guilds = append(guilds, map[string]any{"id": guild.ID, "unavailable": true})
		}
	}
	d.emit(s, "READY", map[string]any{
		"v": 10, "session_id": s.id, "resume_gateway_url": d.gatewayURL() + "again/", "shard": shard, "guilds": guilds,
		"user":        ourselves(),
		"application": map[string]any{"id": ApplicationID, "flags": 0},
	})
}

func (d *Discord) resume(conn *connection, data []byte) {
	var r struct {
		Token   string `json:"token"`
		Session string `json:"session_id"`
		Seq     int    `json:"seq"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		conn.close(4002)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.change()
	if !conn.again {
		d.report("resumed at the address for identifying")
	}
	if code := d.gateway.refuse; code != 0 {
		d.gateway.refuse = 0
		conn.close(code)
		return
	}
	if d.gateway.later {
		d.gateway.later = false
		conn.send(map[string]any{"op": 9, "d": true})
		return
	}
	s := d.gateway.sessions[r.Session]
	if s == nil || d.gateway.forget {
		d.gateway.forget = false
		conn.send(map[string]any{"op": 9, "d": false})
		return
	}
	d.gateway.resumed++
	s.conn = conn
	for _, e := range s.events {
		if e.Seq > r.Seq {
			if shown, ok := e.Data.(map[string]any); ok && e.Type == "INTERACTION_CREATE" {
				d.interactions[fmt.Sprint(shown["token"])].again = true
			}
			conn.send(e)
		}
	}
	d.emit(s, "RESUMED", map[string]any{})
}

// emit sends an event to a session, or keeps it until that resumes.
func (d *Discord) emit(s *session, kind string, data any) {
	s.seq++
	e := event{0, data, s.seq, kind}
	s.events = append(s.events, e)
	if s.conn != nil {
		s.conn.send(e)
	}
}

// dispatch sends an event to a shard: to its newest session.
func (d *Discord) dispatch(shard int, kind string, data any, intents ...int) {
	var newest *session
	for _, s := range d.gateway.sessions {
		if s.shard == shard && (newest == nil || len(s.id) > len(newest.id) || len(s.id) == len(newest.id) && s.id > newest.id) {
			newest = s
		}
	}
	for _, intent := range intents {
		if newest != nil && newest.intents&intent == 0 {
			return // it wasn't asked for
		}
	}
	if newest != nil {
		d.emit(newest, kind, data)
	}
}

func (d *Discord) shardOf(guild string) int {
	id, err := strconv.ParseUint(guild, 10, 64)
	if err != nil || d.gateway.shards < 2 {
		return 0
	}
	return int((id >> 22) % uint64(d.gateway.shards))
}

func (d *Discord) lost(conn *connection) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.gateway.sessions {
		if s.conn == conn {
			s.conn = nil
		}
	}
	d.change()
}

// Recommend sets how many shards the gateway recommends.
func (d *Discord) Recommend(shards int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gateway.shards = shards
}

// RecommendAtOnce sets how many shards may identify at once.
func (d *Discord) RecommendAtOnce(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gateway.atOnce = n
}

// ResumeLater makes the next session that would resume do so later.
func (d *Discord) ResumeLater() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gateway.later = true
}

// TellOfMembers switches the application's Server Members Intent on.
func (d *Discord) TellOfMembers() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gateway.allowed |= guildMembers
}

// RefuseNext closes the next connection that identifies itself, or resumes,
// with a code.
func (d *Discord) RefuseNext(code int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gateway.refuse = code
}

// ForgetSessions makes the next session that would resume an invalid one.
func (d *Discord) ForgetSessions() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gateway.forget = true
}

// InvalidateAll makes every session invalid from now on, new ones too.
func (d *Discord) InvalidateAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gateway.invalid = true
}

// Deafen makes the next connection get no answers to its heartbeats, which it
// is asked for often.
func (d *Discord) Deafen() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gateway.deaf++
}

func (d *Discord) isDeaf() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.gateway.deaf == 0 {
		return false
	}
	d.gateway.deaf--
	return true
}

// Identifications is how many there were.
func (d *Discord) Identifications() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.gateway.identified
}

// HasIdentified reports whether there were as many. It is for Wait.
func (d *Discord) HasIdentified(times int) bool { return d.gateway.identified >= times }

// ResetAfter is how long it takes until all identifications are left again.
const ResetAfter = 4 * time.Hour

// Allow sets how many identifications are left.
func (d *Discord) Allow(left int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gateway.left = d.gateway.identified + left
}

// DropGateway cuts all connections.
func (d *Discord) DropGateway() {
	for _, c := range d.connections() {
		c.ws.Close()
	}
}

// AskToReconnect asks all connections to reconnect.
func (d *Discord) AskToReconnect() {
	for _, c := range d.connections() {
		c.send(map[string]any{"op": 7, "d": nil})
	}
}

func (d *Discord) connections() (all []*connection) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.gateway.sessions {
		if s.conn != nil {
			all = append(all, s.conn)
		}
	}
	return all
}

// Connected waits until a number of shards are connected, by as many
// identifications in all and as many resumptions.
func (d *Discord) Connected(shards, identified, resumed int) {
	d.Wait(fmt.Sprintf("%d shards are connected (%d identified, %d resumed)", shards, identified, resumed), func() bool {
		var connected []int
		for _, s := range d.gateway.sessions {
			if s.conn != nil && !slices.Contains(connected, s.shard) {
				connected = append(connected, s.shard)
			}
		}
		return len(connected) == shards && d.gateway.identified >= identified && d.gateway.resumed >= resumed
	})
}

// Shards lists the shards that are connected.
func (d *Discord) Shards() (ids []int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.gateway.sessions {
		if s.conn != nil {
			ids = append(ids, s.shard)
		}
	}
	slices.Sort(ids)
	return ids
}

// AnyConnection reports whether any shard is connected. It is for Wait.
func (d *Discord) AnyConnection() bool {
	for _, s := range d.gateway.sessions {
		if s.conn != nil {
			return true
		}
	}
	return false
}
