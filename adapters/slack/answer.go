package slack

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// An asker is the person who made a request, its place, and the ways to answer it. Only
// they see the answer.
type asker struct {
	member      member
	place       place  // of the game
	below       string // the thread for the answer, if that isn't the place's
	trigger     string // opens a view, within 3 seconds
	responseURL string // accepts up to 5 answers within 30 minutes
	view        *view  // the form of the request
	replaces    bool   // the answer replaces the previous private one
	typed       bool   // a slash command, whose responseURL only accepts our answers
}

// answerPlace returns the place where the answer is shown.
func (q asker) answerPlace() place {
	at := q.place
	at.thread = cmp.Or(q.below, at.thread)
	return at
}

// answers shows people their private answers.
type answers struct {
	*common
	web      *webAPI
	people   *directory
	pictures *gallery
}

// answer shows a reply: in the form of the request, on top of the home page, or under the
// command in the channel.
func (a *answers) answer(ctx context.Context, q asker, r bot.Reply) {
	if q.view != nil {
		to := a.people.locale(ctx, q.member)
		a.answerInView(ctx, q, to, doneIfEmpty(r).In(to))
		return
	}
	r = a.translate(ctx, q.member, r)
	if !hasPicture(r) {
		a.say(ctx, q, r, "")
	} else {
		a.sendWithPicture(ctx, q, r)
	}
	a.sendFiles(ctx, q.member, r.Files)
}

// hasPicture reports whether an answer has a picture to upload. For a rack it returns
// false: Slack is known to refuse unshared files in answers that only one person sees,
// and a rack must always be readable. Its picture is in the direct messages.
func hasPicture(r bot.Reply) bool { return r.Picture != nil && !r.Rack }

// pictureWait is the longest wait for an answer's picture before its text is sent.
const pictureWait = time.Second

// sendWithPicture sends an answer with a picture. If the picture takes longer than
// pictureWait, the text is sent first and then replaced by the whole answer. An answer to a
// press on a post in the channel can't be replaced, so its picture follows separately.
func (a *answers) sendWithPicture(ctx context.Context, q asker, r bot.Reply) {
	var file string
	there := make(chan struct{})
	a.work(ctx, func(ctx context.Context) {
		defer close(there)
		file = a.pictures.answerPicture(ctx, q.member, r.Picture)
	})
	select {
	case <-there:
	case <-a.after(pictureWait):
		said := a.say(ctx, q, r, "")
		<-there
		if file == "" {
			return // the text describes it
		}
		if q.replaces = said && (q.typed || q.replaces); !q.replaces {
			r = bot.Reply{Text: text.Say("Here's the picture.").In(a.people.locale(ctx, q.member)), Picture: r.Picture}
		}
	}
	a.say(ctx, q, r, file)
}

// say sends an answer, and reports whether the response_url accepted it.
func (a *answers) say(ctx context.Context, q asker, r bot.Reply, file string) bool {
	n := a.namesFor(ctx, q)
	n.tables = hasTable(r)
	if q.responseURL != "" {
		err := a.sayByURL(ctx, q, n, r, file)
		if err == nil {
			return true
		}
		a.Log.Info("response_url failed; answering in the channel", "error", err)
	}
	n.tables = false // perhaps the response_url refused the table
	err := a.pictures.retryUntilReady(ctx, file, func() error { return a.ephemeral(ctx, q, n, r, file) })
	if file != "" && isError(err, "invalid_blocks") {
		err = a.ephemeral(ctx, q, n, r, "")
	}
	if err != nil {
		a.Log.Warn("can't answer", "channel", q.place.id(), "user", q.member.id, "error", err)
	}
	return false
}

// sayByURL sends an answer to its response_url, without the table if Slack refuses that.
func (a *answers) sayByURL(ctx context.Context, q asker, n names, r bot.Reply, file string) error {
	respond := func() error {
		return a.respond(ctx, q, slack.WebhookMessage{
			ResponseType: slack.ResponseTypeEphemeral, ReplaceOriginal: q.replaces,
			Text: n.fallback(r.Text), Blocks: &slack.Blocks{BlockSet: n.reply(r, file)},
		})
	}
	err := a.pictures.retryUntilReady(ctx, file, respond)
	if err != nil && n.tables {
		n.tables = false
		err = respond()
	}
	return err
}

// hasTable reports whether an answer has a table.
func hasTable(r bot.Reply) bool {
	return slices.ContainsFunc(r.Text, func(s text.Span) bool { return s.Table != nil })
}

// namesFor returns the names of commands for the place and language of a request.
func (a *answers) namesFor(ctx context.Context, q asker) names {
	n := a.names.in(q.answerPlace())
	n.to, n.home = a.people.locale(ctx, q.member), a.newcomersHome(ctx, q.member)
	n.direct = n.direct && a.people.isOwnDM(ctx, q.member, q.place)
	return n
}

// newcomersHome returns the address of a person's home page for their first answer, or "" if
// they know the page or have none.
func (a *answers) newcomersHome(ctx context.Context, who member) string {
	link := a.tab.link(who)
	if link == "" {
		return ""
	}
	known, err := a.Notes.Get(ctx, homesShelf, string(who.player()))
	if err != nil || known != nil {
		return ""
	}
	if err := a.Notes.Put(ctx, homesShelf, string(who.player()), []byte(toldOfHome)); err != nil {
		a.Log.Error("can't record that a person got the link to the home page", "error", err)
	}
	return link
}

// respond sends an answer to its response_url. That needs no token, and works if the app
// isn't a member of the channel.
func (a *answers) respond(ctx context.Context, q asker, m slack.WebhookMessage) error {
	if m.ThreadTimestamp = q.answerPlace().thread; m.ReplaceOriginal {
		m.ThreadTimestamp = ""
	}
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if !a.isSlackURL(q.responseURL) {
		return errors.New("the response_url isn't an https address of Slack")
	}
	req, err := http.NewRequestWithContext(ctx, "POST", q.responseURL, bytes.NewReader(body))
	if err != nil {
		return errors.New("the response_url isn't an address")
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := a.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return answerRefused(resp.StatusCode)
	}
	return nil
}

// isSlackURL reports whether an address belongs to Slack: https at slack.com or a subdomain
// such as hooks.slack.com, or the same at the configured API.
func (a *answers) isSlackURL(address string) bool {
	to, err := url.Parse(address)
	if err != nil || to.User != nil {
		return false
	}
	for _, base := range []string{"https://slack.com", a.API} {
		own, err := url.Parse(base)
		if err == nil && to.Scheme == own.Scheme && (to.Host == own.Host || strings.HasSuffix(to.Host, "."+own.Host)) {
			return true
		}
	}
	return false
}

// answerRefused is the HTTP status with which a response_url refused an answer.
type answerRefused int

func (e answerRefused) Error() string { return fmt.Sprintf("response_url answered %d", int(e)) }

// ephemeral sends an answer without the response_url, if that has expired. It requires the
// app to be in the channel.
func (a *answers) ephemeral(ctx context.Context, q asker, n names, r bot.Reply, file string) error {
	if q.place.channel == "" {
		return nil
	}
	options := []slack.MsgOption{slack.MsgOptionText(n.fallback(r.Text), false), slack.MsgOptionBlocks(n.reply(r, file)...)}
	if thread := q.answerPlace().thread; thread != "" {
		options = append(options, slack.MsgOptionTS(thread))
	}
	return a.web.call(ctx, q.member.home, func(api *slack.Client) error {
		_, err := api.PostEphemeralContext(ctx, q.place.channel, q.member.id, options...)
		return err
	})
}

// answerInView shows a reply where the request was made: a form is replaced by the answer;
// on a home page it opens on top. The text appears at once, and the picture when it is
// ready.
func (a *answers) answerInView(ctx context.Context, q asker, to *text.Locale, r bot.Reply) {
	m := metaOf(q.view)
	id, err := q.view.ID, error(nil)
	if q.view.Type == string(slack.VTHomeTab) {
		id, err = a.openView(ctx, q, a.result(to, m, r, ""))
	} else if !hasPicture(r) {
		err = a.updateView(ctx, q.member.home, id, a.result(to, m, r, ""))
	}
	if hasPicture(r) {
		if file := a.pictures.answerPicture(ctx, q.member, r.Picture); err == nil {
			err = a.pictures.retryUntilReady(ctx, file, func() error { return a.updateView(ctx, q.member.home, id, a.result(to, m, r, file)) })
		}
	}
	if err != nil {
		a.Log.Warn("can't answer in the form", "user", q.member.id, "error", err)
	}
	a.sendFiles(ctx, q.member, r.Files)
}

// openView opens a form for a person, and returns its id.
func (a *answers) openView(ctx context.Context, q asker, v slack.ModalViewRequest) (string, error) {
	var opened *slack.ViewResponse
	err := a.web.call(ctx, q.member.home, func(api *slack.Client) (err error) {
		open := api.OpenViewContext
		if q.view != nil && q.view.Type == string(slack.VTModal) {
			open = api.PushViewContext
		}
		opened, err = open(ctx, q.trigger, v)
		return err
	})
	if errors.Is(err, errNoHome) || errors.Is(err, errToken) {
		a.answer(ctx, asker{member: q.member, place: q.place, responseURL: q.responseURL}, a.refuseUninstalled())
	}
	if err != nil {
		err = fmt.Errorf("open a form: %w", err)
		a.Log.Warn("can't open a form", "user", q.member.id, "error", err)
		return "", err
	}
	return opened.ID, nil
}

func (a *answers) updateView(ctx context.Context, h home, id string, v slack.ModalViewRequest) error {
	err := a.web.call(ctx, h, func(api *slack.Client) error {
		_, err := api.UpdateViewContext(ctx, v, "", "", id)
		return err
	})
	if isError(err, "not_found", "view_not_found") {
		return nil // they have closed it in the meantime
	}
	return err
}

// sendFiles sends a person files by direct message, because an answer that only they see
// can't contain any.
func (a *answers) sendFiles(ctx context.Context, to member, files []bot.File) {
	for _, f := range files {
		if err := a.sendFile(ctx, to, f); err != nil {
			a.Log.Warn("can't send a file", "user", to.id, "file", f.Name, "error", err)
		}
	}
}

func (a *answers) sendFile(ctx context.Context, to member, f bot.File) error {
	channel, err := a.people.direct(ctx, to)
	if err != nil {
		return err
	}
	_, err = a.pictures.upload(ctx, to.home, upload{name: f.Name, data: f.Data, channel: channel})
	return err
}

// translate returns an answer in the person's language. The host's own answers are in that
// language already, the adapter's aren't.
func (a *answers) translate(ctx context.Context, who member, r bot.Reply) bot.Reply {
	if r = doneIfEmpty(r); !r.Text.Unsaid() {
		return r
	}
	return r.In(a.people.locale(ctx, who))
}

// doneIfEmpty returns an answer that says at least that the request is done.
func doneIfEmpty(r bot.Reply) bot.Reply {
	if len(r.Text) == 0 && r.Picture == nil {
		r.Text = text.Say("Done.")
	}
	return r
}

// refuseUninstalled returns the refusal of a request from a workspace without a token, with the
// link to install the app if workspaces do that by themselves.
func (c *common) refuseUninstalled() bot.Reply {
	if c.OAuth.ClientID != "" {
		link := strings.TrimSuffix(c.OAuth.URL, "/") + installPath
		return bot.Reply{Refused: true, Text: text.Say("I'm not installed in this workspace, so I can't post here. {install}, then try again.", text.Link(text.Say("Install Rackmate"), link))}
	}
	return bot.Reply{Refused: true, Text: text.Say("Rackmate is no longer installed in this workspace. Please ask whoever installed it to install it again.")}
}
