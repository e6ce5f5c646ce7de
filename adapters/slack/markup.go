package slack

import (
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
)

// mrkdwn writes a text in Slack's markup. It is the only way by which text
// gets to Slack as markup.
func (n names) mrkdwn(t bot.Text) string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(n.span(s))
	}
	return b.String()
}

func (n names) span(s bot.Span) string {
	switch {
	case s.Text == "":
		return ""
	case s.Notify && s.Person != "":
		if m, err := memberOf(s.Person); err == nil {
			return "<@" + escape(m.id) + ">"
		}
	case !s.Time.IsZero():
		return fmt.Sprintf("<!date^%d^{date_short_pretty} {time}|%s>", s.Time.Unix(), strings.ReplaceAll(escape(s.Text), "|", "¦"))
	case strings.HasPrefix(s.Link, "http") && !strings.ContainsAny(s.Link, " <>|"):
		return "<" + s.Link + "|" + strings.ReplaceAll(escape(s.Text), "|", "¦") + ">"
	case s.Code && strings.Contains(s.Text, "\n"):
		return "```\n" + inCode(s.Text) + "\n```"
	case s.Code:
		return "`" + inCode(n.inText(s.Text)) + "`"
	case s.Strong && !strings.Contains(s.Text, "\n"):
		return "*" + escape(s.Text) + "*"
	}
	return escape(s.Text)
}

// escape makes plain text of what people wrote: no mention, no link, and, by
// a space of no width behind each character that could begin one, no
// formatting. https://docs.slack.dev/messaging/formatting-message-text#escaping
func escape(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch r {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '*', '_', '~', '`', '@', ':':
			b.WriteRune(r)
			if next := i + 1; next < len(s) && s[next] > ' ' {
				b.WriteString("\u200b")
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// inCode is the text of a piece of code, where nothing but the end of it is
// markup.
func inCode(s string) string { return codeEscaper.Replace(s) }

var codeEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "ˋ")

// plain is a text where Slack knows no markup: in labels, and at a form's
// fields.
func (n names) plain(t bot.Text) string {
	var b strings.Builder
	for _, s := range t {
		if s.Code {
			s.Text = n.inText(s.Text)
		}
		b.WriteString(s.Text)
	}
	return b.String()
}

// unescape reads what Slack escaped in what somebody typed.
func unescape(s string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(s)
}
