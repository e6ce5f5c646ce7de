package words

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// hintLine counts the hints that the players of a game took. It returns nil if there were
// none.
func hintLine(s game.State) text.Text {
	var who []text.Text
	for _, seat := range s.Seats {
		if seat.Hints > 0 {
			who = append(who, text.Say("{who} asked for {n, plural, one {# hint} other {# hints}}", text.PlainName(seat.Person), seat.Hints))
		}
	}
	if len(who) == 0 {
		return nil
	}
	return text.Say("{list}.", text.List(who))
}

// SpacedTiles returns a rack letter by letter: "A E I ?".
func SpacedTiles(set *game.TileSet, ts game.Tiles) string {
	var out []string
	for i := range len(ts) {
		out = append(out, set.Text(ts.At(i)))
	}
	return strings.Join(out, " ")
}

// Standing describes a game's standing: the scores, and whose turn it is.
func Standing(t table.Table) text.Text {
	switch t.Phase {
	case game.Playing:
		if status := t.Variant.Status; status != nil {
			return status(t, len(t.Events), t.State)
		}
		return text.Lines(ScoreLine(t), text.Say("It's {who}'s turn.", text.Name(t.Seats[t.Turn].Person)))
	case game.Closing:
		return text.Lines(ScoreLine(t), text.Say("The last play can be challenged until {time}.", Clock(t.Until)))
	}
	return text.Say("The game is over. {last}.", Caption(t))
}

// StandingFor describes a game's standing to the player in a seat.
func StandingFor(t table.Table, seat int) text.Text {
	if t.Phase != game.Playing || t.Variant.Status != nil || t.Turn != seat {
		return Standing(t)
	}
	return text.Lines(ScoreLine(t), text.Text{text.Strong(text.Say("It's your turn."))})
}

// Invitation tells an invited player who waits for them at a table.
func Invitation(t table.Table) text.Text {
	return text.Say("{who} invites you to a game.", text.Name(t.Host))
}

// JoinButton returns the button that takes a seat at a table.
func JoinButton(t table.Table) bot.Button {
	return t.Button(text.Say("Join"), "join", bot.Primary, nil)
}

// sentenceCase returns s with a capital first letter.
func sentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// WhatToDo explains what a player can do at the table, after a mistake.
func WhatToDo(t table.Table) text.Text {
	if v := t.Variant; v.Turn != nil {
		return v.Turn(t)
	}
	return text.Say("Play a word with {play}, or {exchange} tiles, or {pass}.", text.Code("/play"), text.Code("/exchange"), text.Code("/pass"))
}

// This file describes what happened; explain.go explains why something can't be done.

// Story describes a table's events from number from on, and the standing after them. now is
// the table today: players are called only to a turn that is still theirs.
func Story(t table.Table, from int, now game.State) (text.Text, error) {
	before, err := t.At(from)
	if err != nil {
		return nil, err
	}
	var lines []text.Text
	s := before.State
	for _, e := range t.Events[from:] {
		if line := Sentence(t.Variant, s, e); len(line) > 0 {
			lines = append(lines, line)
		}
		s = s.Apply(e)
	}
	if begins := beginsLine(t, from, before); begins != nil && t.Phase == game.Playing && t.Variant.Status == nil {
		return text.Lines(begins, text.Sentences(turnLine(t, true, now), electLine(t, now), lateLine(t, true, now))), nil
	}
	switch t.Phase {
	case game.Lobby:
		if lobby := t.Variant.Lobby; lobby != nil {
			lines = append(lines, lobby(t))
			break
		}
		lines = append(lines, lobbyLine(t, from == 0))
	case game.Voting:
		lines = append(lines, pollLine(t, before.Phase != game.Voting, now))
	case game.Playing:
		if status := t.Variant.Status; status != nil {
			lines = append(lines, status(t, from, now))
			break
		}
		began := before.Phase != game.Playing || before.Turns != t.Turns || before.Turn != t.Turn || !before.Began.Equal(t.Began)
		lines = append(lines, ScoreLine(t), agreeLine(t, now), turnLine(t, began, now), electLine(t, now), lateLine(t, !before.Claimable(), now))
	case game.Closing:
		lines = append(lines, ScoreLine(t), closingLine(t, before.Phase != game.Closing, now))
	}
	return text.Lines(lines...), nil
}

// beginsLine returns the line for the beginning of a game, which replaces the lines about
// sitting down and drawing. It is nil unless the events from number from on end with it.
func beginsLine(t table.Table, from int, before table.Table) text.Text {
	begun := before.Phase == game.Lobby || before.Phase == game.NoTable
	if _, dealt := t.Events[len(t.Events)-1].Fact.(game.Dealt); !begun || !dealt || len(t.Seats) == 1 {
		return nil
	}
	var opened text.Text
	for _, e := range t.Events[from:] {
		if o, ok := e.Fact.(game.Opened); ok {
			if len(o.Earlier) > 0 {
				return nil // the second game of a match says which one it is
			}
			opened = settings(t.Variant, o)
		}
	}
	var names []text.Span
	for _, seat := range t.Seats {
		names = append(names, text.Name(seat.Person))
	}
	if opened != nil {
		return text.Say("{names} play: {settings}.", text.List(names), opened)
	}
	return text.Sentences(matchLine(before.State), text.Say("{names} play.", text.List(names)))
}

// LobbyStory describes a lobby in one message: how it was opened, and who is there now. It
// notifies no one.
func LobbyStory(t table.Table) text.Text {
	lines := []text.Text{Sentence(t.Variant, game.State{}, t.Events[0])}
	if lobby := t.Variant.Lobby; lobby != nil {
		lines = append(lines, lobby(t))
	} else {
		lines = append(lines, lobbyLine(t, false))
	}
	return text.Lines(lines...)
}

// Sentence describes one event for everyone; before is the state it happened in. It returns
// nil for events that are private or described elsewhere.
func Sentence(v table.Variant, before game.State, e game.Event) text.Text {
	if t, ok := v.Describe(before, e.Fact); ok {
		return t.Sentence
	}
	who := func(seat int) text.Span { return text.Name(before.Seats[seat].Person) }
	switch f := e.Fact.(type) {
	case game.Opened:
		return openedSentence(v, f)
	case game.Joined:
		if f.Person.ID == before.Host.ID {
			return nil
		}
		return text.Say("{who} sits down.", text.Name(f.Person))
	case game.Left:
		return text.Say("{who} leaves the table.", who(f.Seat))
	case game.Closed:
		return text.Say("The table is closed. {new} opens another.", text.Code("/new"))
	case game.Polled, game.Balloted, game.Ordered:
		return orderSentence(before, f)
	case game.OrderDrawn:
		return drawnSentence(before, f)
	case game.Dealt:
		return text.Sentences(matchLine(before), text.Say("{who} goes first.", who(f.First)))
	case game.Played:
		return playedSentence(before, f)
	case game.Exchanged:
		return text.Say("{who} exchanges {n, plural, one {# tile} other {# tiles}}.", who(f.Seat), len(f.Put))
	case game.Passed:
		return text.Say("{who} passes.", who(f.Seat))
	case game.TurnLost:
		return text.Say("{who} misses a turn for the wrong challenge.", who(f.Seat))
	case game.Challenged:
		return challengeSentence(before, f)
	case game.LastPlay:
		return text.Say("That was {who}'s last tile.", who(before.Latest.Seat))
	case game.Accepted:
		return text.Say("{who} accepts it.", who(f.Seat))
	case game.Resigned:
		if before.Late && before.Turn == f.Seat || before.Seats[f.Seat].Vacant {
			return paceSentence(before, e)
		}
		t := text.Say("{who} resigns.", who(f.Seat))
		if len(before.Active()) > 2 {
			t = text.Sentences(t, text.Say("Their tiles go out of play."))
		}
		return t
	case game.Agreed:
		return agreedSentence(before, f)
	case game.Ended:
		return EndSentence(before, f)
	}
	return paceSentence(before, e)
}

// openedSentence describes the opening of a table.
func openedSentence(v table.Variant, f game.Opened) text.Text {
	switch {
	case len(f.Earlier) > 0:
		return text.Say("The second game of the match of {one} and {other}: {settings}. {first} goes first.",
			text.Name(f.Earlier[0].Player), text.Name(f.Earlier[1].Player), settings(v, f), text.Name(f.First))
	case f.First.ID != "":
		return text.Say("{host} wants a rematch: {settings}. {first} goes first.", text.Name(f.Host), settings(v, f), text.Name(f.First))
	}
	return text.Say("{host} wants to play: {settings}.", text.Name(f.Host), settings(v, f))
}

// DescribeDraws describes the draws for the first turn of a game. It returns nil if there were none.
func DescribeDraws(t table.Table) text.Text {
	var lines []text.Text
	var s game.State
	for _, e := range t.Events {
		if drawn, ok := e.Fact.(game.OrderDrawn); ok {
			lines = append(lines, drawnSentence(s, drawn))
		}
		s = s.Apply(e)
	}
	return text.Lines(lines...)
}

// drawnSentence describes the draw for the first turn.
func drawnSentence(before game.State, f game.OrderDrawn) text.Text {
	set := before.Equipment.Tiles
	var drew []text.Text
	for i, seat := range f.Seats {
		drew = append(drew, text.Say("{who} draws {tile}", text.PlainName(before.Seats[seat].Person), tileName(set, f.Tiles.At(i))))
	}
	t := text.Say("For the first turn, {draws}.", text.List(drew))
	if len(f.Best()) > 1 {
		t = text.Sentences(t, text.Say("Those tied for best draw again."))
	}
	return t
}

// playedSentence describes a play and its score.
func playedSentence(before game.State, f game.Played) text.Text {
	who, set := text.Name(before.Seats[f.Seat].Person), before.Equipment.Tiles
	word, at := text.Strong(PlainWord(set, f.Words[0].Tiles)), f.Move.At.At(f.Move.Dir)
	t := text.Say("{who} plays {word} at {square} for {score}.", who, word, at, text.Strong(f.Score))
	if sums := SumsOf(set, f); sums != nil {
		t = text.Say("{who} plays {word} at {square} for {score} ({sums}).", who, word, at, text.Strong(f.Score), sums)
	}
	if before.Rules.Bonus > 0 && len(f.Move.LaidSquares()) >= before.Rules.BonusTiles {
		t = text.Sentences(text.Glue(text.Strong(text.Say("Bingo!"))), t)
	}
	return t
}

// agreedSentence describes a player's wish to end the game here.
func agreedSentence(before game.State, f game.Agreed) text.Text {
	who := text.Name(before.Seats[f.Seat].Person)
	if !before.Rules.Agreement {
		return text.Say("{who} ends the game here.", who) // any player could do so
	}
	for _, i := range before.Active() {
		if before.Seats[i].Agreed {
			return text.Say("{who} agrees to end the game here.", who)
		}
	}
	return text.Say("{who} would like to end the game here. It ends when everybody agrees.", who)
}

// settings describes a table's settings in a line. It leaves out what the classic rules say.
func settings(v table.Variant, f game.Opened) text.Text {
	r := f.Rules
	var parts []text.Text
	if r.Clock.On {
		parts = append(parts, ClockSetting(r.Clock))
	}
	if r.Variant != "" {
		parts = append(parts, text.Plain(r.Variant))
	}
	if r.Name != game.Classic().Name {
		parts = append(parts, text.Say("{name} rules", r.Name))
	}
	switch own := v.Challenge; {
	case own != nil:
		parts = append(parts, own(r.Challenge))
	case r.Challenge.Void, !r.Challenge.Free():
		parts = append(parts, ChallengeSetting(r.Challenge))
	}
	parts = append(parts, listSetting(f))
	if r.Games > 1 && len(f.Earlier) == 0 {
		parts = append(parts, text.Item("a match of two games"))
	}
	switch {
	case r.Order.Whole:
		parts = append(parts, text.Item("a drawn playing order"))
	case r.Order.Voted:
		parts = append(parts, text.Item("a vote on the playing order"))
	}
	if n := r.OutBonus.Times; n > 1 {
		parts = append(parts, text.Item("going out gains {n, plural, =2 {twice} other {# times}} the value of the others' tiles", n))
	}
	if r.UseLetter {
		parts = append(parts, text.Item("every word uses a letter on the board"))
	}
	helped := r.Hints && table.RobotsKnow(r)
	switch {
	case helped && r.Unrated:
		parts = append(parts, text.Item("hints, so it's unrated"))
	case helped:
		parts = append(parts, text.Item("hints"))
	case r.Unrated:
		parts = append(parts, text.Item("unrated"))
	}
	if !r.WordCheck {
		parts = append(parts, text.Item("players can't look words up"))
	}
	return text.Join(append(parts, paceWords(f.Pace)...), ", ")
}

// ChallengeSetting describes a challenge rule for people new to it.
func ChallengeSetting(c game.ChallengeRule) text.Text {
	switch {
	case c.Void:
		return text.Item("only valid words")
	case c.Free():
		return text.Item("challenges are free")
	}
	return text.List(costs{
		bonus: func(n int) text.Text {
			return text.Item("a wrong challenge gives {n, plural, one {# point} other {# points}} a word", n)
		},
		cost: func(n int) text.Text {
			return text.Item("a wrong challenge costs {n, plural, one {# point} other {# points}} a word", n)
		},
		turn: text.Item("a wrong challenge costs the turn"),
		lost: text.Item("whoever is wrong in a challenge loses"),
	}.of(c))
}

// listSetting describes a table's words. The name of a language's list is the language's
// code, or begins with it.
func listSetting(f game.Opened) text.Text {
	language, _, _ := strings.Cut(f.Equipment.Tiles.Name(), " ")
	code, more, _ := strings.Cut(f.Lexicon.Name, "-")
	house := "no"
	if f.Lexicon.Added+f.Lexicon.Removed != "" {
		house = "yes"
	}
	switch {
	case len(code) > 3 && strings.EqualFold(language, "english"):
		return text.Item("words from {list}{house, select, yes { with this place's own changes} other {}}", f.Lexicon.Name, house)
	case len(code) > 3:
		return text.Say("{language} tiles, words from {list}{house, select, yes { with this place's own changes} other {}}", languageName(language), f.Lexicon.Name, house)
	case more == "clean" && house == "no":
		return languageName(language)
	case more != "":
		return text.Say("{language} words ({list}){house, select, yes { with this place's own changes} other {}}", languageName(language), more, house)
	}
	if house == "no" {
		return languageName(language)
	}
	return text.Say("{language} words with this place's own changes", languageName(language))
}

// languageName returns the name of a tile set's language.
func languageName(language string) text.Text { return text.Known(sentenceCase(language)) }

// lobbyLine lists the players, free seats and guests. Guests are notified once, when the
// table opens. The buttons show what people can do.
func lobbyLine(t table.Table, opens bool) text.Text {
	var names []text.Span
	for _, seat := range t.Seats {
		names = append(names, text.PlainName(seat.Person))
	}
	var guests []text.Span
	for _, guest := range t.Invited {
		if _, seated := t.SeatOf(guest.ID); seated {
			continue
		}
		who := text.Name(guest)
		if opens {
			who = text.Mention(guest)
		}
		guests = append(guests, who)
	}
	var there text.Text
	if len(names) > 1 {
		there = text.Say("At the table: {names}.", text.List(names))
	}
	free := max(t.SeatCount-len(names), 0)
	switch {
	case len(guests) > 0:
		return text.Sentences(there, text.Say("Waiting for {guests}.", text.List(guests)))
	case free > 0:
		return text.Sentences(there, text.Say("Waiting for {n, plural, one {one more player} other {# more players}}.", free))
	}
	return there
}

// ScoreLine returns the scores and the state of the bag.
func ScoreLine(t table.Table) text.Text {
	var scores []text.Text
	for _, seat := range t.Seats {
		scores = append(scores, text.Glue(text.PlainName(seat.Person), " ", seat.Score))
	}
	return text.Join(append(scores, BagWords(t)), " · ")
}

// turnLine calls the player to move, once for each turn. began reports whether these events
// began the turn.
func turnLine(t table.Table, began bool, now game.State) text.Text {
	switch p := t.Seats[t.Turn].Person; {
	case p.ID.IsRobot():
		return text.Say("It's {who}'s turn.", text.Name(p))
	case now.Phase != t.Phase || now.Turns != t.Turns || now.Turn != t.Turn || t.Seats[t.Turn].Vacant:
		return nil
	case began:
		call := text.Say("{who}, it's your turn.", text.Mention(p))
		if at, ok := t.Deadline(); ok {
			call = text.Say("{who}, it's your turn. You have until {time}.", text.Mention(p), Clock(at))
		}
		if v := t.Variant; v.Turn != nil {
			return text.Sentences(call, v.Turn(t))
		}
		return text.Sentences(call, clockLine(t))
	default:
		if at, ok := t.Deadline(); ok {
			return text.Say("It's still {who}'s turn, until {time}.", text.Name(p), Clock(at))
		}
		return text.Say("It's still {who}'s turn.", text.Name(p))
	}
}

// electLine announces that any player may end the game, if the scoreless turns allow that
// (document 001, make a play).
func electLine(t table.Table, now game.State) text.Text {
	if !t.Electable() || now.Number != t.Number {
		return nil
	}
	return text.Say("After {n, plural, one {# scoreless turn} other {# scoreless turns}} in a row, any player can end the game with {end}.", t.Rules.ScorelessTurns, text.Code("/end"))
}

// agreeLine calls the players who haven't agreed to end the game, right after another has.
func agreeLine(t table.Table, now game.State) text.Text {
	if _, ok := t.Events[len(t.Events)-1].Fact.(game.Agreed); !ok || now.Number != t.Number {
		return nil
	}
	var who []text.Span
	for _, i := range t.Active() {
		if !t.Seats[i].Agreed && !t.Seats[i].Person.ID.IsRobot() {
			who = append(who, text.Mention(t.Seats[i].Person))
		}
	}
	if len(who) == 0 {
		return nil
	}
	return text.Say("{who}: {end} agrees.", text.List(who), text.Code("/end"))
}

// closingLine calls the players who can still challenge the last play.
func closingLine(t table.Table, began bool, now game.State) text.Text {
	if now.Phase != game.Closing {
		return nil
	}
	var who []text.Span
	for _, i := range t.Active() {
		switch p := t.Seats[i].Person; {
		case i == t.Latest.Seat || t.Seats[i].Accepted || p.ID.IsRobot():
		case began:
			who = append(who, text.Mention(p))
		default:
			who = append(who, text.Name(p))
		}
	}
	if len(who) == 0 {
		return nil
	}
	return text.Say("{who}, accept the play or challenge it? At {time} it stands.", text.List(who), Clock(t.Until))
}

// BagWords states how many tiles are in the bag.
func BagWords(t table.Table) text.Text {
	s := t.State
	if own := t.Variant.Supply; own != nil {
		return own(s)
	}
	if len(s.Bag) == 0 {
		return text.Item("the bag is empty")
	}
	if s.TwoBags {
		return text.Say("{vowels, plural, one {# tile} other {# tiles}} in the vowel bag, {consonants} in the consonant bag", len(s.Vowels), len(s.Bag)-len(s.Vowels))
	}
	return text.Say("{n, plural, one {# tile} other {# tiles}} in the bag", len(s.Bag))
}

// SumsOf lists the parts of a score, or returns nil for the score of a single word.
func SumsOf(set *game.TileSet, f game.Played) text.Text {
	if len(f.Words) == 1 && f.Score == f.Words[0].Score {
		return nil
	}
	var parts []text.Text
	left := f.Score
	for _, w := range f.Words {
		parts = append(parts, text.Plain(fmt.Sprintf("%s %d", PlainWord(set, w.Tiles), w.Score)))
		left -= w.Score
	}
	if left > 0 {
		parts = append(parts, text.Item("all {n} tiles {bonus}", len(f.Move.LaidSquares()), left))
	}
	return text.Join(parts, ", ")
}

func challengeSentence(before game.State, f game.Challenged) text.Text {
	by, player := text.Name(before.Seats[f.By].Person), text.Name(before.Seats[f.Player].Person)
	set := before.Equipment.Tiles
	out := func(who text.Span) text.Text {
		if !f.LosesGame {
			return nil
		}
		return text.Say("{who} is out of the game for it.", who)
	}
	if len(f.Invalid) > 0 {
		t := text.Say("{by} challenges and is right: {n, plural, one {{words} is} other {{words} are}} not in the word list. {player}'s play comes off the board, and that turn is lost.",
			by, len(f.Invalid), AllWords(set, f.Invalid), player)
		return text.Sentences(t, out(player))
	}
	t := text.Say("{by} challenges {words}, but {n, plural, one {it is} other {they are}} in the word list. The play stands.", by, AllWords(set, f.Words), len(f.Words))
	if f.Bonus > 0 {
		t = text.Sentences(t, text.Say("{who} gains {n, plural, one {# point} other {# points}}.", player, f.Bonus))
	}
	if f.Cost > 0 {
		t = text.Sentences(t, text.Say("{who} loses {n, plural, one {# point} other {# points}}.", by, f.Cost))
	}
	return text.Sentences(t, out(by))
}

// WrongChallengeCosts tells a player what a challenge risks.
func WrongChallengeCosts(c game.ChallengeRule) text.Text {
	if c.Free() {
		return text.Say("A wrong challenge costs you nothing.")
	}
	return text.Say("If every word you challenge is valid, {costs}.", text.List(costs{
		bonus: func(n int) text.Text {
			return text.Item("they gain {n, plural, one {# point} other {# points}} for each", n)
		},
		cost: func(n int) text.Text {
			return text.Item("you lose {n, plural, one {# point} other {# points}} for each", n)
		},
		turn: text.Item("you miss a turn"),
		lost: text.Item("you're out of the game; if not, they are"),
	}.of(c)))
}

// ChallengeChoices returns the challenge rules with what a wrong challenge costs under
// each.
func ChallengeChoices() []bot.Choice {
	each := costs{
		bonus: func(n int) text.Text { return text.Item("a wrong challenge gives the player {n} a word", n) },
		cost:  func(n int) text.Text { return text.Item("a wrong challenge costs you {n} a word", n) },
		turn:  text.Item("a wrong challenge costs your turn"),
		lost:  text.Item("whoever is wrong loses the game"),
	}
	var all []bot.Choice
	for _, c := range game.ChallengeRules() {
		what := text.List(each.of(c))
		switch {
		case c.Void:
			what = text.Item("invalid words are not accepted")
		case c.Free():
			what = text.Item("a wrong challenge costs nothing")
		}
		all = append(all, bot.Choice{Value: c.Name, Label: text.Say("{rule}: {what}", sentenceCase(c.Name), what)})
	}
	return all
}

// costs holds a description of each possible cost of a wrong challenge.
type costs struct {
	bonus, cost func(n int) text.Text
	turn, lost  text.Text
}

// of returns the descriptions of the costs under a rule.
func (each costs) of(c game.ChallengeRule) []text.Text {
	var all []text.Text
	if c.Bonus > 0 {
		all = append(all, each.bonus(c.Bonus))
	}
	if c.Cost > 0 {
		all = append(all, each.cost(c.Cost))
	}
	if c.LosesTurn {
		all = append(all, each.turn)
	}
	if c.LosesGame {
		all = append(all, each.lost)
	}
	return all
}

// passedLine states who has passed and how often, which ends the game.
func passedLine(before game.State) text.Text {
	who := "all"
	if len(before.Active()) == 2 {
		who = "both"
	}
	return text.Say("{who, select, both {Both have} other {Everybody has}} passed{n, plural, =0 {} =1 {} =2 { twice} other { # times}}, so the game ends.", who, before.Rules.PassRounds)
}

// EndSentence describes how a game ended: the reason, the penalties for leftover tiles, and
// the winner.
func EndSentence(before game.State, f game.Ended) text.Text {
	set := before.Equipment.Tiles
	var lines []text.Text
	switch f.Reason {
	case game.ScorelessEnd:
		lines = append(lines, text.Say("After {n, plural, one {# scoreless turn} other {# scoreless turns}} in a row the game ends.", before.Rules.ScorelessTurns))
	case game.OvertimeEnd:
		lines = append(lines, overtimeLine(before))
	case game.PassedEnd:
		lines = append(lines, passedLine(before))
	case game.AgreementEnd:
		lines = append(lines, text.Say("Everybody has agreed, so the game ends."))
	case game.StoppedEnd:
		if f.By.ID != "" {
			lines = append(lines, text.Say("{who}, who manages this place, has ended the game. It doesn't count.", text.Name(f.By)))
			break
		}
		lines = append(lines, text.Say("A manager of this place has ended the game. It doesn't count."))
	case game.AbandonedEnd:
		if f.By.ID != "" {
			lines = append(lines, text.Say("{who} ends the game, since nobody was moving. It doesn't count.", text.Name(f.By)))
			break
		}
		lines = append(lines, text.Say("Nobody is playing any more, so the game ends. It doesn't count."))
	}
	if before.Phase == game.Closing && isChallengeable(before) {
		lines = append(lines, text.Say("The time to challenge is over, and the last play stands."))
	}
	var winners []text.Span
	var scores []text.Text
	for i, seat := range before.Seats {
		who, left := text.PlainName(seat.Person), SpacedTiles(set, f.Racks[i])
		switch points := f.Adjust[i]; {
		case points < 0:
			lines = append(lines, text.Say("{who} has {tiles} left and loses {n, plural, one {# point} other {# points}}.", who, left, -points))
		case points > 0:
			lines = append(lines, text.Say("{who} goes out and gains {n, plural, one {# point} other {# points}}.", who, points))
		case len(f.Racks[i]) > 0:
			lines = append(lines, text.Say("{who} has {tiles} left.", who, left))
		}
		if slices.Contains(f.Winners, i) {
			winners = append(winners, who)
		}
		scores = append(scores, text.Glue(who, " ", before.Final(i, f)))
	}
	lines = append(lines, overtimeLines(before, f)...)
	result := text.Say("{who} wins", text.List(winners))
	switch {
	case len(winners) == 0:
		result = text.Say("Nobody wins")
	case len(winners) > 1:
		result = text.Say("A tie between {players}", text.List(winners))
	}
	lines = append(lines, text.Say("{result}: {scores}.", text.Strong(result), text.Join(scores, " · ")))
	if tied := tieLine(before, f); tied != nil {
		lines = append(lines, tied)
	}
	ended := before.Apply(game.Event{Number: before.Number, Fact: f})
	return text.Lines(append(lines, matchLine(ended), hintLine(before))...)
}

// tieLine explains why one of the leaders wins, if the rules break a tie (document 003). It
// returns nil if there was no tie to break.
func tieLine(s game.State, f game.Ended) text.Text {
	if !s.Rules.TieBreak || len(f.Winners) != 1 {
		return nil
	}
	best := f.Winners[0]
	for _, i := range s.Active() {
		if i != best && !s.HasLostOnTime(i) && s.Final(i, f) == s.Final(best, f) {
			return text.Say("The totals are equal, and {who} had more before leftover tiles were counted: {more} to {less}.", text.PlainName(s.Seats[best].Person), s.Seats[best].Score, s.Seats[i].Score)
		}
	}
	return nil
}

// FairDraws returns the line in the message that opens a table which commits the host to the
// secret of the draws.
func FairDraws(s game.State) text.Text {
	return text.Text{text.Small(text.Say("Fair draws: {digest}", text.Code(game.Digest(s.Secret.Commitment()))))}
}

// isChallengeable reports whether a player could still challenge the last play.
func isChallengeable(s game.State) bool {
	return len(FormedWords(s)) > 0 && slices.ContainsFunc(s.Active(), func(i int) bool { return i != s.Latest.Seat && !s.Seats[i].Accepted })
}

// Brief returns a story in one line, for a table that has moved on: its last move and the
// scores. It returns nil for the end of a game, whose story stays in full.
func Brief(t table.Table, from int) (text.Text, error) {
	before, err := t.At(from)
	if err != nil || t.Phase == game.Over {
		return nil, err
	}
	s, last := before.State, text.Say("The game goes on")
	for _, e := range t.Events[from:] {
		if c := CaptionOf(t.Variant, s, e.Fact); c != nil {
			last = c
		}
		s = s.Apply(e)
	}
	if !t.IsDealt() {
		return text.Say("{host}'s table", text.PlainName(t.Host)), nil
	}
	var scores []text.Text
	for i, seat := range standings(t.State) {
		if i == MostRanked {
			scores = append(scores, text.Say("{n} more", len(t.Seats)-i))
			break
		}
		scores = append(scores, text.Glue(text.PlainName(t.Seats[seat].Person), " ", t.Seats[seat].Score))
	}
	return text.Say("{last} ({scores})", last, text.Join(scores, ", ")), nil
}

// MostRanked is the number of players of a ranking that a message names.
const MostRanked = 10

// standings returns the seats in the order in which scores are listed: by seat, or by rank
// if there are many.
func standings(s game.State) []int {
	if len(s.Seats) > MostRanked {
		return s.Ranking()
	}
	seats := make([]int, len(s.Seats))
	for i := range seats {
		seats[i] = i
	}
	return seats
}

// Place returns a seat's place by its score, from 1.
func Place(s game.State, seat int) int {
	n := 1
	for _, other := range s.Seats {
		if other.Score > s.Seats[seat].Score {
			n++
		}
	}
	return n
}

// PlaceNote returns the note about a seat's place on the player's card.
func PlaceNote(s game.State, seat int) text.Text {
	return text.Item("{rank} of {all}", Place(s, seat), len(s.Seats))
}

// Caption returns the caption of the picture after the table's latest event.
func Caption(t table.Table) text.Text {
	if own := t.Variant.Caption; own != nil {
		return own(t)
	}
	var s game.State
	var last text.Text
	for _, e := range t.Events {
		if c := CaptionOf(t.Variant, s, e.Fact); c != nil {
			last = c
		}
		s = s.Apply(e)
	}
	return last
}

// CaptionOf describes an event in a few words. It returns nil if the event doesn't show on
// the board.
func CaptionOf(v table.Variant, before game.State, f game.Fact) text.Text {
	if t, ok := v.Describe(before, f); ok {
		return t.Caption
	}
	who := func(seat int) text.Span { return text.PlainName(before.Seats[seat].Person) }
	set := before.Equipment.Tiles
	switch f := f.(type) {
	case game.Dealt:
		return text.Say("{who} goes first", who(f.First))
	case game.Played:
		return text.Say("{who} played {word} at {square} for {score}", who(f.Seat), PlainWord(set, f.Words[0].Tiles), f.Move.At.At(f.Move.Dir), f.Score)
	case game.Exchanged:
		return text.Say("{who} exchanged {n, plural, one {# tile} other {# tiles}}", who(f.Seat), len(f.Put))
	case game.Passed:
		return text.Say("{who} passed", who(f.Seat))
	case game.TurnLost:
		return text.Say("{who} missed a turn", who(f.Seat))
	case game.Challenged:
		if len(f.Invalid) > 0 {
			return text.Say("{who} challenged {word} off the board", who(f.By), PlainWord(set, before.Latest.Words[0].Tiles))
		}
		return text.Say("{who} challenged, and the play stands", who(f.By))
	case game.Resigned:
		return text.Say("{who} resigned", who(f.Seat))
	case game.Vacated:
		return text.Say("{who}'s seat is free", who(f.Seat))
	case game.Adopted:
		return text.Say("{who} plays on for {gone}", text.PlainName(f.Person), who(f.Seat))
	case game.Ended:
		return endCaption(before, f)
	}
	return nil
}

// endCaption names the winners, and how they won if it wasn't by points.
func endCaption(s game.State, f game.Ended) text.Text {
	named := func(seats []int) (all []text.Span) {
		for _, i := range seats {
			all = append(all, text.PlainName(s.Seats[i].Person))
		}
		return all
	}
	switch winners := text.List(named(f.Winners)); {
	case len(f.Winners) == 0:
		return text.Say("The game ended without a winner")
	case len(f.Winners) > 1:
		return text.Say("A tie between {players}", winners)
	case f.Reason == game.ResignationEnd && len(s.Seats) == 2:
		other := s.Seats[1-f.Winners[0]]
		if other.Gone {
			return text.Say("{who} wins because {other} left the game", winners, text.PlainName(other.Person))
		}
		return text.Say("{who} wins because {other} resigned", winners, text.PlainName(other.Person))
	case f.Reason == game.TripleEnd:
		return text.Say("{who} wins by a challenge", winners)
	case f.Reason == game.OvertimeEnd && slices.ContainsFunc(s.Active(), s.HasLostOnTime):
		return text.Say("{who} wins on time", winners)
	default:
		return text.Say("{who} wins", winners)
	}
}

// PlainWord returns a word as people write it, with blanks like other letters.
func PlainWord(set *game.TileSet, w game.Tiles) string {
	b := make([]byte, len(w))
	for i := range b {
		b[i] = byte(w.At(i).Letter())
	}
	return set.Alphabet().String(lexicon.Word(b))
}

// tileName returns a tile with its article: "an A", "a blank".
func tileName(set *game.TileSet, t game.Tile) text.Text {
	if t.IsBlank() {
		return text.Item("a blank")
	}
	return article(set.Letter(t), false)
}

// WordTexts returns words as people write them; see [PlainWord].
func WordTexts(set *game.TileSet, words []game.Tiles) []string {
	var out []string
	for _, w := range words {
		out = append(out, PlainWord(set, w))
	}
	return out
}

// AllWords lists words: "EX, AT and QI".
func AllWords(set *game.TileSet, words []game.Tiles) text.Text {
	return text.List(WordTexts(set, words))
}

// Clock returns a time as a span, which platforms can show in the reader's zone.
func Clock(at time.Time) text.Span {
	return text.Span{Text: at.UTC().Format("2 Jan 15:04 MST"), Time: at}
}
