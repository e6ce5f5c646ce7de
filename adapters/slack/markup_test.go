package slack_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/bot"
)

func TestEscape(t *testing.T) {
	const nothing = "\u200b" // a space of no width
	for in, want := range map[string]string{
		"<!channel>":              "&lt;!channel&gt;",
		"<@U1>":                   "&lt;@" + nothing + "U1&gt;",
		"<https://evil|Slack>":    "&lt;https:" + nothing + "//evil|Slack&gt;",
		"&lt;":                    "&amp;lt;",
		"*bold* _it_ ~no~ `code`": "*" + nothing + "bold* _" + nothing + "it_ ~" + nothing + "no~ `" + nothing + "code`",
		":smile:":                 ":" + nothing + "smile:",
		"The score: 12":           "The score: 12",
		"@channel":                "@" + nothing + "channel",
	} {
		if got := slack.Escape(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"<!here>", "a<b", "&", "*_~`:@", "Ann"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := slack.Escape(s)
		if strings.ContainsAny(got, "<>") {
			t.Errorf("%q becomes %q", s, got)
		}
		back := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "\u200b", "").Replace(got)
		if strings.ToValidUTF8(back, "\uFFFD") != strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\u200b", "") && !strings.ContainsRune(back, '\uFFFD') {
			t.Errorf("%q comes back as %q", s, back)
		}
	})
}

func TestLinks(t *testing.T) {
	for link, want := range map[string]string{
		"https://app.slack.com/client/T1/C1": "<https://app.slack.com/client/T1/C1|open ¦ &lt;it&gt;>",
		"https://x|y":                        "open | &lt;it&gt;",
		"javascript:x":                       "open | &lt;it&gt;",
		"":                                   "open | &lt;it&gt;",
	} {
		if got := slack.Markup(bot.Text{{Text: "open | <it>", Link: link}}); got != want {
			t.Errorf("%q becomes %q, want %q", link, got, want)
		}
	}
	for ch, want := range map[bot.ChannelID]string{
		"slack:T1/C1":       "https://app.slack.com/client/T1/C1",
		"slack:T1/C1/17.01": "https://app.slack.com/client/T1/C1/thread/C1-17.01",
		"web:general":       "",
	} {
		if got := slack.LinkTo(ch); got != want {
			t.Errorf("%s is at %q, want %q", ch, got, want)
		}
	}
}
