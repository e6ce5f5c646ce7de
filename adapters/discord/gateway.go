package discord

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// Shards says which shards of the gateway this process runs; the zero value is
// all of as many as Discord recommends.
type Shards struct {
	First, Last int // from 0
	Of          int // 0: as Discord recommends
}

// ParseShards reads "N/M", shard N of M counted from 0, or "A-B/M" for several.
func ParseShards(s string) (Shards, error) {
	bad := fmt.Errorf("%q is no shard: write 0/2 for the first of two, 1/2 for the second, or 0-3/8 for several", s)
	which, of, ok := strings.Cut(s, "/")
	first, last, several := strings.Cut(which, "-")
	if !several {
		last = first
	}
	var sh Shards
	var errs [3]error
	sh.First, errs[0] = strconv.Atoi(first)
	sh.Last, errs[1] = strconv.Atoi(last)
	sh.Of, errs[2] = strconv.Atoi(of)
	if !ok || errors.Join(errs[:]...) != nil || sh.First < 0 || sh.Last < sh.First || sh.Of <= sh.Last {
		return Shards{}, bad
	}
	return sh, nil
}

// A gatewayInfo is what Discord says of connecting to it.
type gatewayInfo struct {
	Shards int `json:"shards"`
	Limit  struct {
		Remaining  int   `json:"remaining"`       // identifications left today
		ResetAfter int64 `json:"reset_after"`     // milliseconds
		AtOnce     int   `json:"max_concurrency"` // identifications in 5 seconds
	} `json:"session_start_limit"`
}

// gatewayInfo asks Discord, until there is an answer.
func (a *Adapter) gatewayInfo(ctx context.Context) (info gatewayInfo, err error) {
	err = a.persist(ctx, "Discord's gateway can't be found", func() error {
		b, err := a.call(ctx, "GET", discordgo.EndpointGatewayBot, nil)
		if err != nil {
			return diagnosed(err)
		}
		return json.Unmarshal(b, &info)
	})
	return info, err
}

// runShards keeps the shards connected until ctx is done or one of them fails
// for good.
func (a *Adapter) runShards(ctx context.Context) error {
	mine := a.Shards
	if mine.Of == 0 {
		info, err := a.gatewayInfo(ctx)
		if err != nil {
			return err
		}
		mine = Shards{First: 0, Last: max(info.Shards, 1) - 1, Of: max(info.Shards, 1)}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	turns := make(chan struct{}, 1)
	turns <- struct{}{}
	var running sync.WaitGroup
	for id := mine.First; id <= mine.Last; id++ {
		running.Go(func() {
			s := shard{Adapter: a, id: id, of: mine.Of, turns: turns}
			if err := s.run(ctx); err != nil {
				stop(err)
			}
		})
	}
	running.Wait()
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// A shard is one connection to the gateway, with a share of the servers.
type shard struct {
	*Adapter
	id, of int
	turns  chan struct{} // held by the one shard that identifies; see takeTurn
}

const (
	// openTime is how long connecting may take.
	openTime = 30 * time.Second
	// steadyTime is how long a connection must last for the next one to be
	// tried at once.
	steadyTime = time.Minute
	// betweenShards is the time between two identifications.
	betweenShards = 5 * time.Second
)

// run keeps the shard connected. discordgo's own reconnecting is off: it goes
// on for ever with a token that was taken away, and can't be stopped.
func (s *shard) run(ctx context.Context) error {
	log := s.Log.With("shard", fmt.Sprintf("%d/%d", s.id, s.of))
	var session *discordgo.Session // outlives a connection, to resume it
	resumes := false               // the session was there, and goes on
	wait := time.Second
	for ctx.Err() == nil {
		if session == nil {
			if err := s.takeTurn(ctx); err != nil {
				return ignoreDone(ctx, err)
			}
			session, resumes = s.newSession(ctx), false
		}
		began := s.Now()
		opened, err := s.connected(ctx, session, resumes)
		resumes = resumes || opened
		if ctx.Err() != nil {
			return nil
		}
		if err = diagnosed(err); hopeless(err) {
			return err
		}
		over := websocket.IsCloseError(errors.Unwrap(err), 4007, 4009) // wrong place, or too long ago
		if errors.Is(err, errStuck) || errors.Is(err, errInvalid) || over || !resumes {
			session = nil
		}
		if s.Now().Sub(began) >= steadyTime {
			wait = time.Second
		}
		log.Warn("the gateway's connection is gone; connecting again", "error", err, "wait", wait)
		select {
		case <-ctx.Done():
		case <-s.after(wait):
		}
		wait = min(2*wait, longestWait)
	}
	return nil
}

// takeTurn waits until this shard may identify: one in five seconds may, and
// so many in a day. Whoever goes beyond that loses their token. Discord counts
// itself, so that other processes of the same application count too.
func (s *shard) takeTurn(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.turns:
	}
	defer func() {
		go func() {
			select {
			case <-ctx.Done():
			case <-s.after(betweenShards):
			}
			s.turns <- struct{}{}
		}()
	}()
	for {
		info, err := s.gatewayInfo(ctx)
		if err != nil || info.Limit.Remaining > 0 || info.Limit.ResetAfter <= 0 {
			return err
		}
		wait := time.Duration(info.Limit.ResetAfter) * time.Millisecond
		s.Log.Warn("this application has connected to Discord too often today; waiting", "wait", wait)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.after(wait):
		}
	}
}

// newSession makes a session that will identify itself anew.
func (s *shard) newSession(ctx context.Context) *discordgo.Session {
	session, err := discordgo.New(s.Token)
	if err != nil {
		panic(err) // it never fails
	}
	session.LogLevel = silent
	session.Client = s.session.Client
	session.Ratelimiter = s.session.Ratelimiter
	session.ShouldReconnectOnError = false
	session.StateEnabled = false
	session.Identify.Intents = discordgo.IntentsGuilds
	if s.members.Load() {
		session.Identify.Intents |= discordgo.IntentsGuildMembers
	}
	session.ShardID, session.ShardCount = s.id, s.of
	// Each event comes in a goroutine of its own.
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		defer func() {
			if r := recover(); r != nil {
				s.Log.Error("event panicked", "event", e.Type, "panic", r, "stack", string(debug.Stack()))
			}
		}()
		switch e.Type {
		case "INTERACTION_CREATE":
			s.receive(ctx, e.RawData)
		case "GUILD_MEMBER_REMOVE":
			s.memberLeft(ctx, e.RawData)
		}
	})
	return session
}

var (
	errStuck   = errors.New("connecting takes too long")
	errLost    = errors.New("the connection was lost")
	errInvalid = errors.New("the session is not valid any more")
)

// connected opens a session's connection and stays until it is gone. The
// error says why. resumes says that the session was there before, and
// goes on; opened, that it is there now.
func (s *shard) connected(ctx context.Context, session *discordgo.Session, resumes bool) (opened bool, err error) {
	// discordgo knows no contexts, waits without a deadline, and then holds
	// the lock that Close needs. So we hold the connection itself.
	conn := held{spent: resumes}
	dialer := *websocket.DefaultDialer
	dialer.NetDialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return conn.hold(new(net.Dialer).DialContext(ctx, network, address))
	}
	dialer.NetDialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return conn.hold(new(tls.Dialer).DialContext(ctx, network, address))
	}
	session.Dialer = &dialer
	defer context.AfterFunc(ctx, conn.close)()
	defer conn.close()

	gone := make(chan struct{}, 1)
	defer session.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) {
		select {
		case gone <- struct{}{}:
		default:
		}
	})()
	ready := make(chan error, 1)
	go func() { ready <- session.Open() }()
	select {
	case err := <-ready:
		if conn.invalid() {
			return false, errInvalid
		}
		if err != nil {
			return false, err
		}
	case <-ctx.Done():
		return false, ctx.Err()
	case <-s.after(openTime):
		return false, errStuck
	}
	s.Log.Info("connected to Discord's gateway", "shard", s.id, "of", s.of)
	s.signedIn.Store(true)
	select {
	case <-gone:
		if conn.invalid() {
			return true, errInvalid
		}
		return true, errLost
	case <-ctx.Done():
		return true, ctx.Err()
	}
}
