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
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file is the Activity: the board that Discord's client shows in a frame,
// through a proxy of Discord's. What the frame tells can be made up, so Discord is
// asked: whom a code stands for, which application it was given to, and who is in an
// instance, and where. The web room has the page.

// launchActivity is the response that opens the frame.
const launchActivity responseType = 12

// answeredByUs is the manner of an entry point: it sends us an interaction. With the
// other Discord opens the frame itself.
const answeredByUs = 1

// entryName is what the entry point is called where there is none yet: Discord's own
// word.
const entryName = "launch"

// An activity answers for those who are in the Activity. It is a [bot.Activity].
type activity struct {
	*common
	box        *outbox.Outbox
	launches   launches
	key        ed25519.PublicKey           // the endpoint's, nil where there is none
	app        atomic.Pointer[application] // ourselves, once Discord has said
	gatherings gatherings
}

// hasActivity reports whether the operator has switched the Activity on.
func (c *common) hasActivity() bool { return c.ClientSecret != "" }

// entry is the entry point where Discord has none yet.
func (in localizer) entry() Command {
	help := text.Say("Open the board to play on")
	return Command{
		Type: entryPoint, Name: entryName, Handler: answeredByUs,
		Description: help.String(), DescriptionLocalizations: in.text(help),
		Contexts: []place{inGuild, inBotDM, inPrivate}, Installs: []install{byGuild, byUser},
	}
}

func opensActivity(c Command) bool { return c.Type == entryPoint }

// Frame is where Discord serves the frame: a name made of the application's id, on
// pages of its own.
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

// What is asked of Discord goes into a path or costs a request, so nothing is that
// can't be right. A pattern that counts so far is compiled for longer than much of the rest
// of a start takes, so lengths are looked at beside.
var (
	instanceID = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	accessCode = regexp.MustCompile(`^[!-~]+$`)
)

func isInstance(id string) bool { return len(id) <= 128 && instanceID.MatchString(id) }
func isAccess(code string) bool { return len(code) <= 512 && accessCode.MatchString(code) }

// channelOfInstance is the channel that the id of an instance ends with.
var channelOfInstance = regexp.MustCompile(`-([0-9]{15,20})$`)

// Open reports by its error whether there is an instance. One that we had Discord open is
// counted for nobody. Where it names a channel in which the bot has posted, which
// strangers don't know, it is counted for that.
func (a *activity) Open(ctx context.Context, instance string, ask func(countFor string) error) error {
	app := a.app.Load()
	if app == nil || !a.hasActivity() || !isInstance(instance) {
		return bot.ErrNotPresent
	}
	switch known := a.gatherings.lately(instance, a.Now()); {
	case known == nil:
	case known.absent:
		return bot.ErrNotPresent
	default:
		return nil
	}
	countFor, opened := "", false
	if m := channelOfInstance.FindStringSubmatch(instance); m != nil {
		known, err := a.launches.of(ctx, snowflake(m[1]))
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
	_, err := a.gathering(ctx, app, instance, true)
	return err
}

// Enter says whom a code stands for, if they are in the instance.
func (a *activity) Enter(ctx context.Context, instance, code string, h bot.Header) (bot.Presence, error) {
	app := a.app.Load()
	if app == nil || !a.hasActivity() || !isInstance(instance) || !isAccess(code) {
		return bot.Presence{}, bot.ErrNotPresent
	}
	who, access, err := a.identify(ctx, app, code)
	if err != nil {
		return bot.Presence{}, err
	}
	if err := a.vouches(app, h, who.ID); err != nil {
		return bot.Presence{}, err
	}
	// Discord lists somebody a moment after their frame is open.
	var at gathering
	for try := range arrivals {
		if try > 0 {
			if err := a.after.sleep(ctx, arrivalTime); err != nil {
				return bot.Presence{}, err
			}
		}
		if at, err = a.gathering(ctx, app, instance, true); err != nil || slices.Contains(at.Users, who.ID) {
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
	p.Table, err = a.launches.meantBy(ctx, at.Location.Channel, who.ID)
	return p, err
}

const (
	arrivals    = 4 // how often a newcomer is looked for
	arrivalTime = 500 * time.Millisecond
)

// Present says where somebody is who is in the instance.
func (a *activity) Present(ctx context.Context, instance string, who bot.PlayerID, h bot.Header) (bot.Presence, error) {
	app := a.app.Load()
	id, ours := userID(who)
	if app == nil || !a.hasActivity() || !ours || !isInstance(instance) {
		return bot.Presence{}, bot.ErrNotPresent
	}
	if err := a.vouches(app, h, id); err != nil {
		return bot.Presence{}, err
	}
	at, err := a.gathering(ctx, app, instance, false)
	if err != nil {
		return bot.Presence{}, err
	}
	p, err := at.presence(id)
	p.User.ID = who
	return p, err
}

// identify exchanges a code for a token, and asks who that is. The token must be one that
// was given to our application, for the purpose of saying that. We keep it nowhere; the
// frame of the person gets it.
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
		return user{}, "", notPresent(err)
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
		return user{}, "", notPresent(err)
	}
	if given.Application.ID != app.ID {
		return user{}, "", bot.ErrNotPresent
	}
	if err := a.client.open(ctx, "GET", "/users/@me", token.Access, nil, &who); err != nil {
		return user{}, "", notPresent(err)
	}
	if !who.ID.valid() || who.Bot || given.User != nil && given.User.ID != who.ID {
		return user{}, "", bot.ErrNotPresent
	}
	return who, token.Access, nil
}

// notPresent is what a refusal of Discord's means here. Other errors pass.
func notPresent(err error) error {
	if refusedForGood(err) {
		return bot.ErrNotPresent
	}
	return err
}

// memberOf is somebody in a guild, by the name that they have there; nil where that
// can't be known.
func (a *activity) memberOf(ctx context.Context, guild, who snowflake) *member {
	if !guild.valid() {
		return nil
	}
	b, err := a.client.call(ctx, "GET", "/guilds/"+string(guild)+"/members/"+string(who), nil)
	var m member
	if err != nil || json.Unmarshal(b, &m) != nil {
		return nil
	}
	return &m
}

// A gathering is an instance: who is there, and where it is.
type gathering struct {
	Application snowflake   `json:"application_id"`
	Instance    string      `json:"instance_id"`
	Users       []snowflake `json:"users"`
	Location    struct {
		Kind    string    `json:"kind"`
		Channel snowflake `json:"channel_id"`
		Guild   snowflake `json:"guild_id"`
	} `json:"location"`
}

// The kinds of places where there is a channel: in a guild, and of people among
// themselves or with the bot.
const (
	guildChannel   = "gc"
	privateChannel = "pc"
)

// presence is somebody in the gathering.
func (g gathering) presence(who snowflake) (p bot.Presence, err error) {
	if !slices.Contains(g.Users, who) {
		return p, bot.ErrNotPresent
	}
	p.Channel = channelID(g.Location.Channel)
	for _, id := range g.Users {
		p.Here = append(p.Here, bot.PlayerID(Platform+":"+string(id)))
	}
	if g.Location.Guild != "" {
		p.Home = homeID(g.Location.Guild)
	}
	return p, nil
}

// gatherings are what Discord said of instances a short while ago.
type gatherings struct {
	mu sync.Mutex
	of map[string]heard
}

// A heard is an answer of Discord's about an instance.
type heard struct {
	gathering
	absent bool // there is no such instance
	at     time.Time
}

// lately is what was heard of an instance a short while ago, nil where nothing was.
func (g *gatherings) lately(instance string, now time.Time) *heard {
	g.mu.Lock()
	defer g.mu.Unlock()
	h, known := g.of[instance]
	life := gatheringStale
	if h.absent {
		life = absentLife
	}
	if age := now.Sub(h.at); !known || age < 0 || age >= life {
		return nil
	}
	return &h
}

// keep remembers what was heard. Where there is much, that an instance isn't there is
// not worth remembering.
func (g *gatherings) keep(instance string, h heard) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of == nil {
		g.of = map[string]heard{}
	}
	if len(g.of) >= mostGatherings {
		for id, old := range g.of {
			if h.at.Sub(old.at) >= gatheringStale {
				delete(g.of, id)
			}
		}
	}
	if h.absent && len(g.of) >= mostGatherings {
		delete(g.of, instance)
		return
	}
	g.of[instance] = h
}

const (
	// gatheringLife is how long an answer serves, and gatheringStale how long
	// where Discord can't say.
	gatheringLife  = 10 * time.Second
	gatheringStale = time.Minute
	// absentLife is how long one that there is no such instance does: it may come.
	absentLife = 2 * time.Second
	// mostGatherings is how many answers are kept before old ones are looked for.
	mostGatherings = 1000
)

// gathering asks Discord who is in an instance. anew takes no earlier answer.
func (a *activity) gathering(ctx context.Context, app *application, instance string, anew bool) (gathering, error) {
	g, now := &a.gatherings, a.Now()
	old := g.lately(instance, now)
	known := old != nil && !old.absent && !anew
	if known && now.Sub(old.at) < gatheringLife {
		return old.gathering, nil
	}
	b, err := a.client.call(ctx, "GET", "/applications/"+string(app.ID)+"/activity-instances/"+instance, nil)
	switch {
	case status(err) == http.StatusNotFound, status(err) == http.StatusBadRequest:
		g.keep(instance, heard{absent: true, at: now})
		return gathering{}, bot.ErrNotPresent
	case err != nil && known:
		return old.gathering, nil
	case err != nil:
		return gathering{}, fmt.Errorf("ask who is in the Activity: %w", err)
	}
	fresh := heard{at: now}
	if err := json.Unmarshal(b, &fresh.gathering); err != nil {
		return gathering{}, fmt.Errorf("read who is in the Activity: %w", err)
	}
	l := fresh.Location
	if fresh.Application != app.ID || fresh.Instance != instance || !l.Channel.valid() || l.Kind != guildChannel && l.Kind != privateChannel || l.Guild != "" && !l.Guild.valid() {
		return gathering{}, bot.ErrNotPresent
	}
	g.keep(instance, fresh)
	return fresh.gathering, nil
}

// The proxy's word for who sends a request, which not all of them bring yet.
const (
	proxySignature = "X-Signature-Ed25519"
	proxyTimestamp = "X-Signature-Timestamp"
	proxyPayload   = "X-Discord-Proxy-Payload"
)

// vouches holds what the proxy signed, where it did, against who somebody is. It is
// one check more and never the only one: the signature covers no address and no
// body, so that whoever overheard it could send it with something else.
func (a *activity) vouches(app *application, h bot.Header, who snowflake) error {
	signature, timestamp, payload := h.Get(proxySignature), h.Get(proxyTimestamp), h.Get(proxyPayload)
	if signature == "" && timestamp == "" && payload == "" {
		return nil
	}
	key, err := hex.DecodeString(app.VerifyKey)
	if err != nil || len(key) != ed25519.PublicKeySize {
		key = a.key
	}
	body, err := base64.StdEncoding.DecodeString(payload)
	if err != nil {
		return bot.ErrNotPresent
	}
	sig, err := base64.StdEncoding.DecodeString(signature)
	if err != nil || len(sig) != ed25519.SignatureSize {
		sig, err = hex.DecodeString(signature) // Discord's samples disagree
	}
	if err != nil || len(key) != ed25519.PublicKeySize || !ed25519.Verify(key, body, sig) {
		return bot.ErrNotPresent
	}
	var says struct {
		Application snowflake   `json:"application_id"`
		User        snowflake   `json:"user_id"`
		Created     json.Number `json:"created_at"` // seconds since 1970
		Expires     json.Number `json:"expires_at"`
	}
	if err := json.Unmarshal(body, &says); err != nil {
		return bot.ErrNotPresent
	}
	created, err1 := says.Created.Int64()
	expires, err2 := says.Expires.Int64()
	now := a.Now()
	if errors.Join(err1, err2) != nil || says.Created.String() != timestamp || says.Application != app.ID || says.User != who ||
		time.Unix(created, 0).After(now.Add(maxAge)) || !now.Before(time.Unix(expires, 0)) {
		return bot.ErrNotPresent
	}
	return nil
}

// maxOpen is far more than Discord answers there.
const maxOpen = 1 << 20

// open sends a request that isn't the bot's: with a token of somebody's, or a form
// that says for itself who sends it. in is nil, a form or JSON. It passes the same limits as all others.
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
		return r.failed(err)
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
		return r.failed(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(io.LimitReader(answer.Body, maxOpen))
	if err != nil {
		return r.failed(err)
	}
	if answer.StatusCode/100 != 2 {
		var no struct {
			Message string `json:"message"`
			Error   string `json:"error"`
		}
		json.Unmarshal(said, &no) // what isn't JSON says nothing
		return &apiError{request: method + " " + path, status: answer.StatusCode, message: no.Message + no.Error}
	}
	return json.NewDecoder(bytes.NewReader(said)).Decode(out)
}

// A jsonBody is what is sent as JSON.
type jsonBody []byte
