package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"github.com/rackmate/rackmate/bot"
)

// A shard is one connection to the gateway, with a share of the servers; see "Gateway" in
// Discord's documentation. discordgo's own can't use a proxy, be stopped while connecting,
// or continue the session of an earlier process, and its latest release doesn't resume at
// the address that Discord names. It works as follows:
//
//	dial -> hello -> resume the session, or identify in its turn -> READY or RESUMED
//	then read events, and send a beat from time to time, until the connection is gone
//
// A session outlives its connection and the process: when it is resumed, the events in
// between arrive.
type shard struct {
	*gateway
	id, of int
	turns  turns
	log    *slog.Logger

	session  session
	inFlight eventsInFlight
	bare     bool // identify without the intents that must be enabled
}

// A session holds what is needed for resuming.
type session struct {
	ID      string           `json:"id"`
	Seq     int64            `json:"seq"` // number of the latest event
	URL     string           `json:"url"`
	Intents discordgo.Intent `json:"intents"`
}

// intents returns the kinds of events that the shard requests. The intent for events
// about members must be enabled in the developer portal.
func (s *shard) intents() discordgo.Intent {
	if s.members.Load() && !s.bare {
		return discordgo.IntentsGuilds | discordgo.IntentsGuildMembers
	}
	return discordgo.IntentsGuilds
}

const (
	// openTime is the time limit for connecting, until READY or RESUMED.
	openTime = 30 * time.Second
	// writeTime is the time limit for sending a frame.
	writeTime = 10 * time.Second
	// atOnce is the wait if Discord asks us to reconnect.
	atOnce = 100 * time.Millisecond
	// mostMisses limits how often in a row a session's own address is tried.
	mostMisses = 3
	// maxEvent is the largest event, in bytes; real ones are much smaller.
	maxEvent = 32 << 20
)

// Reasons for ending a connection.
var (
	errSilent  = errors.New("the gateway doesn't answer")
	errAsked   = errors.New("the gateway asked us to connect again")
	errInvalid = errors.New("the session is not valid any more")
	errDone    = errors.New("the connection is not needed any more")
	errLater   = errors.New("the gateway can't take the session now")
)

// run keeps the shard connected until ctx is done, or until it fails for good before its
// first connection.
func (s *shard) run(ctx context.Context) error {
	s.session = s.storedSession(ctx)
	s.connection(s.key(), bot.Connecting)
	defer s.connection(s.key(), bot.Closed)
	wait, misses := time.Second, 0
	for ctx.Err() == nil {
		opened, err := s.connect(ctx)
		if ctx.Err() != nil {
			break
		}
		var closed *websocket.CloseError
		switch errors.As(err, &closed); {
		case errors.Is(err, errInvalid), closed != nil && endsSession(closed.Code):
			s.session = session{}
		case opened:
			misses = 0
		case s.session.ID != "":
			if misses++; misses >= mostMisses {
				s.session, misses = session{}, 0
			}
		}
		s.keepSession(ctx)
		if opened {
			wait = time.Second
		}
		pause := wait
		if opened && errors.Is(err, errAsked) {
			pause = atOnce
		} else {
			wait = min(2*wait, longestWait)
		}
		err = diagnose(err)
		if s.live.Load() == 0 {
			s.pulse.Miss(err.Error())
		}
		s.connection(s.key(), bot.Retrying)
		switch {
		case errors.Is(err, errIntents) && s.dropIntent(ctx):
		case errors.Is(err, errShards) && s.canSplit(ctx):
			return errMoreShards
		case needsOperator(err) && !s.signedIn.Load():
			return err
		case needsOperator(err):
			pause = longestWait
			s.log.Error("Discord refuses to connect; retrying, but only the operator can fix it", "error", err, "wait", pause)
		default:
			s.log.Warn("the gateway's connection is gone; connecting again", "error", err, "wait", pause)
		}
		s.after.sleep(ctx, pause)
	}
	s.keepSession(ctx)
	return nil
}

// endsSession reports whether a session is over after Discord closed its connection with a code.
// 1000 and 1001 end a session only if we send them, not if Discord or a proxy does.
func endsSession(code int) bool {
	switch code {
	case 4003, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014:
		return true
	}
	return false
}

// canSplit asks Discord, after it refused the number of shards, whether it recommends more.
// If the operator chose the number, only they can change it.
func (s *shard) canSplit(ctx context.Context) bool {
	if s.Shards.Of != 0 {
		return false
	}
	info, err := s.info(ctx)
	return err == nil && info.Shards > s.of
}

// dropIntent handles the refusal of an intent, which has been disabled. It reports whether it
// could drop one.
func (s *shard) dropIntent(ctx context.Context) bool {
	if s.intents() == discordgo.IntentsGuilds {
		return false
	}
	app, err := s.client.application(ctx)
	if err == nil {
		s.members.Store(app.tellsOfMembers())
	}
	s.bare = true
	s.log.Error("Discord no longer reports people who leave a server, because Server Members Intent is off in the developer portal. Games go on; turn it on and restart to free the seats of people who leave at once")
	return true
}

// connect opens the connection and returns when it is lost, with the reason. opened
// reports whether the session was established.
func (s *shard) connect(ctx context.Context) (opened bool, err error) {
	if s.session.ID == "" {
		info, err := s.takeTurn(ctx)
		if err != nil {
			return false, err
		}
		s.session = session{URL: info.URL, Intents: s.intents()}
	}
	ws, err := s.dial(ctx)
	if err != nil {
		return false, err
	}
	l := &line{ws: ws, over: make(chan struct{})}
	l.seq.Store(s.session.Seq)
	defer l.end(errDone)
	defer context.AfterFunc(ctx, func() { l.end(ctx.Err()) })()
	l.late = time.AfterFunc(openTime, func() { l.end(errSilent) })
	defer l.late.Stop()
	defer close(l.over)
	defer func() {
		if l.opened {
			s.live.Add(-1)
		}
	}()
	ws.SetReadLimit(maxEvent)
	for {
		e, err := l.read()
		if err != nil {
			return l.opened, err
		}
		if err := s.receive(ctx, l, e); err != nil {
			return l.opened, err
		}
	}
}

// receive handles a message of the gateway. An error ends the line.
func (s *shard) receive(ctx context.Context, l *line, e discordgo.Event) error {
	switch e.Operation {
	case opHello:
		interval, err := intervalOf(e.RawData)
		if err != nil {
			return err
		}
		go l.sendBeats(interval, l.over)
		return s.identifyOrResume(l)
	case opBeat:
		return l.beat()
	case opBeatHeard:
		l.heard.Store(true)
		if l.opened {
			s.keepSession(ctx)
		}
	case opReconnect:
		l.end(errAsked)
		return errAsked
	case opInvalid:
		var resumable bool
		if json.Unmarshal(e.RawData, &resumable) == nil && resumable && s.session.ID != "" {
			return errLater
		}
		return errInvalid
	case opEvent:
		l.seq.Store(e.Sequence)
		s.session.Seq = e.Sequence
		switch e.Type {
		case "READY", "RESUMED":
			if e.Type == "READY" {
				s.begin(ctx, e.RawData)
			}
			if !l.opened {
				s.live.Add(1)
			}
			l.opened = true
			l.late.Stop()
			s.reportConnected(ctx, e.Type)
		default:
			s.handleEvent(ctx, e)
		}
	}
	return nil
}

// dial opens a connection to the gateway.
func (s *shard) dial(ctx context.Context) (*websocket.Conn, error) {
	address, err := url.Parse(s.session.URL)
	if err != nil {
		return nil, fmt.Errorf("the gateway's address: %w", err)
	}
	address.RawQuery = url.Values{"v": {version}, "encoding": {"json"}}.Encode()
	dialer := websocket.Dialer{Proxy: s.proxy, HandshakeTimeout: openTime}
	ws, resp, err := dialer.DialContext(ctx, address.String(), nil)
	switch {
	case err != nil && resp != nil:
		return nil, fmt.Errorf("open the gateway: %s: %w", resp.Status, err)
	case err != nil:
		return nil, fmt.Errorf("open the gateway: %w", err)
	}
	return ws, nil
}

// intervalOf returns the interval of heartbeats from the gateway's greeting.
func intervalOf(greeting json.RawMessage) (time.Duration, error) {
	var hello struct {
		Interval int64 `json:"heartbeat_interval"` // in milliseconds
	}
	if err := json.Unmarshal(greeting, &hello); err != nil || hello.Interval <= 0 {
		return 0, errors.New("the gateway's greeting makes no sense")
	}
	return time.Duration(hello.Interval) * time.Millisecond, nil
}

// reportConnected reports that the session is established. event is "READY" or "RESUMED".
func (s *shard) reportConnected(ctx context.Context, event string) {
	s.signedIn.Store(true)
	s.pulse.Beat()
	s.connection(s.key(), bot.Connected)
	s.keepSession(ctx)
	s.log.Info("connected to Discord's gateway", "resumed", event == "RESUMED")
}

// identifyOrResume resumes the session, or identifies for a new one.
func (s *shard) identifyOrResume(l *line) error {
	token := s.client.token[len("Bot "):]
	if s.session.ID != "" {
		return l.send(opResume, map[string]any{"token": token, "session_id": s.session.ID, "seq": s.session.Seq})
	}
	return l.send(opIdentify, map[string]any{
		"token": token, "intents": s.session.Intents, "shard": [2]int{s.id, s.of},
		"properties": map[string]string{"os": runtime.GOOS, "browser": "rackmate", "device": "rackmate"},
	})
}

// begin records the session of a READY event.
func (s *shard) begin(ctx context.Context, data json.RawMessage) {
	began := s.Now()
	var ready struct {
		Session string `json:"session_id"`
		URL     string `json:"resume_gateway_url"`
		Guilds  []struct {
			ID snowflake `json:"id"`
		} `json:"guilds"`
	}
	if err := json.Unmarshal(data, &ready); err != nil {
		s.log.Warn("can't read the session; not resuming it", "error", err)
		return
	}
	s.session.ID = ready.Session
	if ready.URL != "" {
		s.session.URL = ready.URL
	}
	var listed []snowflake
	for _, guild := range ready.Guilds {
		listed = append(listed, guild.ID)
	}
	s.inbox.handled.Go(func() {
		if err := s.inbox.servers.compare(context.WithoutCancel(ctx), s.id, s.of, listed, began); err != nil {
			s.log.Error("can't check which servers removed the bot while it was offline", "error", err)
		}
	})
}

// handleEvent handles an event in the background.
func (s *shard) handleEvent(ctx context.Context, e discordgo.Event) {
	s.inFlight.begin(e.Sequence)
	s.inbox.handled.Go(func() {
		defer s.inFlight.end(e.Sequence)
		defer func() {
			if r := recover(); r != nil {
				s.log.Error("event panicked", "event", e.Type, "panic", r, "stack", string(debug.Stack()))
			}
		}()
		switch e.Type {
		case "INTERACTION_CREATE":
			s.inbox.receive(ctx, e.RawData)
		case "GUILD_MEMBER_REMOVE":
			losses{s.Host, s.inbox.servers, s.log}.memberLeft(ctx, e.RawData)
		case "CHANNEL_UPDATE", "THREAD_UPDATE", "GUILD_ROLE_UPDATE", "GUILD_MEMBER_UPDATE":
			s.inbox.refusals.permissionsChanged(context.WithoutCancel(ctx), e.RawData)
		case "CHANNEL_DELETE", "THREAD_DELETE":
			losses{s.Host, s.inbox.servers, s.log}.endChannelGames(ctx, e.RawData)
		case "GUILD_CREATE":
			s.inbox.servers.recordServer(ctx, e.RawData)
		case "GUILD_DELETE":
			losses{s.Host, s.inbox.servers, s.log}.endServerGames(ctx, e.RawData)
		}
	})
}

// eventsInFlight records the events being handled.
type eventsInFlight struct {
	mu   sync.Mutex
	seqs map[int64]bool
}

func (h *eventsInFlight) begin(seq int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seqs == nil {
		h.seqs = map[int64]bool{}
	}
	h.seqs[seq] = true
}

func (h *eventsInFlight) end(seq int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.seqs, seq)
}

// resumableTo returns the number of the latest event, up to a given one, before which all events
// are handled.
func (h *eventsInFlight) resumableTo(latest int64) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	for seq := range h.seqs {
		latest = min(latest, seq-1)
	}
	return latest
}

// sessionShelf stores the sessions by shard, so that the next process can continue them.
const sessionShelf = "session"

func (s *shard) key() string { return fmt.Sprintf("%d/%d", s.id, s.of) }

// storedSession returns the stored session, or the zero one if none is stored with the
// current intents.
func (s *shard) storedSession(ctx context.Context) (kept session) {
	b, err := s.Notes.Get(ctx, sessionShelf, s.key())
	if err == nil && b != nil {
		err = json.Unmarshal(b, &kept)
	}
	if err != nil {
		s.log.Warn("can't read the stored session; beginning a new one", "error", err)
	}
	if err != nil || kept.Intents != s.intents() {
		return session{}
	}
	return kept
}

// keepSession stores the session. Events after the stored one, or not handled by then,
// arrive again when it is resumed, which does no harm: requests have ids.
func (s *shard) keepSession(ctx context.Context) {
	var b []byte
	if s.session.ID != "" {
		kept := s.session
		kept.Seq = s.inFlight.resumableTo(kept.Seq)
		var err error
		if b, err = json.Marshal(kept); err != nil {
			panic(err) // all fields can be encoded
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
	defer cancel()
	if err := s.Notes.Put(ctx, sessionShelf, s.key(), b); err != nil {
		s.log.Warn("can't store the session", "error", err)
	}
}

// Operations of the gateway's protocol.
const (
	opEvent     = 0
	opBeat      = 1
	opIdentify  = 2
	opResume    = 6
	opReconnect = 7
	opInvalid   = 9
	opHello     = 10
	opBeatHeard = 11
)

// A line is a connection to the gateway.
type line struct {
	ws    *websocket.Conn
	seq   atomic.Int64 // of the latest event
	heard atomic.Bool  // the latest heartbeat was acknowledged

	opened bool          // the session is established
	late   *time.Timer   // ends the line if that takes too long
	over   chan struct{} // closed when reading from the line ends

	mu    sync.Mutex // guards writing and cause
	cause error      // why we ended it
}

// end closes the line such that the session can be resumed: Discord ends the session if a
// line is closed without a code.
func (l *line) end(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cause != nil {
		return
	}
	l.cause = cause
	const resumable = 4900
	l.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(resumable, ""), time.Now().Add(time.Second))
	l.ws.Close()
}

func (l *line) send(op int, data any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cause != nil {
		return l.cause
	}
	l.ws.SetWriteDeadline(time.Now().Add(writeTime))
	return l.ws.WriteJSON(map[string]any{"op": op, "d": data})
}

// read returns the next event that can be parsed.
func (l *line) read() (e discordgo.Event, err error) {
	for {
		_, b, err := l.ws.ReadMessage()
		if err != nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.cause != nil {
				err = l.cause
			}
			return e, err
		}
		if json.Unmarshal(b, &e) == nil {
			return e, nil
		}
		e = discordgo.Event{}
	}
}

func (l *line) beat() error {
	if seq := l.seq.Load(); seq > 0 {
		return l.send(opBeat, seq)
	}
	return l.send(opBeat, nil)
}

// sendBeats sends heartbeats, and ends the line if the previous one wasn't acknowledged.
func (l *line) sendBeats(every time.Duration, stop <-chan struct{}) {
	l.heard.Store(true)
	timer := time.NewTimer(time.Duration(rand.Float64() * float64(every)))
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return
		case <-timer.C:
		}
		if !l.heard.Swap(false) {
			l.end(errSilent)
			return
		}
		if err := l.beat(); err != nil {
			l.end(err)
			return
		}
		timer.Reset(every)
	}
}
