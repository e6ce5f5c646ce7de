package discord_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/bot/text"
)

func TestMarkup(t *testing.T) {
	for _, c := range []struct {
		text text.Text
		want string
	}{
		{text.Text{{Text: "Ann plays "}, {Text: "HORN", Strong: true}, {Text: "."}}, "Ann plays **HORN**."},
		{text.Lines(text.Plain("Ann opens."), text.Text{text.Small(text.Say("Fair draws: {digest}", text.Code("abcd-efgh")))}), "Ann opens.\n-# Fair draws: `abcd-efgh`"},
		{text.Text{{Text: "-# quiet"}}, `\-# quiet`},
		{text.Text{{Text: "/play horn 8h", Code: true}}, "`/play horn 8h`"},
		{text.Text{{Text: "a\nb", Code: true}}, "```\na\nb\n```"},
		{text.Text{{Text: "a`b", Code: true}}, "`a'b`"},
		{text.Text{{Text: "a```b\nc", Code: true}}, "```\na'''b\nc\n```"},
		{text.Text{{Text: "Ann", Person: "discord:12", Notify: true}, {Text: ", it's your turn."}}, "<@12>, it's your turn."},
		{text.Text{{Text: "Ann", Person: "discord:12"}}, "Ann"},
		{text.Text{{Text: "*Ann*", Person: "web:12", Notify: true}}, `\*Ann\*`},
		{text.Text{{Text: "Ann", Person: "discord:1>", Notify: true}}, "Ann"},
		{text.Text{{Text: "1 Jan", Time: time.Unix(1700000000, 0)}}, "<t:1700000000:f> (<t:1700000000:R>)"},
		{text.Text{{Text: "דנה", Person: "discord:1"}, {Text: " 12 · "}, {Text: "Bob", Person: "discord:2"}, {Text: " 8"}}, "\u2068דנה\u2069 12 · Bob 8"},
		{text.Text{{Text: "דנה 12 · Bob 8 · משה כהן 7"}}, "\u2068דנה\u2069 12 · Bob 8 · \u2068משה כהן\u2069 7"},
		{text.Text{{Text: "/board of:דנה", Code: true}, {Text: " 12"}}, "`/board of:\u2068דנה\u2069` 12"},
		{text.Text{{Text: "דנה  12\nBob   8", Code: true}}, "```\n\u2068דנה\u2069  12\nBob   8\n```"},
		{text.Text{{Text: " 1 ד\u200e נ\u200e .\n", Code: true}}, "```\n 1 ד\u200e נ\u200e .\n\n```"},
		{text.Text{{Text: "Winner: דנה", Strong: true}, {Text: ": 12"}}, "**Winner: \u2068דנה\u2069**: 12"},
		{text.Text{{Text: "open [it]", Link: "https://discord.com/channels/1/2"}}, `[open \[it\]](<https://discord.com/channels/1/2>)`},
		{text.Text{{Text: "open it", Link: "javascript:x"}}, "open it"},
		{text.Text{{Text: "open it", Link: "https://x>) <@1>"}}, "open it"},
		{text.Text{{Text: "@everyone"}}, `\@everyone`},
		{text.Text{{Text: "<@&12> <#1> <:x:1>"}}, `\<\@&12\> \<#1\> \<:x:1\>`},
		{text.Text{{Text: "# Ann\n- x\n> y\n1. z\n  + w"}}, "\\# Ann\n\\- x\n\\> y\n1\\. z\n  \\+ w"},
		{text.Text{{Text: "a-b #3 12."}}, "a-b #3 12."},
		{text.Text{{Text: "x\n"}, {Text: "# Ann"}}, "x\n\\# Ann"},
		{text.Text{{Text: "[x](https://evil.example)"}}, `\[x\](https:\//evil.example)`},
		{text.Text{{Text: "discord.gg/abc", Person: "discord:1"}}, `discord.gg\/abc`},
		{text.Text{{Text: "see discordapp.com/invite/abc or 1/2"}}, `see discordapp.com\/invite/abc or 1/2`},
		{text.Text{{Text: `\*`}}, `\\\*`},
		{text.Text{{Text: "", Strong: true}}, ""},
	} {
		if got, _ := discord.Markup(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// FuzzMarkup checks that text written by people never becomes a mention and never exceeds
// Discord's limit, in any form. Long texts are repeated short ones, because a fuzzer spends
// its time shortening long inputs.
func FuzzMarkup(f *testing.F) {
	for _, s := range []string{"Ann", "@everyone", "<@12>", "```\n<@12>", "`<@12>`", "*_~|", "\\<@12>", "\\", "a\n# b", "x`", "https://x", "😀é"} {
		for _, long := range []bool{false, true} {
			f.Add(s, long, true, false)
			f.Add(s, long, false, true)
			f.Add(s, long, false, false)
		}
	}
	mention := regexp.MustCompile(`<[@#:t/]|@everyone|@here`)
	f.Fuzz(func(t *testing.T, s string, long, strong, verbatim bool) {
		if long {
			s = strings.Repeat(s, 1+2500/(len(s)+1))
		}
		content, calls := discord.Markup(text.Text{{Text: "Hello "}, {Text: s, Person: "discord:12", Strong: strong, Code: verbatim}, {Text: "."}, {Text: "Bob", Person: "discord:13", Notify: true}})
		if n := len(utf16.Encode([]rune(content))); n > 2000 {
			t.Errorf("%d units", n)
		}
		if len(calls) > 1 || len(calls) == 1 && calls[0] != "13" {
			t.Errorf("%v are called", calls)
		}
		read, closed := meaningful(content)
		if m := mention.FindString(strings.TrimSuffix(read, "<@13>")); m != "" {
			t.Errorf("%q has %q", content, m)
		}
		if !closed {
			t.Errorf("%q leaves its code open", content)
		}
	})
}

// meaningful returns the Markdown that remains without escaped characters and code. closed
// is false if code has no end.
func meaningful(content string) (left string, closed bool) {
	var b strings.Builder
	for content != "" {
		if content[0] == '\\' {
			_, n := utf8.DecodeRuneInString(content[1:])
			content = content[1+n:]
			b.WriteByte(' ')
			continue
		}
		fence := content[:len(content)-len(strings.TrimLeft(content, "`"))]
		if fence == "" {
			b.WriteByte(content[0])
			content = content[1:]
			continue
		}
		_, rest, found := strings.Cut(content[len(fence):], fence)
		if !found {
			return b.String(), false
		}
		content = rest
		b.WriteByte(' ')
	}
	return b.String(), true
}

// TestLongTextsAreCut checks that long texts are cut rather than refused, and that nobody in the
// removed part is mentioned.
func TestLongTextsAreCut(t *testing.T) {
	long := strings.Repeat("*", 1900)
	content, calls := discord.Markup(text.Text{{Text: long}, {Text: "Bob", Person: "discord:13", Notify: true}})
	if len(content) > 2000 || !strings.HasPrefix(content, `\*\*`) || !strings.Contains(content, "…") {
		t.Errorf("%d characters: %.20q", len(content), content)
	}
	if called := slices.Contains(calls, "13"); called != strings.Contains(content, "<@13>") {
		t.Errorf("called %v in %q", calls, content[len(content)-20:])
	}
}
