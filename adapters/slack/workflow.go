package slack

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file implements the steps for workflows: one opens a table, one posts the daily
// board. https://docs.slack.dev/workflows/workflow-steps

// The steps, by their names in the manifest.
const (
	openStep  = "open_table"
	dailyStep = "daily_board"
)

// Inputs and outputs of the steps.
const (
	channelInput = "channel_id"
	userInput    = "user_context"
	rulesInput   = "rules"
	linkOutput   = "link"
)

// A step is a function_executed event.
type step struct {
	Function struct {
		Callback string `json:"callback_id"`
	} `json:"function"`
	Inputs    map[string]json.RawMessage `json:"inputs"`
	Execution string                     `json:"function_execution_id"`
	Token     string                     `json:"bot_access_token"` // for this step only
}

// input returns an input of the step, an id or text, or "" if there is none.
func (s *step) input(name string) string {
	var said string
	if json.Unmarshal(s.Inputs[name], &said) != nil {
		return "" // our inputs are strings
	}
	return said
}

// person returns the person for whom a workflow runs: they started it, or pressed the
// button of an earlier step. It returns "" if the person isn't known. Slack fills it in;
// a workflow's author can't. https://docs.slack.dev/reference/types/user_context-type
func (s *step) person() string {
	var who struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(s.Inputs[userInput], &who) != nil {
		return ""
	}
	return who.ID
}

// carryOutStep runs a step, and reports its result to Slack.
func (in *inbox) carryOutStep(ctx context.Context, h home, s step) {
	at := place{home: h, channel: s.input(channelInput)}
	to := in.Host.LocaleFor(ctx, bot.Request{Channel: at.id(), Home: homeID(h)})
	var refusal text.Text
	switch {
	case at.channel == "":
		refusal = text.Say("This step needs a channel.")
	case s.Function.Callback == openStep:
		refusal = in.openStep(ctx, at, s)
	case s.Function.Callback == dailyStep:
		refusal = in.dailyStep(ctx, at, s)
	default:
		refusal = text.Say("This app has no such step any more.")
	}
	complete := func(api *slack.Client) error {
		if refusal != nil {
			return api.FunctionCompleteErrorContext(ctx, s.Execution, refusal.In(to).String())
		}
		return api.FunctionCompleteSuccessContext(ctx, s.Execution, slack.FunctionCompleteSuccessRequestOptionOutput(map[string]string{linkOutput: in.out.link(ctx, at.id())}))
	}
	var err error
	if s.Token != "" {
		err = complete(in.web.newClient(s.Token))
	} else {
		err = in.web.call(ctx, h, complete)
	}
	if err != nil {
		in.Log.Warn("can't report the result of a workflow step", "step", s.Function.Callback, "error", err)
	}
}

// openStep opens a table for the person for whom the workflow runs, as if they had typed
// /new there.
func (in *inbox) openStep(ctx context.Context, at place, s step) (refusal text.Text) {
	who := member{at.home, s.person()}
	if who.id == "" {
		return text.Say("I can't tell who started this workflow. Add this step to it again. If the workflow starts by itself, put a button before the step.")
	}
	req := bot.Request{ID: requestID("step:" + s.Execution), Channel: at.id(), User: in.people.user(ctx, who, ""), Locale: in.people.languageOf(ctx, who)}
	line := strings.TrimSpace("new " + withoutNames(unescape(s.input(rulesInput))))
	if req.Command, req.Args, refusal = in.Host.Commands().ParseLine(line, in.Host.LocaleFor(ctx, req)); refusal != nil {
		return refusal
	}
	before, err := in.out.box.Entry(ctx, string(at.id()))
	if r := in.carryOut(ctx, who, req); r.Refused {
		return r.Text
	}
	if err == nil {
		in.awaitPost(ctx, at, before.Latest.ID)
	}
	return nil
}

const (
	postWait = 10 * time.Second // time limit for the post that a step's link opens
	postLook = 250 * time.Millisecond
)

// awaitPost waits until a place has a later post than a given one, so that the step's link
// opens it.
func (in *inbox) awaitPost(ctx context.Context, at place, before string) {
	ctx, cancel := context.WithTimeout(ctx, postWait)
	defer cancel()
	for {
		if e, err := in.out.box.Entry(ctx, string(at.id())); err != nil || e.Latest.ID != before || in.sleep(ctx, postLook) != nil {
			return
		}
	}
}

// dailyStep posts the daily board, as seen by a person who hasn't tried it.
func (in *inbox) dailyStep(ctx context.Context, at place, s step) (refusal text.Text) {
	nobody := member{at.home, "USLACKBOT"}
	r := in.Host.Handle(ctx, bot.Request{ID: requestID("step:" + s.Execution), Channel: at.id(), Home: homeID(at.home), User: bot.User{ID: nobody.player(), Name: "Slackbot"}, Command: "daily", Args: map[string]string{}})
	if r.Refused {
		return r.Text
	}
	n := in.names.in(at)
	n.to, n.public = in.Host.LocaleFor(ctx, bot.Request{Channel: at.id(), Home: homeID(at.home)}), true
	file := in.out.pictures.uploadPicture(ctx, at.home, "step "+s.Execution, r.Picture)
	_, err := in.out.postWithPicture(ctx, at, bot.Message{}, file, func(file string) error {
		_, err := in.out.postUnfolded(ctx, at, slack.MsgOptionText(n.fallback(r.Text), false), slack.MsgOptionBlocks(n.reply(r, file)...))
		return err
	})
	if err == nil {
		return nil
	}
	in.Log.Warn("can't post the board of the day", "channel", at.id(), "error", err)
	if why, closed := obstacle(at, err); closed {
		return why
	}
	return text.Say("I can't post in that channel just now.")
}
