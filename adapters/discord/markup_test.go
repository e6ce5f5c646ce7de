package discord_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/bot"
)

func TestMarkup(t *testing.T) {
	for _, c := range []struct {
		text bot.Text
		want string
	}{
		{bot.Text{{Text: "Ann plays "}, {Text: "HORN", Strong: true}, {Text: "."}}, "Ann plays **HORN**."},
		{bot.Text{{Text: "/play horn 8h", Code: true}}, "`/play horn 8h`"},
		{bot.Text{{Text: "a\nb", Code: true}}, "```\na\nb\n```"},
		{bot.Text{{Text: "a`b", Code: true}}, "`a'b`"},
		{bot.Text{{Text: "a```b\nc", Code: true}}, "```\na'''b\nc\n```"},
		{bot.Text{{Text: "Ann", Person: "discord:12", Notify: true}, {Text: ", it's your turn."}}, "<@12>, it's your turn."},
		{bot.Text{{Text: "Ann", Person: "discord:12"}}, "Ann"},
		{bot.Text{{Text: "*Ann*", Person: "web:12", Notify: true}}, `\*Ann\*`},
		{bot.Text{{Text: "Ann", Person: "discord:1>", Notify: true}}, "Ann"},
		{bot.Text{{Text: "1 Jan", Time: time.Unix(1700000000, 0)}}, "<t:1700000000:f>"},
		{bot.Text{{Text: "@everyone"}}, `\@everyone`},
		{bot.Text{{Text: "<@&12> <#1> <:x:1>"}}, `\<\@&12\> \<#1\> \<:x:1\>`},
		{bot.Text{{Text: "# Ann\n- x\n> y\n1. z\n  + w"}}, "\\# Ann\n\\- x\n\\> y\n1\\. z\n  \\+ w"},
		{bot.Text{{Text: "a-b #3 12."}}, "a-b #3 12."},
		{bot.Text{{Text: "x\n"}, {Text: "# Ann"}}, "x\n\\# Ann"},
		{bot.Text{{Text: "[x](https://evil.example)"}}, `\[x\](https:\//evil.example)`},
		{bot.Text{{Text: `\*`}}, `\\\*`},
		{bot.Text{{Text: "", Strong: true}}, ""},
	} {
		if got, _ := discord.Markup(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// What people wrote never becomes a mention or more than Discord takes,
// whatever it is and whichever way it is shown.
func FuzzMarkup(f *testing.F) {
	for _, s := range []string{"Ann", "@everyone", "<@12>", "```\n<@12>", "`<@12>`", "*_~|", "\\<@12>", "\\", "a\n# b", "x`", strings.Repeat("*", 3000), "https://x", "😀" + strings.Repeat("é", 1999)} {
		f.Add(s, true, false)
		f.Add(s, false, true)
		f.Add(s, false, false)
	}
	code := regexp.MustCompile("(?s)```.*?```|`[^`]*`")
	mention := regexp.MustCompile(`(^|[^\\])(\\\\)*(<[@#:t/]|@everyone|@here)`)
	f.Fuzz(func(t *testing.T, s string, strong, verbatim bool) {
		content, calls := discord.Markup(bot.Text{{Text: "Hello "}, {Text: s, Person: "discord:12", Strong: strong, Code: verbatim}, {Text: "."}, {Text: "Bob", Person: "discord:13", Notify: true}})
		if n := len(utf16.Encode([]rune(content))); n > 2000 {
			t.Errorf("%d units", n)
		}
		if len(calls) > 1 || len(calls) == 1 && calls[0] != "13" {
			t.Errorf("%v are called", calls)
		}
		shown := strings.ReplaceAll(code.ReplaceAllString(content, ""), "<@13>", "")
		if m := mention.FindString(shown); m != "" {
			t.Errorf("%q has %q", content, m)
		}
		if verbatim && strings.Count(content, "`")%2 != 0 {
			t.Errorf("%q leaves its code", content)
		}
	})
}

// Long texts are cut and not refused, and who is cut off is not called.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("*", 1900)
	content, calls := discord.Markup(bot.Text{{Text: long}, {Text: "Bob", Person: "discord:13", Notify: true}})
	if len(content) > 2000 || !strings.HasPrefix(content, `\*\*`) || !strings.Contains(content, "…") {
		t.Errorf("%d characters: %.20q", len(content), content)
	}
	if called := slices.Contains(calls, "13"); called != strings.Contains(content, "<@13>") {
		t.Errorf("called %v in %q", calls, content[len(content)-20:])
	}
}
