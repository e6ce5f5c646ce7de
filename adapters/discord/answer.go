package discord

import (
	"context"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A response is the first response to an interaction.
type response struct {
	Type  responseType `json:"type"`
	Data  any          `json:"data,omitempty"`
	files []file
}

type responseType int

const (
	pong           responseType = 1
	newMessage     responseType = 4
	deferred       responseType = 5 // a new message follows
	deferredUpdate responseType = 6 // the message is updated later
	update         responseType = 7 // replaces the message with the component
	completions    responseType = 8
	openForm       responseType = 9
)

// A responder sends the first response to an interaction: in a request of its own, or as
// the answer to the HTTP request with the interaction.
type responder func(ctx context.Context, r response) error

const (
	// patience is the host's time limit before the answer is deferred. Discord waits for 3
	// seconds.
	patience = 1500 * time.Millisecond
	// lateResponse is the time after which a first response is too late.
	lateResponse = 3 * time.Second
	// tokenLife limits how long an interaction's token is used; it is valid for 15
	// minutes.
	tokenLife = 14 * time.Minute
	// requestTime is the time limit for one request.
	requestTime = 10 * time.Second
)

// answer runs work and brings its reply to the person in time: if work takes longer than
// patience, the answer is deferred. A button under a private answer changes that answer;
// everything else gets a new one. Both are private, which a deferral must declare.
func (in *inbox) answer(ctx context.Context, i *interaction, first responder, work func(context.Context) bot.Reply) error {
	inPlace := i.Type == componentUsed && i.Message.private()
	made := make(chan bot.Reply, 1)
	go func() { made <- work(ctx) }()

	late := in.after(tokenLife)
	select {
	case reply := <-made:
		return first(ctx, in.immediate(ctx, i, reply, inPlace))
	case <-in.after(patience):
	}
	if err := first(ctx, deferResponse(inPlace)); err != nil {
		<-made
		return err
	}
	select {
	case reply := <-made:
		if inPlace && keepsMessage(reply) {
			return in.followUp(ctx, i, in.composer.private(reply, in.reader(ctx, i)))
		}
		if i.answered && !inPlace && i.laysOut(in.Host.Commands(), reply) {
			reply.Picture, reply.Files = nil, nil // the first response, sent before a crash, may be laid out, and an edit can't change that
		}
		return in.edit(ctx, i, in.private(ctx, i, reply, inPlace).followUp(inPlace))
	case <-late:
		return fmt.Errorf("the host took longer than %s", tokenLife)
	}
}

// immediate returns a reply as the first response. A refusal doesn't replace the message
// that the person was looking at.
func (in *inbox) immediate(ctx context.Context, i *interaction, reply bot.Reply, inPlace bool) response {
	if inPlace && !keepsMessage(reply) {
		p := in.private(ctx, i, reply, true)
		p.Flags = 0 // it is private already
		return response{update, p, p.files}
	}
	p := in.private(ctx, i, reply, false)
	return response{newMessage, p, p.files}
}

// private returns a reply that only the person sees. If it replaces the message they
// pressed on, it has the same layout.
func (in *inbox) private(ctx context.Context, i *interaction, reply bot.Reply, inPlace bool) payload {
	p := in.composer.private(reply, in.reader(ctx, i))
	if inPlace && i.Message.laidOut() || !inPlace && i.laysOut(in.Host.Commands(), reply) {
		p.layOut(p.said)
	}
	return p
}

// followUp returns an answer that comes after the first response, using the token. According to
// Discord, a new message with files can't be laid out there.
func (p payload) followUp(inPlace bool) payload {
	if len(p.files) > 0 && !inPlace {
		p.blocks = nil
	}
	return p
}

// keepsMessage reports whether an answer leaves the message that the person was looking at:
// a refusal, or an answer with nothing but links.
func keepsMessage(r bot.Reply) bool {
	away := len(r.Buttons) > 0
	for _, b := range r.Buttons {
		away = away && b.Link != ""
	}
	return r.Refused || away && r.Picture == nil && !r.Rack
}

// reader returns a function that returns the language of the person who caused an
// interaction.
func (in *inbox) reader(ctx context.Context, i *interaction) func() *text.Locale {
	return func() *text.Locale { return in.locale(context.WithoutCancel(ctx), i) }
}

func deferResponse(inPlace bool) response {
	if inPlace {
		return response{Type: deferredUpdate}
	}
	return response{Type: deferred, Data: map[string]int{"flags": ephemeral}}
}

// edit changes the first response, or completes a deferred one.
func (in *inbox) edit(ctx context.Context, i *interaction, p payload) error {
	p.Flags, p.edits = 0, true
	_, err := in.client.sendByToken(ctx, request{method: "PATCH", path: webhookPath(i) + "/messages/@original", body: p, files: p.files})
	return err
}

// followUp sends another answer.
func (in *inbox) followUp(ctx context.Context, i *interaction, p payload) error {
	_, err := in.client.sendByToken(ctx, request{method: "POST", path: webhookPath(i), body: p, files: p.files})
	return err
}

// callback returns a responder that sends a request, for interactions from the gateway. If
// an earlier try has already responded, perhaps only by deferring the answer before the
// program was killed, the answer replaces that response.
func (in *inbox) callback(i *interaction) responder {
	return func(ctx context.Context, r response) error {
		post := request{method: "POST", path: callbackPath(i), body: r, files: r.files}
		if r.Type == launchActivity {
			post.path += "?with_response=true"
		}
		answer, err := in.client.sendByToken(ctx, post)
		p, isMessage := r.Data.(payload)
		switch {
		case err == nil && r.Type == launchActivity:
			if instance := launchInstance(answer); instance != "" {
				if err := in.launches.recordInstance(context.WithoutCancel(ctx), i.Channel, instance); err != nil {
					in.Log.Error("can't record an opened Activity", "channel", i.Channel, "error", err)
				}
			}
			return nil
		case code(err) != alreadyAnswered:
			return err
		case !isMessage:
			i.answered = true
			return nil
		case i.Type == componentUsed && i.Message.private() && r.Type == newMessage:
			return in.followUp(ctx, i, p) // a refusal leaves the message that the person was looking at
		}
		return in.edit(ctx, i, p)
	}
}

// mostTries limits the tries of a request with an interaction's token.
const mostTries = 5

// sendByToken sends a request with an interaction's token until it succeeds or is refused for
// good. It retries a 404 too: an edit can overtake the response that it edits.
func (c *client) sendByToken(ctx context.Context, r request) ([]byte, error) {
	for try := range mostTries {
		// The person gets an answer even while the host shuts down.
		once, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTime)
		answer, err := c.do(once, r)
		cancel()
		overtook := code(err) == unknownWebhook || code(err) == unknownMessage
		if err == nil || isLastingRefusal(err) && !overtook || try == mostTries-1 {
			return answer, err
		}
		if wait := retryAfter(err); wait > tokenLife || wait > lateResponse && r.isCallback() {
			return nil, err // the token expires before
		}
		if c.after.sleep(ctx, max(retryAfter(err), 100*time.Millisecond<<try)) != nil {
			return nil, err
		}
	}
	panic("unreachable")
}
