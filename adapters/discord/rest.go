package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// This file sends requests through discordgo's generic methods. Its specific ones lack a
// nonce for messages and a description for pictures. They also have their own limits,
// which don't end with a request's context (ours are in limits.go), and their errors show
// URLs with the tokens by which anyone could answer for us.

// version is the version of the API and of the gateway.
const version = "10"

// A client sends requests to Discord.
type client struct {
	api     string // server and version
	token   string
	session *discordgo.Session
	limits  *limits
	after   timer
}

func newClient(server *url.URL, token string, now func() time.Time, held func(time.Duration)) (*client, error) {
	session, err := discordgo.New(token)
	if err != nil {
		return nil, fmt.Errorf("start discordgo: %w", err)
	}
	const silent = -1 // below its lowest level: errors are returned to us and logged once
	session.LogLevel = silent
	l := &limits{now: now, held: held, next: http.DefaultTransport}
	session.Client = &http.Client{Timeout: 30 * time.Second, Transport: l}
	return &client{api: server.Scheme + "://" + server.Host + "/api/v" + version, token: token, session: session, limits: l, after: time.After}, nil
}

// A request is a request to Discord's API.
type request struct {
	method, path string
	body         any
	files        []file
}

// do sends a request once, without discordgo's retries, and returns the body of the answer.
func (c *client) do(ctx context.Context, r request) ([]byte, error) {
	contentType, body, err := encode(r.body, r.files)
	if err != nil {
		return nil, err
	}
	// discordgo's limiter sleeps, and keeps a bucket for each interaction (its issue 1333),
	// so each request gets its own.
	bucket := discordgo.NewRatelimiter().LockBucket("")
	answer, err := c.session.RequestWithLockedBucket(r.method, c.api+r.path, contentType, body, bucket, 0,
		discordgo.WithContext(ctx), discordgo.WithRetryOnRatelimit(false), discordgo.WithRestRetries(0))
	if err != nil {
		return nil, r.wrapError(err)
	}
	return answer, nil
}

// wrapError converts a request's error. Those of net/http and discordgo show the whole
// address, including an interaction's token.
func (r request) wrapError(err error) error {
	e := &apiError{request: r.method + " " + r.pathForLogs(), byToken: r.isByToken()}
	var limited *discordgo.RateLimitError
	var refused *discordgo.RESTError
	var about *url.Error
	switch {
	case errors.As(err, &limited):
		e.status, e.message, e.wait = http.StatusTooManyRequests, limited.Message, limited.RetryAfter
	case errors.As(err, &refused):
		e.status = refused.Response.StatusCode
		if refused.Message != nil {
			e.code, e.message = refused.Message.Code, refused.Message.Message
		}
	case errors.As(err, &about):
		return fmt.Errorf("%s: %w", e.request, about.Err)
	default:
		return fmt.Errorf("%s: %w", e.request, err)
	}
	return e
}

// pathForLogs returns the path without an interaction's token, for logs.
func (r request) pathForLogs() string {
	path, _, _ := strings.Cut(r.path, "?")
	parts := strings.Split(path, "/")
	if len(parts) > 3 && (parts[1] == "interactions" || parts[1] == "webhooks") {
		parts[3] = "…"
	}
	return strings.Join(parts, "/")
}

// isCallback reports whether a request is the first response to an interaction.
func (r request) isCallback() bool {
	path, _, _ := strings.Cut(r.path, "?")
	return strings.HasSuffix(path, "/callback")
}

// isByToken reports whether a request is authorized by an interaction's token rather than
// the bot's.
func (r request) isByToken() bool {
	return strings.HasPrefix(r.path, "/interactions/") || strings.HasPrefix(r.path, "/webhooks/")
}

// An apiError is an error response of Discord.
type apiError struct {
	request string // "POST /channels/1/messages"
	byToken bool   // authorized by an interaction's token
	status  int
	code    int // Discord's code, 0 if there was none
	message string
	wait    time.Duration // wait that Discord demands with 429
}

func (e *apiError) Error() string {
	return fmt.Sprintf("%s: %d, code %d: %s", e.request, e.status, e.code, e.message)
}

// encode encodes a body as JSON, with files if there are any.
func encode(body any, files []file) (contentType string, b []byte, err error) {
	if body == nil {
		return "", nil, nil
	}
	if len(files) == 0 {
		b, err = json.Marshal(body)
		return "application/json", b, err
	}
	var parts []*discordgo.File
	for _, f := range files {
		parts = append(parts, &discordgo.File{Name: f.name, ContentType: f.contentType, Reader: bytes.NewReader(f.data)})
	}
	return discordgo.MultipartBodyWithJSON(body, parts)
}

// call sends JSON and returns the body of the answer.
func (c *client) call(ctx context.Context, method, path string, body any) ([]byte, error) {
	return c.do(ctx, request{method: method, path: path, body: body})
}

// get requests a path and decodes the answer.
func (c *client) get(ctx context.Context, path string, into any) error {
	b, err := c.call(ctx, "GET", path, nil)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		return diagnose(err)
	}
	return nil
}

// create posts a message in a channel. If a thread has been archived, it wakes the thread.
func (c *client) create(ctx context.Context, channel snowflake, p payload) (made created, err error) {
	post := request{method: "POST", path: messagesPath(channel), body: p, files: p.files}
	b, err := c.do(ctx, post)
	if code(err) == archivedThread {
		if err = c.wake(ctx, channel); err == nil {
			b, err = c.do(ctx, post)
		}
	}
	if err != nil {
		return made, err
	}
	return parseCreated(b)
}

// A created is Discord's answer to a new message.
type created struct {
	ID          snowflake         `json:"id"`
	Components  []json.RawMessage `json:"components"`
	Attachments []json.RawMessage `json:"attachments"`
}

func parseCreated(answer []byte) (made created, err error) {
	if err := json.Unmarshal(answer, &made); err != nil || !made.ID.valid() {
		return created{}, errors.New("in Discord's answer to a new message, the id is missing")
	}
	return made, nil
}

// hasMoreThan reports whether the message has a picture or buttons that the sent one lacks.
// Then it is an earlier version, posted before the program was killed.
func (c created) hasMoreThan(sent payload) bool {
	return len(c.Attachments) > len(sent.files) || len(c.Components) > len(sent.Components)
}

// Paths of requests.

func channelPath(channel snowflake) string  { return "/channels/" + string(channel) }
func messagesPath(channel snowflake) string { return channelPath(channel) + "/messages" }
func messagePath(channel, message snowflake) string {
	return messagesPath(channel) + "/" + string(message)
}
func webhookPath(i *interaction) string {
	return "/webhooks/" + string(i.ApplicationID) + "/" + i.Token
}
func callbackPath(i *interaction) string {
	return "/interactions/" + string(i.ID) + "/" + i.Token + "/callback"
}

// Discord's error codes that matter here.
const (
	unknownChannel     = 10003
	unknownMessage     = 10008
	unknownWebhook     = 10015
	unknownInteraction = 10062
	tooLarge           = 40005
	tooManyPins        = 30003
	alreadyAnswered    = 40060
	tooManyFollowUps   = 40094
	missingAccess      = 50001
	closedDM           = 50007
	missingPermissions = 50013
	deadToken          = 50027
	invalidForm        = 50035
	archivedThread     = 50083
	noMutualGuild      = 50278
	threadThere        = 160004
	lockedThread       = 160005
	tooManyThreads     = 160006
	blockedByAutoMod   = 200000
	blockedByFilter    = 240000
)

// code returns Discord's code for an error, or 0 for an error of another kind.
func code(err error) int {
	var refused *apiError
	if errors.As(err, &refused) {
		return refused.code
	}
	return 0
}

// status returns the HTTP status of an error, or 0 if there was no answer.
func status(err error) int {
	var refused *apiError
	if errors.As(err, &refused) {
		return refused.status
	}
	return 0
}

// retryAfter returns how long Discord asks us to wait, or 0 if it doesn't.
func retryAfter(err error) time.Duration {
	var refused *apiError
	var unsent *notSent
	switch {
	case errors.As(err, &refused):
		return refused.wait
	case errors.As(err, &unsent):
		return unsent.wait
	}
	return 0
}

// isLastingRefusal reports whether the same request would be refused again: Discord
// understood it and refused it.
func isLastingRefusal(err error) bool {
	s := status(err)
	return s >= 400 && s < 500 && s != http.StatusTooManyRequests && s != http.StatusRequestTimeout
}

// isTokenExpired reports whether a request was refused because its interaction's token is used
// up or has expired.
func isTokenExpired(err error) bool {
	var refused *apiError
	if !errors.As(err, &refused) || !refused.byToken {
		return false
	}
	switch refused.code {
	case deadToken, unknownWebhook, unknownInteraction, tooManyFollowUps:
		return true
	}
	return refused.status == http.StatusUnauthorized
}

// isUnfit reports whether Discord refused the content of a message, so that a simpler
// message may be accepted.
func isUnfit(err error) bool {
	switch code(err) {
	case invalidForm, tooLarge, blockedByAutoMod, blockedByFilter:
		return true
	case 0:
		s := status(err)
		return s == http.StatusBadRequest || s == http.StatusRequestEntityTooLarge
	}
	return false
}

// Errors that only the operator can fix.
var (
	errToken   = errors.New("the token isn't accepted by Discord: in the developer portal open your application, Bot, Reset Token, and put the new token into DISCORD_TOKEN")
	errIntents = errors.New("the gateway's intents are refused, although none of them needs approval: update this program to its newest version")
	errShards  = errors.New("the number of shards is refused: leave --discord-shards out, or give it more of them")
)

// needsOperator reports whether only the operator can fix an error, so that a retry is useless.
func needsOperator(err error) bool {
	return errors.Is(err, errToken) || errors.Is(err, errIntents) || errors.Is(err, errShards)
}

// diagnose converts an error of a bot request or of the gateway to instructions for the
// operator, if only they can fix it. The numbers are close codes of the gateway.
func diagnose(err error) error {
	var closed *websocket.CloseError
	switch {
	case status(err) == http.StatusUnauthorized && !isTokenExpired(err):
		return errToken
	case !errors.As(err, &closed):
		return err
	case closed.Code == 4004:
		return errToken
	case closed.Code == 4010, closed.Code == 4011:
		return errShards
	case closed.Code == 4013, closed.Code == 4014:
		return errIntents
	}
	return fmt.Errorf("the gateway closed the connection: %w", err)
}

// An application is our application as Discord describes it.
type application struct {
	ID   snowflake `json:"id"`
	Name string    `json:"name"`
	// Flags contains, among others, the intents granted to the application: see
	// "Application Flags" in Discord's documentation.
	Flags int `json:"flags"`
	// VerifyKey is the public key of Discord's signatures for us, in hex.
	VerifyKey string `json:"verify_key"`
}

// tellsOfMembers reports whether Discord reports members who leave a server: the "Server
// Members Intent" is enabled, with or without Discord's review.
func (a application) tellsOfMembers() bool { return a.Flags&(1<<14|1<<15) != 0 }

// application returns our application. Servers with Discord's API but without applications
// return the bot, whose id is the same.
func (c *client) application(ctx context.Context) (app application, err error) {
	b, err := c.call(ctx, "GET", "/applications/@me", nil)
	if status(err) == http.StatusNotFound {
		b, err = c.call(ctx, "GET", "/users/@me", nil)
	}
	if err != nil {
		return app, diagnose(err)
	}
	if err := json.Unmarshal(b, &app); err != nil {
		return app, fmt.Errorf("read Discord's answer about the application: %w", err)
	}
	if !app.ID.valid() {
		return app, errors.New("in Discord's answer about the application, the id is missing")
	}
	return app, nil
}
