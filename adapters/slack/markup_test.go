package slack_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

func TestEscape(t *testing.T) {
	const nothing = "\u200b" // a zero-width space
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
		back := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "\u200b", "", "\u2068", "", "\u2069", "").Replace(got)
		if strings.ToValidUTF8(back, "\uFFFD") != strings.NewReplacer("\u200b", "", "\u2068", "", "\u2069", "").Replace(strings.ToValidUTF8(s, "\uFFFD")) && !strings.ContainsRune(back, '\uFFFD') {
			t.Errorf("%q comes back as %q", s, back)
		}
	})
}

// TestNamesAreIsolated checks that a right-to-left name doesn't affect the text around it.
func TestNamesAreIsolated(t *testing.T) {
	for _, c := range []struct {
		text text.Text
		want string
	}{
		{text.Text{{Text: "דנה", Person: "slack:T1/U1"}, {Text: " 12 · "}, {Text: "Bob", Person: "slack:T1/U2"}, {Text: " 8"}}, "\u2068דנה\u2069 12 · Bob 8"},
		{text.Text{{Text: "سارة", Person: "slack:T1/U1", Notify: true}, {Text: ", it's your turn."}}, "\u2068<@U1>\u2069, it's your turn."},
		{text.Text{{Text: "Winner: דנה", Strong: true}, {Text: ": 12, and משה 8"}}, "*Winner: \u2068דנה\u2069*: 12, and \u2068משה\u2069 8"},
		{text.Text{{Text: "דנה 12", Code: true}}, "`\u2068דנה\u2069 12`"},
		{text.Text{{Text: "דנה 12\nBob  8", Code: true}}, "```\n\u2068דנה\u2069 12\nBob  8\n```"},
		{text.Text{{Text: "1 ד\u200e נ\u200e .\n", Code: true}}, "```\n1 ד\u200e נ\u200e .\n```"},
		{text.Text{{Text: "<!here>", Person: "slack:T1/U1"}, {Text: " 12"}}, "&lt;!here&gt; 12"},
	} {
		if got := slack.Markup(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestLinks(t *testing.T) {
	for link, want := range map[string]string{
		"https://app.slack.com/client/T1/C1": "<https://app.slack.com/client/T1/C1|open ¦ &lt;it&gt;>",
		"https://x|y":                        "open | &lt;it&gt;",
		"javascript:x":                       "open | &lt;it&gt;",
		"":                                   "open | &lt;it&gt;",
	} {
		if got := slack.Markup(text.Text{{Text: "open | <it>", Link: link}}); got != want {
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

// TestLongTextsAreCut checks that a long text is cut between lines or words, that columns are
// only cut if they don't fit, and that no piece exceeds Slack's limit.
func TestLongTextsAreCut(t *testing.T) {
	board := strings.Repeat("15 . . ' . . - . . . - . . ' . . 15\n", 20)
	words := strings.TrimSpace(strings.Repeat("abacus ", 300))
	for _, c := range []struct {
		name   string
		text   text.Text
		pieces []string // prefix of each
		fences int
	}{
		{"a board", text.Text{{Text: board, Code: true}}, []string{"```\n15 . ."}, 2},
		{"a board after many words", text.Text{{Text: strings.Repeat("word ", 550)}, {Text: board, Code: true}, {Text: "Ann is to move."}}, []string{"word word", "```\n15 . ."}, 2},
		{"a board longer than a piece", text.Text{{Text: strings.Repeat(board, 5), Code: true}}, []string{"```\n15 . .", "```\n15 . ."}, 4},
		{"many words", text.Text{{Text: words, Code: true}, {Text: words + "\n" + words}}, []string{"`abacus abacus", "abacus abacus", "abacus abacus"}, 0},
		{"many words that are escaped", text.Text{{Text: strings.Repeat("<&> ", 300)}}, []string{"&lt;&amp;&gt; ", "&lt;&amp;&gt; "}, 0},
		{"one word without end", text.Text{{Text: strings.Repeat("a", 3500)}}, []string{"aaa", "aaa"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := slack.Pieces(c.text)
			if len(got) != len(c.pieces) {
				t.Fatalf("%d pieces, want %d: %.200q", len(got), len(c.pieces), got)
			}
			for i, piece := range got {
				if n := utf8.RuneCountInString(piece); n > 3000 {
					t.Errorf("piece %d has %d characters", i, n)
				}
				if !strings.HasPrefix(piece, c.pieces[i]) {
					t.Errorf("piece %d begins %.20q, want %q", i, piece, c.pieces[i])
				}
				for _, word := range strings.Fields(strings.NewReplacer("`", " ", "```", " ").Replace(piece)) {
					if strings.HasPrefix("abacus", word) && word != "abacus" && c.name == "many words" {
						t.Errorf("the word %q is cut", word)
					}
				}
			}
			all := strings.Join(got, "")
			if n := strings.Count(all, "```"); n != c.fences {
				t.Errorf("%d fences, want %d", n, c.fences)
			}
			plain := func(s string) string {
				return strings.Join(strings.Fields(strings.NewReplacer("`", "", "&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(s)), "")
			}
			if plain(all) != plain(c.text.String()) {
				t.Error("something is missing")
			}
		})
	}
}

// TestSmallLineBecomesContext checks that a line in small type becomes a context block between the sections.
func TestSmallLineBecomesContext(t *testing.T) {
	said := text.Lines(text.Plain("Ann opens."), text.Text{text.Small(text.Say("Fair draws: {digest}", text.Code("abcd-efgh")))}, text.Plain("Join."))
	b, err := json.Marshal(slack.Sections(said))
	if want := `[{"type":"section","text":{"type":"mrkdwn","text":"Ann opens.","verbatim":true}},{"type":"context","elements":[{"type":"mrkdwn","text":"Fair draws: ` + "`abcd-efgh`" + `","verbatim":true}]},{"type":"section","text":{"type":"mrkdwn","text":"Join.","verbatim":true}}]`; err != nil || string(b) != want {
		t.Errorf("got %s, %v\nwant %s", b, err, want)
	}
}

// TestTimesAreInReadersZone checks that times are shown in each reader's zone, with a text as fallback.
func TestTimesAreInReadersZone(t *testing.T) {
	at := time.Date(2026, 3, 1, 18, 0, 0, 0, time.UTC)
	if got, want := slack.Markup(text.Text{{Text: "Sunday, 6 pm | UTC", Time: at}}), "<!date^1772388000^{date_short_pretty} {time}|Sunday, 6 pm ¦ UTC>"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
