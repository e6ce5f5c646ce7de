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

// needsGame reports whether an intent is about a game that is on.
func (of intent) needsGame() bool {
	return slices.Contains([]intent{"rack", "board picture", "pass", "exchange", "play"}, of)
}

// A wording lists how people express an intent.
type wording struct {
	intent  intent
	phrases text.Text // separated by commas; each language has its own
	more    bool      // followed by tiles, or a word and its square
}

// wordings returns the wordings of all intents. A phrase comes before the shorter
// phrases that it begins with.
func wordings() []wording {
	hello, thank := text.Item("hello, hi, hey, hiya, hello there, hi there, hey there, good morning, good afternoon, good evening"), text.Item("thanks, thank you, thank you very much, thanks a lot, thanks so much, many thanks, thx, cheers")
	return []wording{
		{greets, hello, false},
		{thanks, thank, false},
		{"help", text.Item("help, help me, what can i do, what can you do, what can i do here, how does this work, how do i play, how do you play, what now, what are the rules, commands"), false},
		{wantsGame, text.Item("new, new game, a new game, play again, again, start a game, start a new game, play a game, let's play, let's play a game, i want to play, another game, one more game, play a robot"), false},
		{"games", text.Item("games, my games, show my games, list my games, which games do i have, whose turn is it, is it my turn"), false},
		{"rack", text.Item("rack, my rack, show my rack, my tiles, show my tiles, my letters, show my letters, what are my tiles, which tiles do i have, letters, tiles, play, my turn, let me play"), false},
		{"board picture", text.Item("board, the board, show the board, show me the board, score, the score, what's the score, who is winning"), false},
		{"pass", text.Item("pass, i pass, skip, skip my turn, pass my turn, i can't play, no move"), false},
		{"exchange", text.Item("swap, swap tiles, swap my tiles, exchange tiles, exchange my tiles, new tiles, new letters, change tiles"), false},
		{"exchange", text.Item("swap tiles, swap the, swap my, swap, i swap, exchange the, exchange my, trade"), true},
		{"play", text.Item("i play, i'd like to play, play the word, play, lay, put, place"), true},
		{greets, hello, true},
		{thanks, thank, true},
	}
}

// A phrasebook holds the phrases of all languages.
type phrasebook struct {
	phrases []phrase
	ands    []string // words that join the last two things of a list
}

type phrase struct {
	wording
	words      []string
	courtesies []string // words that people add in its language
}

func newPhrasebook(locales *text.Locales) *phrasebook {
	b := &phrasebook{}
	for _, w := range wordings() {
		for _, to := range locales.All() {
			courtesies := strings.FieldsFunc(text.Item("please, rackmate").In(to).String(), func(r rune) bool { return r == ' ' || r == ',' })
			for said := range strings.SplitSeq(w.phrases.In(to).String(), ",") {
				b.phrases = append(b.phrases, phrase{w, strings.Fields(said), courtesies})
			}
		}
	}
	for _, to := range locales.All() {
		b.ands = append(b.ands, text.Item("and").In(to).String())
	}
	return b
}

// match returns the intent of a message, or "" if there is no intent. For a command, line is the
// message as the host's commands are typed.
func (b *phrasebook) match(message string) (of intent, line string) {
	fields := strings.Fields(message)
	said := make([]string, len(fields))
	for i, field := range fields {
		said[i] = trimWord(field)
	}
	for _, p := range b.phrases {
		end := p.matchWords(said)
		if end == 0 {
			continue
		}
		if p.intent == greets || p.intent == thanks {
			of, line := b.match(strings.Join(fields[end:], " "))
			return cmp.Or(of, p.intent), line
		}
		if line, ok := b.typedAs(p.wording, fields[end:]); ok {
			return p.intent, line
		}
	}
	return "", ""
}

// matchWords returns the index of the word after the phrase at the beginning of a message, or 0 if
// the message isn't the phrase. A message can end with courtesies.
func (p phrase) matchWords(said []string) (end int) {
	for _, word := range p.words {
		for end < len(said) && said[end] == "" { // an emoji, or a sign
			end++
		}
		if end == len(said) || !bot.Alike(word, said[end]) {
			return 0
		}
		end++
	}
	isCourtesy := func(s string) bool { return s == "" || isAlike(p.courtesies, s) }
	if left := slices.IndexFunc(said[end:], func(s string) bool { return !isCourtesy(s) }); (left < 0) == p.more {
		return 0
	}
	return end
}

// isAlike reports whether a typed word can stand for one of some names.
func isAlike(names []string, typed string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return bot.Alike(name, typed) })
}

// trimWord returns a word without the signs around it, or "" for an emoji.
func trimWord(word string) string {
	if len(word) > 2 && word[0] == ':' && word[len(word)-1] == ':' {
		return ""
	}
	return strings.ReplaceAll(strings.ToLower(strings.Trim(word, ".,;:!?¿¡…()\"“”„«»*_~-")), "’", "'")
}

// typedAs returns an intent as the host's commands are typed, with the rest of the message as
// options. If the rest can't be the tiles or the play that the intent needs, ok is false.
func (b *phrasebook) typedAs(w wording, rest []string) (line string, ok bool) {
	if !w.more {
		return string(w.intent), true
	}
	fields := strings.FieldsFunc(strings.Join(rest, " "), func(r rune) bool { return r == ' ' || r == ',' })
	switch {
	case len(fields) < 2:
	case w.intent == "exchange":
		if last := len(fields) - 2; last > 0 && isAlike(b.ands, fields[last]) {
			fields = slices.Delete(fields, last, last+1)
		}
		if slices.ContainsFunc(fields, func(s string) bool { return utf8.RuneCountInString(s) > 1 }) {
			return "", false
		}
	case w.intent == "play":
		i := slices.IndexFunc(fields, func(s string) bool { return isSquare(trimWord(s)) })
		if i < 1 {
			return "", false
		}
		fields = []string{fields[0], trimWord(fields[i])} // leaves out the "at" of "horn at 8h"
	}
	return strings.Join(append([]string{string(w.intent)}, fields...), " "), true
}
