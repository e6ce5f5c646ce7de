package slack

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file recognizes what people ask for in plain words in direct messages with the app,
// such as "what can I do?" or "swap Q and E".

// An intent is something that people ask for in several ways.
type intent string

// The intents that aren't commands.
const (
	greets    intent = "greets"
	thanks    intent = "thanks"
	wantsGame intent = "new game"
)

// A wording lists how people express an intent.
type wording struct {
	intent  intent
	phrases text.Text // separated by commas; each language has its own
	more    bool      // followed by tiles, or a word and its square
}

// wordings returns the wordings of all intents. Longer phrases come before those that they
// begin with.
func wordings() []wording {
	hello, thank := text.Item("hello, hi, hey, hiya, hello there, hi there, hey there, good morning, good afternoon, good evening"), text.Item("thanks, thank you, thank you very much, thanks a lot, thanks so much, many thanks, thx, cheers")
	return []wording{
		{greets, hello, false},
		{thanks, thank, false},
		{"help", text.Item("help, help me, what can i do, what can you do, what can i do here, how does this work, how do i play, how do you play, what now, what are the rules, commands"), false},
		{wantsGame, text.Item("new, new game, a new game, play again, again, start a game, start a new game, play a game, let's play, let's play a game, i want to play, another game, one more game, play a robot"), false},
		{"games", text.Item("games, my games, show my games, list my games, which games do i have, whose turn is it, is it my turn"), false},
		{"rack", text.Item("rack, my rack, show my rack, my tiles, show my tiles, my letters, show my letters, what are my tiles, which tiles do i have, letters, tiles, play, my turn, let me play"), false},
		{"board", text.Item("board, the board, show the board, show me the board, score, the score, what's the score, who is winning"), false},
		{"pass", text.Item("pass, i pass, skip, skip my turn, pass my turn, i can't play, no move"), false},
		{"exchange", text.Item("swap, swap tiles, swap my tiles, exchange tiles, exchange my tiles, new tiles, new letters, change tiles"), false},
		{"exchange", text.Item("swap tiles, swap the, swap my, swap, i swap, exchange the, exchange my, trade"), true},
		{"play", text.Item("i play, i'd like to play, play the word, play, lay, put, place"), true},
		{greets, hello, true},
		{thanks, thank, true},
	}
}

// intended returns the intent of a message, or "" if it has none. For a command, line is the
// message as the host's commands are typed.
func (n names) intended(message string) (of intent, line string) {
	fields := strings.Fields(message)
	said := make([]string, len(fields))
	for i, field := range fields {
		said[i] = spoken(field)
	}
	for _, w := range wordings() {
		for _, to := range n.tongues.All() {
			for phrase := range strings.SplitSeq(w.phrases.In(to).String(), ",") {
				end := w.after(said, strings.Fields(phrase), courtesies(to))
				if end == 0 {
					continue
				}
				if w.intent == greets || w.intent == thanks {
					of, line := n.intended(strings.Join(fields[end:], " "))
					return cmp.Or(of, w.intent), line
				}
				if line, ok := n.typedAs(w.intent, fields[end:], w.more); ok {
					return w.intent, line
				}
			}
		}
	}
	return "", ""
}

// after returns the index of the word after a phrase at the beginning of a message, or 0 if
// the message isn't the phrase. A message can end with courtesies.
func (w wording) after(said, phrase, courtesies []string) (end int) {
	for _, word := range phrase {
		for end < len(said) && said[end] == "" { // an emoji, or a sign
			end++
		}
		if end == len(said) || !bot.Alike(spoken(word), said[end]) {
			return 0
		}
		end++
	}
	isCourtesy := func(s string) bool {
		return s == "" || slices.ContainsFunc(courtesies, func(c string) bool { return bot.Alike(c, s) })
	}
	if left := slices.IndexFunc(said[end:], func(s string) bool { return !isCourtesy(s) }); (left < 0) == w.more {
		return 0
	}
	return end
}

// courtesies returns the words that people add to what they ask for.
func courtesies(to *text.Tongue) []string {
	return strings.Fields(strings.ReplaceAll(text.Item("please, rackmate").In(to).String(), ",", " "))
}

// spoken returns a word without the signs around it, or "" for an emoji.
func spoken(word string) string {
	if len(word) > 2 && word[0] == ':' && word[len(word)-1] == ':' {
		return ""
	}
	return strings.ReplaceAll(strings.ToLower(strings.Trim(word, ".,;:!?¿¡…()\"“”„«»*_~-")), "’", "'")
}

// typedAs returns an intent as the host's commands are typed, with the rest of the message as
// options. If the rest can't be the tiles or the play that the intent needs, ok is false.
func (n names) typedAs(of intent, rest []string, more bool) (line string, ok bool) {
	if !more {
		return string(of), true
	}
	fields := strings.FieldsFunc(strings.Join(rest, " "), func(r rune) bool { return r == ' ' || r == ',' })
	switch {
	case len(fields) < 2:
	case of == "exchange":
		if last := len(fields) - 2; last > 0 && n.joins(fields[last]) {
			fields = slices.Delete(fields, last, last+1)
		}
		if slices.ContainsFunc(fields, func(s string) bool { return utf8.RuneCountInString(s) > 1 }) {
			return "", false
		}
	case of == "play":
		i := slices.IndexFunc(fields, func(s string) bool { return isSquare(spoken(s)) })
		if i < 1 {
			return "", false
		}
		fields = []string{fields[0], spoken(fields[i])} // leaves out the "at" of "horn at 8h"
	}
	return strings.Join(append([]string{string(of)}, fields...), " "), true
}

// joins reports whether a word joins the last two things of a list, like "and".
func (n names) joins(word string) bool {
	return slices.ContainsFunc(n.tongues.All(), func(to *text.Tongue) bool {
		return bot.Alike(text.Item("and").In(to).String(), word)
	})
}
