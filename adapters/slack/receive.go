package slack

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// A kind is a kind of payload.
type kind string

const (
	commandGiven kind = "slash_commands"
	interacted   kind = "interactive"
	happened     kind = "events_api"
)

// Slack accepts an acknowledgment within 3 seconds, and drops a form without one ("We had
// some trouble connecting").
const (
	ackTime  = 1100 * time.Millisecond
	workTime = 2 * time.Minute // for the rest
)

// rateLimited is the type of the payload that Slack sends instead of an event after too
// many. https://docs.slack.dev/reference/events/app_rate_limited
const rateLimited = "app_rate_limited"

// An inbox handles people's requests.
type inbox struct {
	*common
	tokens     *tokens
	web        *webAPI
	people     *directory
	out        *poster
	pages      *homePages
	answers    *answers
	forms      *forms
	greeter    *greeter
	links      *unfurler
	seen       cache // recent requests
	keystrokes keystrokes
	early      earlyForms
	phrases    func() *phrasebook
}

func newInbox(c *common, t *tokens, web *webAPI, people *directory, out *poster, pages *homePages, answers *answers, links *unfurler) *inbox {
	return &inbox{
		common: c, tokens: t, web: web, people: people, out: out, pages: pages, answers: answers, links: links,
		forms: &forms{c, people, answers.pictures}, greeter: &greeter{c, web, people, out, pages},
		seen: newCache(c.Now, 10*time.Minute), keystrokes: keystrokes{last: newCache(c.Now, 10*time.Minute)}, early: earlyForms{newCache(c.Now, time.Hour)},
		phrases: sync.OnceValue(func() *phrasebook { return newPhrasebook(c.Locales) }),
	}
}

// receive handles a payload, and returns the content of its acknowledgment: nil, or for a
// submitted form the response. It returns when the request is handled, except for the
// answer. If that takes longer than ackTime, it records the request and returns, because
// Slack doesn't repeat an acknowledged request. The error means that it wasn't a valid
// payload.
func (in *inbox) receive(ctx context.Context, k kind, raw []byte) (ack any, err error) {
	defer func() {
		if r := recover(); r != nil {
			in.Log.Error("request panicked", "kind", k, "panic", r, "stack", string(debug.Stack()))
			ack, err = nil, nil
		}
	}()
	switch k {
	case commandGiven:
		return nil, in.receiveCommand(ctx, raw)
	case interacted:
		return in.receiveInteraction(ctx, raw)
	case happened:
		return nil, in.receiveEvent(ctx, raw)
	}
	return nil, nil
}

// handleOnce handles a payload unless it was handled recently. If this process stops
// before it is done, the next one resumes it.
func (in *inbox) handleOnce(ctx context.Context, k kind, raw []byte, h home, id string, do func(context.Context)) {
	if id == "" || !in.isRepeat(id) {
		in.carryOutRecorded(ctx, ackedRequest{Kind: k, Payload: raw, key: string(h) + "/" + id}, do)
	}
}

func (in *inbox) receiveCommand(ctx context.Context, raw []byte) error {
	c, err := parse(raw, func(c *slashCommand) bool { return c.Command != "" && c.User != "" && c.Channel != "" })
	if err != nil {
		return err
	}
	in.tab.learn(c.App, member{c.home(), c.User}, c.Team)
	in.handleOnce(ctx, commandGiven, raw, c.home(), c.Trigger, func(ctx context.Context) { in.handleCommand(ctx, c) })
	return nil
}

func (in *inbox) receiveInteraction(ctx context.Context, raw []byte) (ack any, err error) {
	i, err := parse(raw, func(i *interaction) bool { return i.Type != "" && i.User.ID != "" })
	if err != nil {
		return nil, err
	}
	i.home = in.installedHome(ctx, i)
	in.tab.learn(i.App, member{i.home, i.User.ID}, i.User.Team)
	take := func(id string, do func(context.Context)) { in.handleOnce(ctx, interacted, raw, i.home, id, do) }
	switch {
	case i.Type == "view_submission":
		return in.handleSubmit(ctx, i, raw), nil
	case i.Type == "block_actions":
		take(i.pressID(), func(ctx context.Context) { in.handlePressed(ctx, i) })
	case i.Type == "message_action" && i.Callback == reportID:
		take(i.Trigger, func(ctx context.Context) { in.report(ctx, i) })
	case (i.Type == "message_action" || i.Type == "shortcut") && i.Callback == launcherID:
		take(i.Trigger, func(ctx context.Context) { in.launchFrom(ctx, i) })
	}
	return nil, nil
}

func (in *inbox) receiveEvent(ctx context.Context, raw []byte) error {
	e, err := parse(raw, func(e *eventCallback) bool { return e.Event.Type != "" || e.Type == rateLimited })
	if err != nil {
		return err
	}
	in.tab.learn(e.App, member{e.home(), e.Event.User.ID}, e.Team)
	id := e.ID
	switch {
	case e.Type == rateLimited:
		in.Log.Warn("Slack withholds a workspace's events, because it sent too many in an hour", "home", e.home(), "since", time.Unix(e.Minute, 0).UTC())
		return nil
	case e.Event.Type == "message" && e.Event.ChannelType != "im" && strings.Contains(e.Event.Text, "<@"):
		return nil // outside direct messages, a message with a mention of the app also comes as an app_mention
	case e.Event.Type == "app_mention", e.Event.Type == "message":
		id = "mention:" + e.Event.Channel + "/" + e.Event.TS
	}
	// Handling other events twice, or late, does no harm: they only cause a look at the
	// current state.
	in.handleOnce(ctx, happened, raw, e.home(), id, func(ctx context.Context) { in.handleEvent(ctx, e) })
	return nil
}

// takenShelf stores requests that were acknowledged before they were handled, by home and
// request.
const takenShelf = "taken"

// An ackedRequest is a request that was acknowledged before it was handled.
type ackedRequest struct {
	V       int             `json:"v"`
	Kind    kind            `json:"kind"`
	Payload json.RawMessage `json:"payload"`
	key     string
}

// carryOutRecorded handles a request, and returns when it is done. If that takes longer than
// Slack waits, it records the request and returns earlier, with inTime false. A recorded
// request is handled again if the program stops before it is done.
func (in *inbox) carryOutRecorded(ctx context.Context, what ackedRequest, do func(context.Context)) (done <-chan struct{}, inTime bool) {
	var mu sync.Mutex
	var over, noted bool
	ended := make(chan struct{})
	in.work(ctx, func(ctx context.Context) {
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			if over = true; noted {
				in.unrecord(ctx, what.key)
			}
			close(ended)
		}()
		do(ctx)
	})
	select {
	case <-ended:
		return ended, true
	case <-in.after(ackTime):
	}
	mu.Lock()
	defer mu.Unlock()
	if over {
		return ended, true
	}
	what.V, noted = 1, true
	if err := notes.Write(context.WithoutCancel(ctx), in.Notes, takenShelf, what.key, what); err != nil {
		in.Log.Error("can't store a request before it is acknowledged", "error", err)
	}
	return ended, false
}

func (in *inbox) unrecord(ctx context.Context, key string) {
	if err := in.Notes.Put(context.WithoutCancel(ctx), takenShelf, key, nil); err != nil {
		in.Log.Error("can't record a finished request", "error", err)
	}
}

// resume handles the requests that were acknowledged but unfinished when the program
// stopped. If the host had already carried one out, it returns the same answer.
func (in *inbox) resume(ctx context.Context) error {
	if in.Notes == nil {
		return nil
	}
	return notes.ReadEach(ctx, in.Notes, takenShelf, "", func(row bot.Row) error {
		var what ackedRequest
		if err := json.Unmarshal(row.Value, &what); err != nil {
			in.Log.Error("can't read a stored request", "error", err)
		} else if ack, err := in.receive(ctx, what.Kind, what.Payload); err != nil {
			in.Log.Error("can't carry out a stored request", "error", err)
		} else if r, form := ack.(*slack.ViewSubmissionResponse); form && r.View != nil {
			in.reshow(ctx, what.Payload, *r.View)
		}
		in.unrecord(ctx, row.Key)
		return nil
	})
}

// sharedShelf stores, by channel shared between workspaces, the home where the app is
// installed.
const sharedShelf = "shared"

// installedHome returns the home whose app received an interaction. A press on a private
// answer only names the person's own workspace.
func (in *inbox) installedHome(ctx context.Context, i *interaction) home {
	all := i.homes()
	for n, h := range all {
		if !in.tokens.isInstalled(ctx, h) {
			continue
		}
		if channel := i.place().channel; n < len(all)-1 && channel != "" && i.Team != nil && i.Team.ID != string(h) {
			if err := in.Notes.Put(ctx, sharedShelf, channel, []byte(h)); err != nil {
				in.Log.Error("can't record the owner of a shared channel", "channel", channel, "error", err)
			}
		}
		return h
	}
	if b, err := in.Notes.Get(ctx, sharedShelf, i.place().channel); err == nil && b != nil {
		return home(b)
	}
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

// isRepeat reports whether a request was seen recently: Slack repeats a request if an
// acknowledgment was lost. After a restart the host recognizes it by its id.
func (in *inbox) isRepeat(id string) bool {
	return id != "" && !in.seen.add(id, "")
}

// reshow shows the response to a form whose first response only asked to wait.
func (in *inbox) reshow(ctx context.Context, payload []byte, v slack.ModalViewRequest) {
	i, err := parse(payload, func(i *interaction) bool { return i.View != nil })
	if err == nil {
		err = in.answers.updateView(ctx, in.installedHome(ctx, i), i.View.ID, v)
	}
	if err != nil {
		in.Log.Warn("can't answer in the form", "error", err)
	}
}

// answer sends an answer in the background: the request is done whether it arrives or not.
func (in *inbox) answer(ctx context.Context, q asker, r bot.Reply) {
	in.work(ctx, func(ctx context.Context) { in.answers.answer(ctx, q, r) })
}

// eventHandlers holds the handlers of events by type, as in the manifest.
var eventHandlers = map[string]func(*inbox, context.Context, home, *eventCallback){
	"app_home_opened":         (*inbox).handleOpened,
	"message":                 (*inbox).handleDirect,
	"app_mention":             (*inbox).handleMention,
	"member_joined_channel":   (*inbox).handleJoined,
	"message_metadata_posted": (*inbox).handleArrival,
	"link_shared":             (*inbox).handleLinks,
	"function_executed":       (*inbox).handleStep,
	"app_uninstalled":         (*inbox).handleUninstalled,
	"tokens_revoked":          (*inbox).handleUninstalled,
}

func (in *inbox) handleEvent(ctx context.Context, e *eventCallback) {
	h := e.home()
	if handle := eventHandlers[e.Event.Type]; handle != nil && h != "" {
		handle(in, ctx, h, e)
	}
}

// handleOpened handles a person's visit to the app's home page or messages.
func (in *inbox) handleOpened(ctx context.Context, h home, e *eventCallback) {
	switch {
	case e.Event.User.ID == "":
	case e.Event.Tab == "" || e.Event.Tab == "home":
		in.pages.handleVisit(ctx, member{h, e.Event.User.ID})
	case e.Event.Tab == "messages":
		in.greeter.greet(ctx, member{h, e.Event.User.ID})
	}
}

// handleJoined handles the app's invitation into a channel: messages that wait for it are posted,
// and the host offers the set-up if the channel is new. It ignores other members.
func (in *inbox) handleJoined(ctx context.Context, h home, e *eventCallback) {
	if len(e.Authorizations) == 0 || e.Event.Channel == "" || e.Event.User.ID == "" || e.Event.User.ID != e.Authorizations[0].User {
		return
	}
	at := place{home: h, channel: e.Event.Channel}
	in.out.refused.retryPlace(ctx, at)
	if err := in.Host.Joined(ctx, at.id(), homeID(h), in.people.localeOf(ctx, h)); err != nil {
		in.Log.Error("can't offer the set-up in a new channel", "channel", at.id(), "error", err)
	}
}

// handleArrival handles the arrival of one of our own posts.
func (in *inbox) handleArrival(ctx context.Context, h home, e *eventCallback) {
	if e.Event.arrival.App == e.App { // posts of other apps can contain anything
		in.out.recordArrival(ctx, h, e.Event.arrival, e.Event.MessageTS)
	}
}

// handleLinks handles links to pages of games.
func (in *inbox) handleLinks(ctx context.Context, h home, e *eventCallback) {
	in.links.unfurl(ctx, place{home: h, channel: e.Event.Channel}, e.Event.sharedLinks)
}

// handleStep handles a step of a workflow.
func (in *inbox) handleStep(ctx context.Context, h home, e *eventCallback) {
	in.carryOutStep(ctx, h, e.Event.step)
}

// handleUninstalled handles the loss of a home's installation.
func (in *inbox) handleUninstalled(ctx context.Context, h home, e *eventCallback) {
	if e.Event.Type == "tokens_revoked" && len(e.Event.Tokens.Bot) == 0 || in.tokens.hasReinstalled(ctx, h, e) {
		return
	}
	in.tokens.deleteToken(ctx, h)
}
