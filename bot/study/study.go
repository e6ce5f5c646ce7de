package study

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

func check(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	lex, set, err := wordList(ctx, h, req)
	if err != nil {
		return bot.Reply{}, err
	}
	typed := bot.Listed(req.Args["words"])
	if len(typed) == 0 {
		c, _ := h.Commands().Find("check")
		return words.Refuse(bot.Missing(c, c.Options[0])), nil
	}
	const most = 25
	var lines []string
	for _, w := range typed[:min(len(typed), most)] {
		mark, is := "✗ ", " is not valid"
		if word, err := set.Alphabet().Parse(w); err == nil && lex.Has(word) {
			mark, is = "✓ ", " is valid"
		}
		lines = append(lines, mark+bot.Shorten(set.Alphabet().Upper(w), bot.MaxName)+is)
	}
	if more := len(typed) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("I look %d words up at a time: ask again for the other %d.", most, more))
	}
	return bot.Reply{Text: bot.Glue("In the word list ", bot.Code(lex.Name()), ":\n", strings.Join(lines, "\n"))}, nil
}

// This file has the commands that search the word list. They are refused to
// whoever is in a game, in any channel, whose rules keep the list shut until it
// is over.

// wordList is the list that a person may look words up in: that of the
// channel's table, or else the one that tables get there; and the tiles that
// it is spelled with.
func wordList(ctx context.Context, h *host.Host, req bot.Request) (*lexicon.Lexicon, *game.TileSet, error) {
	playing, err := h.Store.Playing(ctx, req.User.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range playing {
		t, err := h.Load(ctx, bot.Request{Table: id})
		if err != nil {
			return nil, nil, err
		}
		if !t.Rules.WordCheck {
			return nil, nil, words.RefusingGlue("You are in a game whose rules don't let you look words up until it is over. Ask again then.")
		}
	}
	t, err := h.Load(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	id, set := t.Lexicon, t.Equipment.Tiles
	if t.Phase == game.NoTable {
		if id.Name, err = h.HouseRule(ctx, req.Channel, "lexicon"); err != nil {
			return nil, nil, err
		}
		set = h.TilesOf(id.Name)
		if list := h.Lexicon(id, set); list != nil {
			if id, err = h.OwnID(ctx, req, list); err != nil {
				return nil, nil, err
			}
		}
	}
	lex, err := h.Dictionary(game.State{Lexicon: id, Equipment: game.Equipment{Tiles: set}})
	return lex, set, err
}

// anagram lists the words that letters make.
func anagram(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	lex, set, err := wordList(ctx, h, req)
	if err != nil {
		return bot.Reply{}, err
	}
	tiles, err := table.TypedTiles(set, req.Args["letters"])
	if err != nil || len(tiles) > lexicon.MaxWord {
		return words.Refuse(bot.Glue(bot.Code(bot.Shorten(req.Args["letters"], bot.MaxName)), " is no rack of letters. Type up to ", lexicon.MaxWord, " letters, and ", bot.Code("?"), " for a blank.")), nil
	}
	var letters []byte
	for i := range len(tiles) {
		if t := tiles.At(i); !t.IsBlank() {
			letters = append(letters, byte(t.Letter()))
		}
	}
	word, blanks := lexicon.Word(letters), len(tiles)-len(letters)
	what := set.Print(tiles)
	shorter, err := words.YesNo(req.Args, "shorter", false)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case shorter:
		return bot.Reply{Text: found(lex, what, "and its parts make", lex.Subanagrams(word, blanks))}, nil
	}
	return bot.Reply{
		Text:    found(lex, what, "makes", lex.Anagrams(word, blanks)),
		Buttons: []bot.Button{{ID: bot.ButtonID(0, 0, "anagram", map[string]string{"letters": what, "shorter": "true"}), Label: bot.Say("Shorter words too")}},
	}, nil
}

// pattern lists the words of a shape.
func pattern(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	lex, _, err := wordList(ctx, h, req)
	if err != nil {
		return bot.Reply{}, err
	}
	text := req.Args["pattern"]
	p, err := lexicon.ParsePattern(lex.Alphabet(), text)
	if err != nil {
		return words.Refuse(bot.Glue(bot.Code(bot.Shorten(text, bot.MaxName)), " is no pattern. Type up to ", lexicon.MaxWord, " letters, ", bot.Code("?"), " for any letter, ", bot.Code("*"), " for any run of letters.")), nil
	}
	return bot.Reply{Text: found(lex, bot.Shorten(lex.Alphabet().Upper(text), bot.MaxName), "fits", lex.Match(p))}, nil
}

// hooks lists the words that one more letter before or after a word makes.
func hooks(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	lex, _, err := wordList(ctx, h, req)
	if err != nil {
		return bot.Reply{}, err
	}
	a := lex.Alphabet()
	w, err := a.Parse(req.Args["word"])
	if err != nil || len(w) > lexicon.MaxWord {
		return words.Refuse(bot.Glue(bot.Code(bot.Shorten(req.Args["word"], bot.MaxName)), " is no word. Type its letters alone, up to ", lexicon.MaxWord, " of them.")), nil
	}
	valid := " is valid"
	if !lex.Has(w) {
		valid = " is not valid"
	}
	text := bot.Glue(bot.Strong(a.String(w)), valid, " in the word list ", bot.Code(lex.Name()), ".")
	front, back := lex.Hooks(w)
	side := func(where string, hooks []lexicon.Letter, with func(hook lexicon.Word) lexicon.Word) {
		if len(hooks) == 0 {
			text = bot.Glue(text, "\nNothing goes ", where, " it.")
			return
		}
		var letters, made []string
		for _, l := range hooks {
			letters = append(letters, a.Text(l))
			made = append(made, a.String(with(lexicon.Word([]byte{byte(l)}))))
		}
		text = bot.Glue(text, "\n", strings.ToUpper(where[:1]), where[1:], " it ", words.Verb(len(hooks), "goes ", "go "), bot.Strong(strings.Join(letters, " ")), ": ", bot.Code(strings.Join(made, " ")))
	}
	side("before", front, func(hook lexicon.Word) lexicon.Word { return hook + w })
	side("after", back, func(hook lexicon.Word) lexicon.Word { return w + hook })
	return bot.Reply{Text: text}, nil
}

// found lists words by length, the longest first, as many as a message has room
// for, with the numbers of all.
func found(lex *lexicon.Lexicon, what, does string, all iter.Seq[lexicon.Word]) bot.Text {
	const room = bot.MaxText - 500 // for the words; the rest is for the numbers
	var total int
	var of [lexicon.MaxWord + 1]struct { // by length
		n     int
		words []string // the first of them
		chars int
	}
	for w := range all {
		l := &of[len(w)]
		total, l.n = total+1, l.n+1
		if l.chars < room {
			l.words = append(l.words, lex.Alphabet().String(w))
			l.chars += utf8.RuneCountInString(l.words[l.n-1]) + 1
		}
	}
	if total == 0 {
		return bot.Glue(bot.Code(what), " ", does, " no word in the list ", bot.Code(lex.Name()), ".")
	}
	text := bot.Glue(bot.Code(what), " ", does, " ", words.Count(total, "word"), " in the list ", bot.Code(lex.Name()), ".")
	left := room
	for length := len(of) - 1; length > 0; length-- {
		l := of[length]
		if l.n == 0 {
			continue
		}
		shown := 0
		for shown < len(l.words) && left > 0 {
			left -= utf8.RuneCountInString(l.words[shown]) + 1
			shown++
		}
		text = bot.Glue(text, "\n", words.Count(length, "letter"), ": ", l.n)
		if shown > 0 {
			text = bot.Glue(text, " ", bot.Code(strings.Join(l.words[:shown], " ")))
		}
		if more := l.n - shown; more > 0 && shown > 0 {
			text = bot.Glue(text, fmt.Sprintf(" and %d more", more))
		}
	}
	return text
}
