package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// This file sends requests by discordgo's own methods, one level below those
// that it has for each purpose, for three reasons: it has no nonce and no
// description of an attachment; it sleeps through a rate limit, which a
// request with a deadline had better hear of; and it keeps one bucket per
// interaction for ever (its issue 1333).

// call sends JSON and returns the answer's.
func (a *Adapter) call(ctx context.Context, method, url string, body any) ([]byte, error) {
	var b []byte
	if body != nil {
		var err error
		if b, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	return a.session.RequestRaw(method, url, "application/json", b, "", 0, once(ctx)...)
}

// send sends a message, with its files where it has some. bucket names the
// rate limit that the request falls under: those of one channel are one.
func (a *Adapter) send(ctx context.Context, method, url, bucket string, p payload) ([]byte, error) {
	return a.request(ctx, method, url, bucket, p, p.files)
}

func (a *Adapter) request(ctx context.Context, method, url, bucket string, body any, files []file) ([]byte, error) {
	contentType, b, err := encode(body, files)
	if err != nil {
		return nil, err
	}
	return a.session.RequestRaw(method, url, contentType, b, bucket, 0, once(ctx)...)
}

// sendByToken sends what an interaction's token allows. That is not bound by
// the bot's limits, so it gets a limiter of its own, which goes away with it.
func (a *Adapter) sendByToken(ctx context.Context, method, url string, body any, files []file) error {
	contentType, b, err := encode(body, files)
	if err != nil {
		return err
	}
	bucket := discordgo.NewRatelimiter().LockBucket("")
	_, err = a.session.RequestWithLockedBucket(method, url, contentType, b, bucket, 0, once(ctx)...)
	return err
}

// once are the options of a request that is not repeated behind our back.
func once(ctx context.Context) []discordgo.RequestOption {
	return []discordgo.RequestOption{discordgo.WithContext(ctx), discordgo.WithRetryOnRatelimit(false), discordgo.WithRestRetries(0)}
}

func encode(body any, files []file) (contentType string, b []byte, err error) {
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

// Discord's error codes that decide what happens next.
const (
	unknownMessage     = 10008
	unknownWebhook     = 10015
	alreadyAnswered    = 40060
	missingAccess      = 50001
	closedDM           = 50007
	missingPermissions = 50013
	archivedThread     = 50083
	noMutualGuild      = 50278
	threadThere        = 160004
	tooManyThreads     = 160006
)

// code is Discord's code of an error, 0 when it gave none.
func code(err error) int {
	var rest *discordgo.RESTError
	if errors.As(err, &rest) && rest.Message != nil {
		return rest.Message.Code
	}
	return 0
}

// status is the HTTP status of an error, 0 when there was no answer.
func status(err error) int {
	var rest *discordgo.RESTError
	var limited *discordgo.RateLimitError
	switch {
	case errors.As(err, &rest):
		return rest.Response.StatusCode
	case errors.As(err, &limited):
		return http.StatusTooManyRequests
	}
	return 0
}

// retryAfter is how long Discord asks us to wait, 0 when it doesn't.
func retryAfter(err error) time.Duration {
	var limited *discordgo.RateLimitError
	var refused *tooManyRefusals
	switch {
	case errors.As(err, &limited):
		return limited.RetryAfter
	case errors.As(err, &refused):
		return refused.wait
	}
	return 0
}

// refusedForGood reports whether the same request would be refused again:
// Discord understood it and said no.
func refusedForGood(err error) bool {
	s := status(err)
	return s >= 400 && s < 500 && s != http.StatusTooManyRequests && s != http.StatusRequestTimeout
}

// What only the operator can mend.
var (
	errToken   = errors.New("the token is not accepted by Discord: in the developer portal open your application, Bot, Reset Token, and put the new token into DISCORD_TOKEN")
	errIntents = errors.New("the gateway's intents are refused, though none is asked for that needs approval: is this the newest version of the program?")
	errShards  = errors.New("the number of shards is refused: leave --discord-shards out, or give it more of them")
)

// hopeless reports whether only the operator can mend an error, so that trying
// again is of no use.
func hopeless(err error) bool {
	return errors.Is(err, errToken) || errors.Is(err, errIntents) || errors.Is(err, errShards)
}

// diagnosed is an error of a request of the bot's, or of the gateway, in words
// for the operator where only they can mend it. The numbers are the close
// codes of the gateway.
func diagnosed(err error) error {
	var closed *websocket.CloseError
	switch {
	case status(err) == http.StatusUnauthorized:
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

// An application is ourselves, as Discord sees us.
type application struct {
	ID   snowflake `json:"id"`
	Name string    `json:"name"`
	// Flags say, among more, which intents the application has been granted:
	// see "Application Flags" in Discord's documentation.
	Flags int `json:"flags"`
}

// tellsOfMembers reports whether Discord tells who leaves a server: somebody
// has switched on "Server Members Intent", with or without Discord's review.
func (a application) tellsOfMembers() bool { return a.Flags&(1<<14|1<<15) != 0 }

// application asks who we are. Servers that speak Discord's API but have no
// applications know the bot, whose id is the same.
func (a *Adapter) application(ctx context.Context) (app application, err error) {
	b, err := a.call(ctx, "GET", discordgo.EndpointApplication("@me"), nil)
	if status(err) == http.StatusNotFound {
		b, err = a.call(ctx, "GET", discordgo.EndpointUser("@me"), nil)
	}
	if err != nil {
		return app, diagnosed(err)
	}
	if err := json.Unmarshal(b, &app); err != nil || !app.ID.valid() {
		return app, fmt.Errorf("read the application: Discord's answer makes no sense: %w", err)
	}
	return app, nil
}
