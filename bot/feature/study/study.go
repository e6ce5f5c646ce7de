package study

import (
	"context"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

func (f *Feature) check(ctx context.Context, req bot.Request) (bot.Reply, error) {
	lex, set, err := f.wordList(ctx, req, false)
	if err != nil {
		return bot.Reply{}, err
	}
	typed := bot.SplitList(req.Args["words"])
	if len(typed) == 0 {
		check := f.commands()[0].Command
		return words.Refuse(bot.Missing(check, check.Options[0])), nil
	}
	const most = 25
	lines := []text.Text{text.Say("In the word list {list}:", text.Code(lex.Name()))}
	for _, w := range typed[:min(len(typed), most)] {
		shown := text.Shorten(set.Alphabet().Upper(w), bot.MaxName)
		if word, err := set.Alphabet().Parse(w); err == nil && lex.Has(word) {
			lines = append(lines, text.Item("✓ {word} is valid", shown))
		} else {
			lines = append(lines, text.Item("✗ {word} is not valid", shown))
		}
	}
	if more := len(typed) - most; more > 0 {
		lines = append(lines, text.Say("I can look up {most} words at a time. Ask again for the other {n}.", most, more))
	}
	return bot.Reply{Text: text.Lines(lines...)}, nil
}

// This file searches the word list. A player in any game whose rules forbid word checks
// can't search until it is over. A player in a game with others and without hints can check
// words, but not find them.

// wordList returns the list in which a person may look up words or, if find is true, search
// for them, and its tiles. It is the list of the channel's table, or the one that a new
// table there would get.
func (f *Feature) wordList(ctx context.Context, req bot.Request, find bool) (*lexicon.Lexicon, *game.TileSet, error) {
	playing, err := f.desk.TablesOf(ctx, req.User.ID)
	if err != nil {
		return nil, nil, err
	}
	unhinted := false
	for _, id := range playing {
		t, err := f.desk.Load(ctx, bot.Request{Table: id})
		if err != nil {
			return nil, nil, err
		}
		if !t.Rules.WordCheck {
			return nil, nil, words.Refusing("You're in a game whose rules don't let you look words up until it's over. Ask again then.")
		}
		unhinted = unhinted || !t.Rules.Hints && len(t.Seats) > 1
	}
	if find && unhinted {
		return nil, nil, words.Refusing("You're in a game without hints. Until it's over, you can only look words up with {check}.", text.Code("/check"))
	}
	t, err := f.desk.Load(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	id, set := t.Lexicon, t.Equipment.Tiles
	if t.Phase == game.NoTable {
		if id.Name, err = f.desk.Rule(ctx, req.Channel, "lexicon"); err != nil {
			return nil, nil, err
		}
		set = f.desk.Lists().TilesOf(id.Name)
		if list := f.desk.Lists().Lexicon(id, set); list != nil {
			if id, err = f.settings.OwnID(ctx, req, list); err != nil {
				return nil, nil, err
			}
		}
	}
	lex, err := f.desk.Lists().Dictionary(game.State{Lexicon: id, Equipment: game.Equipment{Tiles: set}})
	return lex, set, err
}

// anagram lists the words that letters make.
func (f *Feature) anagram(ctx context.Context, req bot.Request) (bot.Reply, error) {
	lex, set, err := f.wordList(ctx, req, true)
	if err != nil {
		return bot.Reply{}, err
	}
	tiles, err := table.TypedTiles(set, req.Args["letters"], func(game.Tiles) bool { return true })
	if err != nil || len(tiles) > lexicon.MaxWord {
		return words.Refuse(text.Say("{typed} isn't a rack. Type up to {most} letters, with {blank} for a blank.", text.Code(text.Shorten(req.Args["letters"], bot.MaxName)), lexicon.MaxWord, text.Code("?"))), nil
	}
	if err := f.guard(ctx, req.User.ID, tiles); err != nil {
		return bot.Reply{}, err
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
		return bot.Reply{Text: listFound(lex, lex.Subanagrams(word, blanks), func(n int, list text.Span) text.Text {
			return text.Say("{letters}, in whole or in part, makes {n, plural, =0 {no word} one {# word} other {# words}} in the list {list}.", text.Code(what), n, list)
		})}, nil
	}
	return bot.Reply{
		Text: listFound(lex, lex.Anagrams(word, blanks), func(n int, list text.Span) text.Text {
			return text.Say("{letters} makes {n, plural, =0 {no word} one {# word} other {# words}} in the list {list}.", text.Code(what), n, list)
		}),
		Buttons: []bot.Button{{ID: bot.ButtonID(0, 0, "anagram", map[string]string{"letters": what, "shorter": "true"}), Label: text.Say("Shorter words too")}},
	}, nil
}

// pattern lists the words that match a pattern.
func (f *Feature) pattern(ctx context.Context, req bot.Request) (bot.Reply, error) {
	lex, set, err := f.wordList(ctx, req, true)
	if err != nil {
		return bot.Reply{}, err
	}
	said := req.Args["pattern"]
	p, err := lexicon.ParsePattern(lex.Alphabet(), said)
	if err != nil {
		return words.Refuse(text.Say("{typed} isn't a pattern. Type up to {most} letters, with {any} for any letter and {run} for any run of letters.", text.Code(text.Shorten(said, bot.MaxName)), lexicon.MaxWord, text.Code("?"), text.Code("*"))), nil
	}
	if err := f.guard(ctx, req.User.ID, lettersOf(set, said)); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: listFound(lex, lex.Match(p), func(n int, list text.Span) text.Text {
		return text.Say("{pattern} fits {n, plural, =0 {no word} one {# word} other {# words}} in the list {list}.", text.Code(text.Shorten(lex.Alphabet().Upper(said), bot.MaxName)), n, list)
	})}, nil
}

// lettersOf returns the letters of a pattern as tiles.
func lettersOf(set *game.TileSet, pattern string) game.Tiles {
	word, err := set.Alphabet().Parse(strings.Map(func(r rune) rune {
		if strings.ContainsRune("?.*", r) {
			return -1
		}
		return r
	}, pattern))
	if err != nil {
		return ""
	}
	tiles := make([]game.Tile, len(word))
	for i := range word {
		tiles[i] = game.LetterTile(lexicon.Letter(word[i]))
	}
	return game.TilesOf(tiles...)
}

// hooks lists the words that one letter before or after a word makes.
func (f *Feature) hooks(ctx context.Context, req bot.Request) (bot.Reply, error) {
	lex, _, err := f.wordList(ctx, req, true)
	if err != nil {
		return bot.Reply{}, err
	}
	a := lex.Alphabet()
	w, err := a.Parse(req.Args["word"])
	if err != nil || len(w) > lexicon.MaxWord {
		return words.Refuse(text.Say("{typed} isn't a word. Type just its letters, up to {most} of them.", text.Code(text.Shorten(req.Args["word"], bot.MaxName)), lexicon.MaxWord)), nil
	}
	lines := []text.Text{text.Say("{word} is valid in the word list {list}.", text.Strong(a.String(w)), text.Code(lex.Name()))}
	if !lex.Has(w) {
		lines[0] = text.Say("{word} is not valid in the word list {list}.", text.Strong(a.String(w)), text.Code(lex.Name()))
	}
	front, back := lex.Hooks(w)
	side := func(hooks []lexicon.Letter, with func(hook lexicon.Word) lexicon.Word, none text.Text, say func(n int, letters, made text.Span) text.Text) {
		if len(hooks) == 0 {
			lines = append(lines, none)
			return
		}
		var letters, made []string
		for _, l := range hooks {
			letters = append(letters, a.Text(l))
			made = append(made, a.String(with(lexicon.Word([]byte{byte(l)}))))
		}
		lines = append(lines, say(len(hooks), text.Strong(strings.Join(letters, " ")), text.Code(strings.Join(made, " "))))
	}
	side(front, func(hook lexicon.Word) lexicon.Word { return hook + w }, text.Say("Nothing can go before it."), func(n int, letters, made text.Span) text.Text {
		return text.Say("{n, plural, one {You can add {letters} before it: {words}} other {You can add these before it: {letters}: {words}}}", n, letters, made)
	})
	side(back, func(hook lexicon.Word) lexicon.Word { return w + hook }, text.Say("Nothing can go after it."), func(n int, letters, made text.Span) text.Text {
		return text.Say("{n, plural, one {You can add {letters} after it: {words}} other {You can add these after it: {letters}: {words}}}", n, letters, made)
	})
	return bot.Reply{Text: text.Lines(lines...)}, nil
}

// listFound lists words by length, longest first, as many as fit into a message, with the count
// of each length. say describes the total.
func listFound(lex *lexicon.Lexicon, all iter.Seq[lexicon.Word], say func(n int, list text.Span) text.Text) text.Text {
	const room = bot.MaxText - 500 // characters for the words; the rest is for counts
	var total int
	var of [lexicon.MaxWord + 1]struct { // indexed by length
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
	lines := []text.Text{say(total, text.Code(lex.Name()))}
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
		most, more := text.Code(strings.Join(l.words[:shown], " ")), l.n-shown
		switch {
		case shown == 0:
			lines = append(lines, text.Say("{length, plural, one {# letter} other {# letters}}: {n}", length, l.n))
		case more == 0:
			lines = append(lines, text.Say("{length, plural, one {# letter} other {# letters}}: {n} {words}", length, l.n, most))
		default:
			lines = append(lines, text.Say("{length, plural, one {# letter} other {# letters}}: {n} {words} and {more} more", length, l.n, most, more))
		}
	}
	return text.Lines(lines...)
}
