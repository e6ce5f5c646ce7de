package moderation

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// mostReports is the number of reports kept for a home. New ones replace the oldest,
// handled ones first.
const mostReports = 200

// A storedReport is a report.
type storedReport struct {
	V       int           `json:"v"` // format version: 1
	At      time.Time     `json:"at"`
	By      bot.User      `json:"by"`
	About   bot.User      `json:"about"` // the zero User if only a message is named
	Why     string        `json:"why,omitempty"`
	Note    string        `json:"note,omitempty"`
	Channel bot.ChannelID `json:"channel"`
	Number  uint64        `json:"number,omitempty"` // number of the message in our room
	Message string        `json:"message,omitempty"`
	// Said is the reported message, last, and the messages before it.
	Said []bot.ChatMessage `json:"said,omitempty"`
	Done bool              `json:"done,omitempty"`
}

func (c storedReport) when() time.Time { return c.At }

// reasons lists the reasons for a report.
var reasons = []bot.Choice{
	{Value: "rude", Label: text.Say("Rude or hateful")}, {Value: "spam", Label: text.Say("Spam")}, {Value: "cheating", Label: text.Say("Cheating")}, {Value: "name", Label: text.Say("Their name")}, {Value: "other", Label: text.Say("Something else")},
}

func reportOptions() []bot.Option {
	return []bot.Option{
		{Name: "who", Help: "Who it's about", Kind: bot.People},
		{Name: "why", Help: "What is wrong", Kind: bot.Pick, Choices: reasons},
		{Name: "note", Help: "Anything else the moderators should know", Kind: bot.Words},
		{Name: "message", Help: "The message: its link, or its number in the web room", Kind: bot.Word, Rare: true},
	}
}

// before is the number of earlier messages that are reported with a message.
const before = 4

// report reports a message or a person to the moderators.
func (f *Feature) report(ctx context.Context, req bot.Request) (bot.Reply, error) {
	p, err := f.placeOf(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	c := storedReport{
		V: 1, At: f.desk.Now().UTC(), By: req.User, Channel: req.Channel, Why: req.Args["why"],
		Note: text.Shorten(strings.Join(strings.Fields(req.Args["note"]), " "), 500), Message: text.Shorten(req.Args["message"], 200),
	}
	if c.Why != "" {
		if _, known := settings.LabelOf(reasons, c.Why); !known {
			return bot.Reply{}, words.NoChoice("why", c.Why, "rude", "spam", "cheating", "name", "other")
		}
	}
	if len(req.People) > 0 {
		c.About = req.People[0]
	}
	if p.steward != nil && c.Message != "" {
		if err := p.quoteMessage(ctx, req, &c); err != nil {
			return bot.Reply{}, err
		}
	}
	switch {
	case c.About.ID == "" && c.Message == "" && c.Said == nil:
		return bot.Reply{}, words.Refusing("Say who or what it's about, like {report}.", text.Code("/report @bob rude"))
	case c.About.ID == req.User.ID:
		return bot.Reply{}, words.Refusing("You can't report yourself. {report} reports Bob.", text.Code("/report @bob"))
	}
	if err := p.keepReport(ctx, f, req, c); err != nil {
		return bot.Reply{}, err
	}
	r, err := p.forwardReport(ctx, f, req, c)
	if err != nil {
		return bot.Reply{}, err
	}
	if c.About.ID != "" && !c.About.ID.IsRobot() {
		r.Text = text.Sentences(r.Text, text.Say("If you don't want to hear from {who} any more, block them.", text.Name(c.About)))
		r.Buttons = []bot.Button{{ID: personButton("block", c.About, "", ""), Label: text.Say("Block {who}", c.About.Name)}}
	}
	return r, nil
}

// quoteMessage adds the message that a report names, and the messages before it.
func (p moderatedPlace) quoteMessage(ctx context.Context, req bot.Request, c *storedReport) error {
	n, err := strconv.ParseUint(strings.TrimPrefix(c.Message, "#"), 10, 64)
	if err == nil {
		c.Said, err = p.steward.Said(ctx, req.User.ID, req.Channel, n, before)
	}
	if err != nil || len(c.Said) == 0 {
		return words.Refusing("That message isn't here. The menu beside a message has {report}.", text.Strong("Report"))
	}
	c.Number, c.Message = n, ""
	if by := c.Said[len(c.Said)-1].By; by.ID != "" {
		c.About = by
	}
	return nil
}

// forwardReport notifies the moderators of a report and thanks its author.
func (p moderatedPlace) forwardReport(ctx context.Context, f *Feature, req bot.Request, c storedReport) (r bot.Reply, err error) {
	if p.steward == nil {
		n, err := p.tellManagers(ctx, f, req.Channel, "report:"+string(mark(req)), req.User.ID, c.About.ID)
		if err != nil {
			return bot.Reply{}, err
		}
		r.Text = text.Say("Thank you. The people who manage the server have been told, and can read it with {reports}.", text.Code("/reports"))
		if n == 0 {
			r.Text = text.Sentences(text.Say("Thank you. The people who manage the server can read it with {reports}.", text.Code("/reports")), text.Say("I don't know who manages this server yet, so please tell them yourself."))
		}
		return r, nil
	}
	r.Text = text.Say("Thank you. The room's keepers have your report, with what was said before. They won't say who sent it.")
	return r, p.steward.TellKeepers(ctx, c.About.ID, "report."+string(mark(req)), text.Say("New report: {what}", c.line()), []bot.Button{deskButton(text.Say("See it"), bot.Primary, "report", string(mark(req)))})
}

// keepReport stores a report, once for each request.
func (p moderatedPlace) keepReport(ctx context.Context, f *Feature, req bot.Request, c storedReport) error {
	return f.own.Change(ctx, func(tx shelf.Tx) error {
		reports := f.reports.In(tx)
		all, err := rowsOf(reports, p)
		if err != nil {
			return err
		}
		lately := 0
		for _, r := range all {
			if r.key == mark(req) {
				return nil
			}
			if r.value.By.ID == req.User.ID && c.At.Sub(r.value.At) < 24*time.Hour {
				lately++
			}
		}
		if lately >= bot.LimitReports.Most {
			return words.Refusing("You've reported {n, plural, one {# thing} other {# things}} today, and that's the limit. {block} stops messages from Bob; you can report more tomorrow.", lately, text.Code("/block @bob"))
		}
		if len(all) >= mostReports {
			oldest := all[0]
			for _, r := range all {
				if r.value.Done {
					oldest = r
					break
				}
			}
			if err := reports.Drop(p.markKey(oldest.key)); err != nil {
				return err
			}
		}
		return reports.Put(p.markKey(mark(req)), c)
	})
}

// line describes a report in one line.
func (c storedReport) line() text.Text {
	what := text.Item("a message")
	if c.About.ID != "" {
		what = text.Text{text.Name(c.About)}
	}
	all := []text.Text{what}
	if why, ok := settings.LabelOf(reasons, c.Why); ok {
		all = append(all, why)
	}
	if n := len(c.Said); n > 0 {
		all = append(all, text.Glue("“", text.Shorten(c.Said[n-1].Text, 80), "”"))
	}
	return text.Join(all, " · ")
}

// describe describes a report in full.
func (c storedReport) describe() text.Text {
	t := text.Lines(c.line(), text.Say("Reported by {who} · {time}", text.Name(c.By), words.Clock(c.At)))
	if c.Note != "" {
		t = text.Lines(t, text.Glue("“", c.Note, "”"))
	}
	if c.Message != "" {
		t = text.Lines(t, text.Say("The message: {message}", c.Message))
	}
	for i, s := range c.Said {
		line := text.Glue(text.Plain("Rackmate"), ": ", text.Shorten(s.Text, 240))
		if s.By.ID != "" {
			line = text.Glue(text.Name(s.By), ": ", text.Shorten(s.Text, 240))
		}
		if i == len(c.Said)-1 {
			line = text.Glue("» ", line)
		}
		t = text.Lines(t, line)
	}
	return t
}

// texts returns what people wrote in a report.
func (c *storedReport) texts() []*string {
	all := []*string{&c.Note}
	for i := range c.Said {
		all = append(all, &c.Said[i].Text)
	}
	return all
}

// rename replaces a person with a former player and deletes what they wrote.
func (c *storedReport) rename(who game.PlayerID, former bot.User) (keep bool) {
	is := func(u *bot.User) bool {
		if u.ID != who {
			return false
		}
		*u = former
		return true
	}
	if is(&c.By) {
		c.Note = ""
	}
	is(&c.About)
	for i := range c.Said {
		if is(&c.Said[i].By) {
			c.Said[i].Text = "(forgotten)"
		}
	}
	return true
}
