package discord

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file implements the Activity: the board that Discord's client shows in a frame,
// through a proxy of Discord's. The frame's claims can be forged, so the adapter asks
// Discord for the user behind a code, the application that it was issued to, and the
// users and place of an instance. The web room serves the page.

// launchActivity is the type of the response that opens the frame.
const launchActivity responseType = 12

// answeredByUs is the handler of an entry point that sends us an interaction. With the
// other handler Discord opens the frame itself.
const answeredByUs = 1

// entryName is the name of an entry point that doesn't exist yet: Discord's own default.
const entryName = "launch"

// An activity authenticates the users of the Activity. It is a [bot.Activity].
type activity struct {
	*common
	box       *outbox.Outbox
	launches  launches
	key       ed25519.PublicKey           // of the interactions endpoint; nil if there is none
	app       atomic.Pointer[application] // our application, once Discord has returned it
	audiences audiences
}

// hasActivity reports whether the operator has enabled the Activity.
func (c *common) hasActivity() bool { return c.ClientSecret != "" }

// entry returns our entry point, the command that opens the Activity; see withEntry.
func (in localizer) entry() Command {
	help := text.Say("Open the board to play on")
	return Command{
		Type: entryPoint, Name: entryName, Handler: answeredByUs,
		Description: help.String(), DescriptionLocalizations: in.text(help),
		Contexts: []place{inGuild, inBotDM, inPrivate}, Installs: []install{byGuild, byUser},
	}
}

func opensActivity(c Command) bool { return c.Type == entryPoint }

// Frame returns the origin from which Discord serves the frame, which contains the
// application's id, and the pages that may embed it.
func (a *activity) Frame() bot.Frame {
	app := a.app.Load()
	if app == nil || !a.hasActivity() {
		return bot.Frame{}
	}
	f := bot.Frame{Application: string(app.ID), Origin: "https://" + string(app.ID) + ".discordsays.com", Pictures: []string{"https://cdn.discordapp.com/avatars/"}}
	for _, site := range []string{"discord.com", "discordapp.com"} {
		for _, edition := range []string{"", "ptb.", "canary."} {
			f.Within = append(f.Within, "https://"+edition+site)
		}
	}
	return f
}

// Patterns for values sent to Discord, which go into a path or cost a request. Lengths are
// checked separately, because a pattern that counts them would slow down the start.
var (
	instanceID = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	accessCode = regexp.MustCompile(`^[!-~]+$`)
)

func isInstance(id string) bool { return len(id) <= 128 && instanceID.MatchString(id) }
func isAccess(code string) bool { return len(code) <= 512 && accessCode.MatchString(code) }

// channelOfInstance matches the channel at the end of an instance's id.
var channelOfInstance = regexp.MustCompile(`-([0-9]{15,20})$`)

// Open returns the user for whom Discord's proxy vouches, or an error unless the instance
// exists. Before it queries Discord it calls ask for permission, except for an instance
// that we had Discord open. If the instance's id names a channel in which the bot has
// posted, which strangers don't know, the query counts for that channel.
func (a *activity) Open(ctx context.Context, instance string, h bot.Header, ask func(countFor string) error) (vouched bot.PlayerID, err error) {
	app := a.app.Load()
	if app == nil || !a.hasActivity() || !isInstance(instance) {
		return "", bot.ErrNotPresent
	}
	who, err := a.vouchedUser(app, h)
	if err != nil {
		return "", err
	}
	if who != "" {
		vouched = playerID(who)
	}
	return vouched, a.exists(ctx, app, instance, ask)
}

// exists returns an error unless an instance exists; see Open. A crowd causes one query.
func (a *activity) exists(ctx context.Context, app *application, instance string, ask func(countFor string) error) error {
	unlock, err := a.audiences.opening.LockContext(ctx, instance)
	if err != nil {
		return err
	}
	defer unlock()
	switch known := a.audiences.recent(instance, a.Now()); {
	case known == nil:
	case known.absent:
		return bot.ErrNotPresent
	default:
		return nil
	}
	countFor, opened := "", false
	if m := channelOfInstance.FindStringSubmatch(instance); m != nil {
		known, err := a.launches.find(ctx, snowflake(m[1]))
		if err != nil {
			return err
		}
		opened = known.Instance == instance
		posted, err := a.box.HasPosted(ctx, m[1])
		if err != nil {
			return err
		}
		if posted {
			countFor = string(channelID(snowflake(m[1])))
		}
	}
	if !opened {
		if err := ask(countFor); err != nil {
			return err
		}
	}
	_, err = a.lookUpAudience(ctx, app, instance, true)
	return err
}

// Enter returns the user behind a code, if they are in the instance.
func (a *activity) Enter(ctx context.Context, instance, code string, h bot.Header) (bot.Presence, error) {
	app := a.app.Load()
	if app == nil || !a.hasActivity() || !isInstance(instance) || !isAccess(code) {
		return bot.Presence{}, bot.ErrNotPresent
	}
	who, access, err := a.identify(ctx, app, code)
	if err != nil {
		return bot.Presence{}, err
	}
	if err := a.checkStatement(app, h, who.ID); err != nil {
		return bot.Presence{}, err
	}
	// Discord lists a user a moment after their frame has opened.
	var at audience
	for try := range arrivalChecks {
		if try > 0 {
			if err := a.after.sleep(ctx, arrivalWait); err != nil {
				return bot.Presence{}, err
			}
		}
		// An answer of the last seconds may list them already.
		if at, err = a.lookUpAudience(ctx, app, instance, try > 0); err != nil || slices.Contains(at.Users, who.ID) {
			break
		}
	}
	if err != nil {
		return bot.Presence{}, err
	}
	p, err := at.presence(who.ID)
	if err != nil {
		return p, err
	}
	p.User = who.person(a.memberOf(ctx, at.Location.Guild, who.ID))
	p.Locale, p.Access = who.Locale, access
	p.Table, err = a.launches.tableFor(ctx, at.Location.Channel, who.ID)
	return p, err
}

const (
	arrivalChecks = 4 // number of times that a newcomer is looked for
	arrivalWait   = 500 * time.Millisecond
)

// Present returns where a user of the instance is.
func (a *activity) Present(ctx context.Context, instance string, who bot.PlayerID, h bot.Header) (bot.Presence, error) {
	app := a.app.Load()
	id, ours := userID(who)
	if app == nil || !a.hasActivity() || !ours || !isInstance(instance) {
		return bot.Presence{}, bot.ErrNotPresent
	}
	if err := a.checkStatement(app, h, id); err != nil {
		return bot.Presence{}, err
	}
	at, err := a.lookUpAudience(ctx, app, instance, false)
	if err != nil {
		return bot.Presence{}, err
	}
	p, err := at.presence(id)
	p.User.ID = who
	return p, err
}

// identify exchanges a code for a token, and returns its user. The token must have been
// issued to our application with the scope to identify. We don't store it; the user's frame
// gets it.
func (a *activity) identify(ctx context.Context, app *application, code string) (who user, access string, err error) {
	form := url.Values{"client_id": {string(app.ID)}, "client_secret": {a.ClientSecret}, "grant_type": {"authorization_code"}, "code": {code}}
	var token struct {
		Access string `json:"access_token"`
		Type   string `json:"token_type"`
	}
	if err := a.client.open(ctx, "POST", "/oauth2/token", "", form, &token); err != nil {
		if status(err) == http.StatusUnauthorized {
			a.Log.Error("Discord doesn't accept DISCORD_CLIENT_SECRET for this application: copy it from OAuth2 in the developer portal", "error", err)
		}
		return user{}, "", asNotPresent(err)
	}
	if token.Access == "" || !strings.EqualFold(token.Type, "Bearer") {
		return user{}, "", bot.ErrNotPresent
	}
	var given struct {
		Application struct {
			ID snowflake `json:"id"`
		} `json:"application"`
		User *user `json:"user"`
	}
	if err := a.client.open(ctx, "GET", "/oauth2/@me", token.Access, nil, &given); err != nil {
		return user{}, "", asNotPresent(err)
	}
	if given.Application.ID != app.ID {
		return user{}, "", bot.ErrNotPresent
	}
	if err := a.client.open(ctx, "GET", "/users/@me", token.Access, nil, &who); err != nil {
		return user{}, "", asNotPresent(err)
	}
	if !who.ID.valid() || who.Bot || given.User != nil && given.User.ID != who.ID {
		return user{}, "", bot.ErrNotPresent
	}
	return who, token.Access, nil
}

// asNotPresent converts a permanent refusal to bot.ErrNotPresent, and returns other errors
// unchanged.
func asNotPresent(err error) error {
	if isLastingRefusal(err) {
		return bot.ErrNotPresent
	}
	return err
}

// memberOf returns a user as a member of a guild, with their name there, or nil if that
// isn't available.
func (a *activity) memberOf(ctx context.Context, guild, who snowflake) *member {
	if !guild.valid() {
		return nil
	}
	var m member
	if a.client.get(ctx, "/guilds/"+string(guild)+"/members/"+string(who), &m) != nil {
		return nil
	}
	return &m
}

// An audience is Discord's data about an instance: its users and its place.
type audience struct {
	Application snowflake   `json:"application_id"`
	Instance    string      `json:"instance_id"`
	Users       []snowflake `json:"users"`
	Location    struct {
		Kind    string    `json:"kind"`
		Channel snowflake `json:"channel_id"`
		Guild   snowflake `json:"guild_id"`
	} `json:"location"`
}

// Kinds of places with a channel: in a guild, and private, with or without the bot.
const (
	guildChannel   = "gc"
	privateChannel = "pc"
)

// presence returns a user's presence in the audience.
func (g audience) presence(who snowflake) (p bot.Presence, err error) {
	if !slices.Contains(g.Users, who) {
		return p, bot.ErrNotPresent
	}
	p.Channel = channelID(g.Location.Channel)
	for _, id := range g.Users {
		p.Here = append(p.Here, playerID(id))
	}
	if g.Location.Guild != "" {
		p.Home = homeID(g.Location.Guild)
	}
	return p, nil
}

// audiences caches Discord's recent answers about instances.
type audiences struct {
	mu      sync.Mutex
	of      map[string]audienceUpdate
	lookups atomic.Uint64 // number of lookups that began
	opening tasks.Locks   // held by instance while its existence is checked
	asking  tasks.Locks   // held by instance during a lookup
}

// An audienceUpdate is Discord's answer about an instance.
type audienceUpdate struct {
	audience
	absent bool // the instance doesn't exist
	at     time.Time
	lookup uint64 // number of the lookup that returned it
}

// recent returns a recent answer about an instance, or nil if there is none.
func (g *audiences) recent(instance string, now time.Time) *audienceUpdate {
	g.mu.Lock()
	defer g.mu.Unlock()
	h, known := g.of[instance]
	life := staleAudienceLife
	if h.absent {
		life = absentLife
	}
	if age := now.Sub(h.at); !known || age < 0 || age >= life {
		return nil
	}
	return &h
}

// keep caches an answer. If the cache is large, it doesn't keep answers that an instance
// doesn't exist.
func (g *audiences) keep(instance string, h audienceUpdate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of == nil {
		g.of = map[string]audienceUpdate{}
	}
	if len(g.of) >= mostAudiences {
		for id, old := range g.of {
			if h.at.Sub(old.at) >= staleAudienceLife {
				delete(g.of, id)
			}
		}
	}
	if h.absent && len(g.of) >= mostAudiences {
		delete(g.of, instance)
		return
	}
	g.of[instance] = h
}

const (
	// audienceLife limits how long an answer is used; gatheringStale does so while
	// Discord doesn't answer.
	audienceLife      = 10 * time.Second
	staleAudienceLife = time.Minute
	// absentLife limits how long an instance counts as absent after Discord said so: it
	// may start at any moment.
	absentLife = 2 * time.Second
	// mostAudiences is the number of answers above which old ones are removed.
	mostAudiences = 1000
)

// lookUpAudience returns the users of an instance. Unless lookUp is set, the answer may come from the
// cache. Callers who ask at the same time share a lookup that began after they asked.
func (a *activity) lookUpAudience(ctx context.Context, app *application, instance string, lookUp bool) (audience, error) {
	g := &a.audiences
	asked := g.lookups.Load()
	old := g.recent(instance, a.Now())
	known := old != nil && !old.absent && !lookUp
	if known && a.Now().Sub(old.at) < audienceLife {
		return old.audience, nil
	}
	unlock, err := g.asking.LockContext(ctx, instance)
	if err != nil {
		return audience{}, err
	}
	defer unlock()
	now := a.Now()
	if newer := g.recent(instance, now); newer != nil && newer.lookup > asked {
		if newer.absent {
			return audience{}, bot.ErrNotPresent
		}
		return newer.audience, nil
	}
	lookup := g.lookups.Add(1)
	b, err := a.client.call(ctx, "GET", "/applications/"+string(app.ID)+"/activity-instances/"+instance, nil)
	switch {
	case status(err) == http.StatusNotFound, status(err) == http.StatusBadRequest:
		g.keep(instance, audienceUpdate{absent: true, at: now, lookup: lookup})
		return audience{}, bot.ErrNotPresent
	case err != nil && known:
		return old.audience, nil
	case err != nil:
		return audience{}, fmt.Errorf("ask who is in the Activity: %w", err)
	}
	fresh := audienceUpdate{at: now, lookup: lookup}
	if err := json.Unmarshal(b, &fresh.audience); err != nil {
		return audience{}, fmt.Errorf("read who is in the Activity: %w", err)
	}
	l := fresh.Location
	if fresh.Application != app.ID || fresh.Instance != instance || !l.Channel.valid() || l.Kind != guildChannel && l.Kind != privateChannel || l.Guild != "" && !l.Guild.valid() {
		return audience{}, bot.ErrNotPresent
	}
	g.keep(instance, fresh)
	return fresh.audience, nil
}

// Headers with the proxy's statement about the sender, which not all requests have yet.
const (
	proxySignature = "X-Signature-Ed25519"
	proxyTimestamp = "X-Signature-Timestamp"
	proxyPayload   = "X-Discord-Proxy-Payload"
)

// checkStatement compares the proxy's signed statement, if there is one, with the user. This is an
// additional check, never the only one: the signature covers neither address nor body, so
// an eavesdropper could reuse it.
func (a *activity) checkStatement(app *application, h bot.Header, who snowflake) error {
	vouched, err := a.vouchedUser(app, h)
	if err == nil && vouched != "" && vouched != who {
		return bot.ErrNotPresent
	}
	return err
}

// vouchedUser returns the user named in the proxy's signed statement, or "" if there is no
// statement.
func (a *activity) vouchedUser(app *application, h bot.Header) (snowflake, error) {
	signature, timestamp, payload := h.Get(proxySignature), h.Get(proxyTimestamp), h.Get(proxyPayload)
	if signature == "" && timestamp == "" && payload == "" {
		return "", nil
	}
	key, err := hex.DecodeString(app.VerifyKey)
	if err != nil || len(key) != ed25519.PublicKeySize {
		key = a.key
	}
	body, err := base64.StdEncoding.DecodeString(payload)
	if err != nil {
		return "", bot.ErrNotPresent
	}
	sig, err := base64.StdEncoding.DecodeString(signature)
	if err != nil || len(sig) != ed25519.SignatureSize {
		sig, err = hex.DecodeString(signature) // Discord's samples disagree about the encoding
	}
	if err != nil || len(key) != ed25519.PublicKeySize || !ed25519.Verify(key, body, sig) {
		return "", bot.ErrNotPresent
	}
	var says struct {
		Application snowflake   `json:"application_id"`
		User        snowflake   `json:"user_id"`
		Created     json.Number `json:"created_at"` // in seconds since 1970
		Expires     json.Number `json:"expires_at"`
	}
	if err := json.Unmarshal(body, &says); err != nil {
		return "", bot.ErrNotPresent
	}
	created, err1 := says.Created.Int64()
	expires, err2 := says.Expires.Int64()
	now := a.Now()
	if errors.Join(err1, err2) != nil || says.Created.String() != timestamp || says.Application != app.ID || !says.User.valid() ||
		time.Unix(created, 0).After(now.Add(maxAge)) || !now.Before(time.Unix(expires, 0)) {
		return "", bot.ErrNotPresent
	}
	return says.User, nil
}

// maxOpen is the largest answer, in bytes; Discord's are much smaller.
const maxOpen = 1 << 20

// open sends a request without the bot's token: with a user's token, or with a form that
// contains its own credentials. in is nil, a form or JSON. The usual rate limits apply.
func (c *client) open(ctx context.Context, method, path, token string, in any, out any) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	r := request{method: method, path: path}
	var body io.Reader
	kind := ""
	switch in := in.(type) {
	case url.Values:
		body, kind = strings.NewReader(in.Encode()), "application/x-www-form-urlencoded"
	case jsonBody:
		body, kind = bytes.NewReader(in), "application/json"
	}
	req, err := http.NewRequestWithContext(ctx, method, c.api+path, body)
	if err != nil {
		return r.wrapError(err)
	}
	req.Header.Set("User-Agent", c.session.UserAgent)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := c.session.Client.Do(req)
	if err != nil {
		return r.wrapError(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(io.LimitReader(answer.Body, maxOpen))
	if err != nil {
		return r.wrapError(err)
	}
	if answer.StatusCode/100 != 2 {
		var no struct {
			Message string `json:"message"`
			Error   string `json:"error"`
		}
		json.Unmarshal(said, &no) // anything but JSON is ignored
		return &apiError{request: method + " " + path, status: answer.StatusCode, message: no.Message + no.Error}
	}
	return json.NewDecoder(bytes.NewReader(said)).Decode(out)
}

// A jsonBody is a body to send as JSON.
type jsonBody []byte
