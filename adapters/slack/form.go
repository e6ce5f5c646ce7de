package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file contains the forms that ask for a command's options, and handles their
// submission.

const formID = "form"

// A meta is the private_metadata of a view, which it needs when it is submitted. It isn't
// stored elsewhere, so a form works after a restart.
type meta struct {
	Channel string      `json:"c,omitempty"` // the host's id of the place
	Table   bot.TableID `json:"t,omitempty"` // of the message that the form was opened from
	Button  string      `json:"b,omitempty"` // the bot.Button that asks
	Command string      `json:"n,omitempty"` // or the command
	Number  int         `json:"e,omitempty"` // number of the table's events when the form was opened
	Word    string      `json:"w,omitempty"` // the play that it shows, and its square
	At      string      `json:"q,omitempty"`
	Whole   bool        `json:"a,omitempty"` // it asks for all options
}

func (m meta) String() string {
	b, _ := json.Marshal(m) // can't fail: strings and numbers
	return string(b)
}

func metaOf(v *view) (m meta) {
	if v != nil {
		_ = json.Unmarshal([]byte(v.Metadata), &m) // anything else yields an empty meta
	}
	return m
}

// forms builds the forms for commands, and the launcher.
type forms struct {
	*common
	people   *directory
	pictures *gallery
}

// form returns a form for options of a request's command, with the host's suggestions as
// choices.
func (f *forms) form(ctx context.Context, who member, m meta, req bot.Request, ask []bot.Option) slack.ModalViewRequest {
	to := f.people.locale(ctx, who)
	c, _ := f.Host.Commands().Find(req.Command)
	v := modal(to, label(c.Name, c.NameIn(to)), m, formID)
	submit := text.Plain(label(c.Name, c.NameIn(to)))
	switch req.Command {
	case "try":
		submit = text.Say("Preview")
	case "new":
		submit = text.Say("Open the table")
	}
	v.Submit = plainText(submit.In(to).String(), maxTitle)
	first, more := ask, m.Whole || len(ask) <= mostFields
	if !more {
		first = firstFields(req.Command, ask)
	}
	for _, o := range first {
		if o.Ours {
			continue
		}
		if field := f.input(ctx, to, req, o); field != nil {
			v.Blocks.BlockSet = append(v.Blocks.BlockSet, field)
		}
	}
	if !more {
		rest := text.Say("More…")
		if req.Command == "new" {
			rest = text.Say("Rules…")
		}
		v.Blocks.BlockSet = append(v.Blocks.BlockSet, slack.NewActionBlock("", button(moreAction, req.Command, rest.In(to).String(), bot.Ordinary)))
	}
	return v
}

// mostFields limits the fields of a form unless the person asks for more.
const mostFields = 4

// firstFields returns the options to ask for first. For a new table these are the ones
// that everyone decides on; for other commands the required ones, then the next ones in
// order.
func firstFields(command string, all []bot.Option) (first []bot.Option) {
	wanted := func(o bot.Option) bool { return o.Required }
	if command == "new" {
		wanted = func(o bot.Option) bool { return slices.Contains([]string{"opponents", "robots", "pace"}, o.Name) }
	}
	for _, o := range all {
		if wanted(o) {
			first = append(first, o)
		}
	}
	if command == "new" && len(first) > 0 {
		return first
	}
	for _, o := range all {
		if len(first) < mostFields && !o.Required && !o.Rare {
			first = append(first, o)
		}
	}
	return first[:min(len(first), mostFields)]
}

// input returns the input for one option. Its block has the option's name as id.
func (f *forms) input(ctx context.Context, to *text.Locale, req bot.Request, o bot.Option) *slack.InputBlock {
	var element slack.BlockElement
	switch {
	case o.Kind == bot.Pick, o.Kind == bot.Words && len(o.Choices) > 0:
		choices := o.Choices
		if len(choices) == 0 && o.Completes {
			choices = f.Host.Complete(ctx, req, o.Name)
		}
		list := options(bot.ChoicesIn(to, choices))
		if len(list) == 0 {
			return nil
		}
		element = slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, nil, o.Name, list...)
	case o.Kind == bot.YesNo:
		element = slack.NewCheckboxGroupsBlockElement(o.Name, slack.NewOptionBlockObject("true", plainText(text.Say("Yes").In(to).String(), maxOptionText), nil))
	case o.Kind == bot.People:
		element = slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeUser, nil, o.Name)
	default:
		text := slack.NewPlainTextInputBlockElement(nil, o.Name)
		text.MaxLength = 200
		element = text
	}
	field := slack.NewInputBlock(o.Name, plainText(label(o.Name, o.NameIn(to)), maxLabel), plainText(text.Known(o.Help).In(to).String(), maxLabel), element)
	field.Optional = !o.Required
	return field
}

const (
	maxLabel   = 2000 // of an input and its hint
	maxMistake = 1000 // error at a field; Slack documents no limit
)

func modal(to *text.Locale, title string, m meta, callback string) slack.ModalViewRequest {
	return slack.ModalViewRequest{
		Type: slack.VTModal, Title: plainText(title, maxTitle), Close: plainText(text.Say("Close").In(to).String(), maxTitle),
		PrivateMetadata: m.String(), CallbackID: callback,
	}
}

// result returns a view that shows a person an answer.
func (a *answers) result(to *text.Locale, m meta, r bot.Reply, file string) slack.ModalViewRequest {
	v := modal(to, "Rackmate", meta{Channel: m.Channel, Table: m.Table}, "result")
	n := a.names
	n.to = to
	v.Blocks.BlockSet = n.parts(r, file)
	return v
}

// handleSubmit handles a submitted form, and returns its answer or an error at a field. The
// picture follows.
func (in *inbox) handleSubmit(ctx context.Context, i *interaction, raw []byte) any {
	if i.View == nil || !slices.Contains([]string{formID, playID, exchangeID}, i.View.Callback) {
		return nil
	}
	q := in.askerOf(ctx, i)
	m := metaOf(i.View)
	req := bot.Request{ID: requestID(i.pressID()), Channel: q.place.id(), Command: m.Command, Table: m.Table, Args: map[string]string{}}
	switch {
	case i.View.Callback == playID:
		if again := in.submitPlay(ctx, i, q, m, &req); again != nil {
			return again
		}
	case i.View.Callback == exchangeID:
		fillExchange(i, m, &req)
	case m.Button != "":
		id, own := in.names.mark.Off(m.Button)
		var ok bool
		if req, ok = req.Press(id); !own || !ok || !in.Host.Commands().Knows(req) {
			return in.answers.replaceForm(in.people.locale(ctx, q.member), m, explainButton(own))
		}
	}
	if i.View.Callback == formID {
		maps.Copy(req.Args, formValues(i.View.State))
	}
	var r bot.Reply
	var to *text.Locale
	what := ackedRequest{Kind: interacted, Payload: raw, key: string(i.home) + "/" + i.pressID()}
	done, inTime := in.carryOutRecorded(ctx, what, func(ctx context.Context) {
		req.User = in.people.user(ctx, q.member, i.userName())
		r = doneIfEmpty(in.carryOut(ctx, q.member, req))
		to = in.people.locale(ctx, q.member) // the command may have changed it
		r = r.In(to)
	})
	if !inTime {
		in.work(ctx, func(ctx context.Context) {
			<-done
			in.answers.answerInView(ctx, q, to, r)
		})
		return in.answers.replaceForm(in.people.locale(ctx, q.member), m, bot.Reply{Text: text.Say("One moment …")})
	}
	in.work(ctx, func(ctx context.Context) { in.answers.illustrate(ctx, q, to, m, r) })
	return in.outcome(to, i, m, req.Command, r)
}

// outcome returns the response to a form: an error at its field, or any other answer in its
// place.
func (in *inbox) outcome(to *text.Locale, i *interaction, m meta, command string, r bot.Reply) *slack.ViewSubmissionResponse {
	if field := firstField(in.Host.Commands(), command, i.View.State); r.Refused && len(r.Buttons) == 0 && field != "" {
		return slack.NewErrorsViewSubmissionResponse(map[string]string{field: cut(in.names.plain(r.Text), maxMistake)})
	}
	return in.answers.replaceForm(to, m, r)
}

// replaceForm replaces a form with an answer.
func (a *answers) replaceForm(to *text.Locale, m meta, r bot.Reply) *slack.ViewSubmissionResponse {
	return slack.NewUpdateViewSubmissionResponse(new(a.result(to, m, r.In(to), "")))
}

// illustrate adds the picture to a form that shows its answer already, and sends the files.
func (a *answers) illustrate(ctx context.Context, q asker, to *text.Locale, m meta, r bot.Reply) {
	if hasPicture(r) {
		if file := a.pictures.answerPicture(ctx, q.member, r.Picture); file != "" {
			if err := a.pictures.retryUntilReady(ctx, file, func() error { return a.updateView(ctx, q.member.home, q.view.ID, a.result(to, m, r, file)) }); err != nil {
				a.Log.Warn("can't show a picture in a form", "user", q.member.id, "error", err)
			}
		}
	}
	a.sendFiles(ctx, q.member, r.Files)
}

// formValues returns the values of a form's fields, with people as Slack writes mentions.
func formValues(s state) map[string]string {
	args := map[string]string{}
	for block, elements := range s.Values {
		for _, in := range elements {
			values := in.values()
			for _, u := range in.Users {
				values = append(values, "<@"+u+">")
			}
			if len(values) > 0 {
				args[block] = strings.Join(values, " ")
			}
		}
	}
	return args
}

// firstField returns the first option of a command that a form asked for, which shows
// errors.
func firstField(commands bot.Commands, command string, s state) string {
	c, _ := commands.Find(command)
	for _, o := range c.Options {
		if _, asked := s.Values[o.Name]; asked {
			return o.Name
		}
	}
	return ""
}

// label returns the name of a command or an option for a button or a field, in the reader's
// language if available.
func label(english, own string) string {
	return capital(strings.ReplaceAll(cmp.Or(own, english), "-", " "))
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	return strings.ToUpper(string(r)) + s[n:]
}
