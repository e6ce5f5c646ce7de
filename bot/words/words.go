package words

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// hintLine says how many hints the players of a game had, if there were any.
func hintLine(s game.State) bot.Text {
	var who []bot.Text
	for _, seat := range s.Seats {
		if seat.Hints > 0 {
			who = append(who, bot.Say("{who} asked for {n, plural, one {# hint} other {# hints}}", bot.Called(seat.Person), seat.Hints))
		}
	}
	if len(who) == 0 {
		return nil
	}
	return bot.Say("{list}.", bot.List(who))
}

// Spaced is a rack letter by letter: "A E I ?".
func Spaced(set *game.TileSet, ts game.Tiles) string {
	var out []string
	for i := range len(ts) {
		out = append(out, set.Text(ts.At(i)))
	}
	return strings.Join(out, " ")
}

// Standing is how a game stands: the scores, and what is to come.
func Standing(t table.Table) bot.Text {
	switch t.Phase {
	case game.Playing:
		if status := t.Variant.Status; status != nil {
			return status(t, len(t.Events), t.State)
		}
		return bot.Lines(ScoreLine(t), bot.Say("{who} is to move.", bot.Name(t.Seats[t.Turn].Person)))
	case game.Closing:
		return bot.Lines(ScoreLine(t), bot.Say("The last play is open to a challenge until {time}.", Clock(t.Until)))
	}
	return bot.Say("The game is over. {last}.", Caption(t))
}

// SentenceCase begins a text with a capital.
func SentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// WhatToDo says what can be done at the table, for somebody whose request was
// refused.
func WhatToDo(t table.Table) bot.Text {
	if v := t.Variant; v.Turn != nil {
		return v.Turn(t)
	}
	return bot.Say("Play a word with {play}, or {exchange} tiles, or {pass}.", bot.Code("/play"), bot.Code("/exchange"), bot.Code("/pass"))
}

// This file has the sentences that tell what happened; explain.go has those
// that say why something can't be done.

// Story tells everybody of a table's events from number from on, and how it
// stands after them. now is the table today: nobody is called to a turn that has
// gone by since.
func Story(t table.Table, from int, now game.State) (bot.Text, error) {
	before, err := t.At(from)
	if err != nil {
		return nil, err
	}
	var lines []bot.Text
	s := before.State
	for _, e := range t.Events[from:] {
		if line := Sentence(t.Variant, s, e); len(line) > 0 {
			lines = append(lines, line)
		}
		s = s.Apply(e)
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
	return bot.Lines(lines...), nil
}

// LobbyStory tells of a lobby in one message: how it was opened, and who sits
// there now. It calls nobody.
func LobbyStory(t table.Table) bot.Text {
	lines := []bot.Text{Sentence(t.Variant, game.State{}, t.Events[0])}
	if lobby := t.Variant.Lobby; lobby != nil {
		lines = append(lines, lobby(t))
	} else {
		lines = append(lines, lobbyLine(t, false))
	}
	return bot.Lines(lines...)
}

// Sentence tells everybody of one event; before is the state it happened in. It
// is empty for what is told otherwise, or to nobody.
func Sentence(v table.Variant, before game.State, e game.Event) bot.Text {
	if t, ok := v.Told(before, e.Fact); ok {
		return t.Sentence
	}
	who := func(seat int) bot.Span { return bot.Name(before.Seats[seat].Person) }
	set := before.Equipment.Tiles
	switch f := e.Fact.(type) {
	case game.Opened:
		switch {
		case len(f.Earlier) > 0:
			return bot.Say("The second game of the match of {one} and {other}: {settings}. {first} begins.",
				bot.Name(f.Earlier[0].Player), bot.Name(f.Earlier[1].Player), settings(v, f), bot.Name(f.First))
		case f.First.ID != "":
			return bot.Say("{host} would like a rematch: {settings}, and {first} begins.", bot.Name(f.Host), settings(v, f), bot.Name(f.First))
		}
		return bot.Say("{host} opens a table: {settings}.", bot.Name(f.Host), settings(v, f))
	case game.Joined:
		if f.Person.ID == before.Host.ID {
			return nil
		}
		return bot.Say("{who} sits down.", bot.Name(f.Person))
	case game.Left:
		return bot.Say("{who} gets up again.", who(f.Seat))
	case game.Closed:
		return bot.Say("The table is closed. {new} opens another.", bot.Code("/new"))
	case game.Started:
		return bot.Say("The game begins.")
	case game.Polled, game.Balloted, game.Ordered:
		return orderSentence(before, f)
	case game.OrderDrawn:
		var drew []bot.Text
		for i, seat := range f.Seats {
			drew = append(drew, bot.Say("{who} draws {tile}", bot.Called(before.Seats[seat].Person), tileName(set, f.Tiles.At(i))))
		}
		t := bot.Say("For the first turn, {draws}.", bot.List(drew))
		if len(f.Best()) > 1 {
			t = bot.Sentences(t, bot.Say("The best are equal and draw again."))
		}
		return t
	case game.Dealt:
		return bot.Sentences(matchLine(before), bot.Say("{who} goes first.", who(f.First)))
	case game.Played:
		word, at := bot.Strong(PlainWord(set, f.Words[0].Tiles)), f.Move.At.At(f.Move.Dir)
		if sums := SumsOf(set, f); sums != nil {
			return bot.Say("{who} plays {word} at {square} for {score} ({sums}).", who(f.Seat), word, at, bot.Strong(f.Score), sums)
		}
		return bot.Say("{who} plays {word} at {square} for {score}.", who(f.Seat), word, at, bot.Strong(f.Score))
	case game.Exchanged:
		return bot.Say("{who} exchanges {n, plural, one {# tile} other {# tiles}}.", who(f.Seat), len(f.Put))
	case game.Passed:
		return bot.Say("{who} passes.", who(f.Seat))
	case game.TurnLost:
		return bot.Say("{who} misses a turn, for the wrong challenge.", who(f.Seat))
	case game.Challenged:
		return challengeSentence(before, f)
	case game.LastPlay:
		return bot.Say("That ends the game, unless the last play is challenged.")
	case game.Accepted:
		return bot.Say("{who} lets it stand.", who(f.Seat))
	case game.Resigned:
		if before.Late && before.Turn == f.Seat || before.Seats[f.Seat].Vacant {
			return paceSentence(before, e)
		}
		t := bot.Say("{who} resigns.", who(f.Seat))
		if len(before.Active()) > 2 {
			t = bot.Sentences(t, bot.Say("Their tiles leave play."))
		}
		return t
	case game.Agreed:
		if !before.Rules.Agreement {
			return bot.Say("{who} ends the game here.", who(f.Seat)) // it was for any player to do
		}
		for _, i := range before.Active() {
			if before.Seats[i].Agreed {
				return bot.Say("{who} agrees to end the game here.", who(f.Seat))
			}
		}
		return bot.Say("{who} would like to end the game here. It ends when everybody agrees.", who(f.Seat))
	case game.Ended:
		return EndSentence(before, f)
	}
	return paceSentence(before, e)
}

// settings are what a table plays by, in a line.
func settings(v table.Variant, f game.Opened) bot.Text {
	r := f.Rules
	challenge := challengeSetting(r.Challenge)
	if own := v.Challenge; own != nil {
		challenge = own(r.Challenge)
	}
	var parts []bot.Text
	if r.Variant != "" {
		parts = append(parts, bot.Plain(r.Variant))
	}
	parts = append(parts, bot.Say("{name} rules", r.Name), challenge, listSetting(f))
	if r.Games > 1 && len(f.Earlier) == 0 {
		parts = append(parts, bot.Item("a match of two games"))
	}
	switch {
	case r.Order.Whole:
		parts = append(parts, bot.Item("a drawn order of play"))
	case r.Order.Voted:
		parts = append(parts, bot.Item("a vote on the order of play"))
	}
	if r.Clock.On {
		parts = append(parts, clockSetting(r.Clock))
	}
	if n := r.OutBonus.Times; n > 1 {
		parts = append(parts, bot.Item("going out gains {n, plural, =2 {twice} other {# times}} the others' tiles", n))
	}
	if r.UseLetter {
		parts = append(parts, bot.Item("every word uses a letter on the board"))
	}
	if r.Unrated {
		parts = append(parts, bot.Item("unrated"))
	}
	if !r.WordCheck {
		parts = append(parts, bot.Item("players may not look words up"))
	}
	if r.Hints && table.RobotsKnow(r) {
		parts = append(parts, bot.Item("hints"))
	}
	return bot.Joined(append(parts, paceWords(f.Pace)...), ", ")
}

// challengeSetting is a challenge rule for those who have never read of one.
func challengeSetting(c game.ChallengeRule) bot.Text {
	switch {
	case c.Void:
		return bot.Item("only valid words")
	case c.Free():
		return bot.Item("challenges are free")
	}
	return bot.List(costs{
		bonus: func(n int) bot.Text {
			return bot.Item("a wrong challenge gives {n, plural, one {# point} other {# points}} a word", n)
		},
		cost: func(n int) bot.Text {
			return bot.Item("a wrong challenge costs {n, plural, one {# point} other {# points}} a word", n)
		},
		turn: bot.Item("a wrong challenge costs the turn"),
		lost: bot.Item("whoever is wrong in a challenge loses"),
	}.of(c))
}

// listSetting says with which words a table plays: a list of a language has its
// code for a name, or to begin with.
func listSetting(f game.Opened) bot.Text {
	language, _, _ := strings.Cut(f.Equipment.Tiles.Name(), " ")
	code, more, _ := strings.Cut(f.Lexicon.Name, "-")
	house := "no"
	if f.Lexicon.Added+f.Lexicon.Removed != "" {
		house = "yes"
	}
	switch {
	case len(code) > 3 && strings.EqualFold(language, "english"):
		return bot.Item("the words of {list}{house, select, yes { and the house's} other {}}", f.Lexicon.Name, house)
	case len(code) > 3:
		return bot.Say("{language} tiles, the words of {list}{house, select, yes { and the house's} other {}}", LanguageName(language), f.Lexicon.Name, house)
	case more != "":
		return bot.Say("{language} words ({list}){house, select, yes { and the house's} other {}}", LanguageName(language), more, house)
	}
	return bot.Say("{language} words{house, select, yes { and the house's} other {}}", LanguageName(language), house)
}

// LanguageName is what the language of a tile set is called.
func LanguageName(language string) bot.Text { return bot.Known(SentenceCase(language)) }

// lobbyLine says who sits, how many seats are free, and who is invited. Guests
// are called once, when the table opens. What can be done the buttons say.
func lobbyLine(t table.Table, opens bool) bot.Text {
	var names []bot.Span
	for _, seat := range t.Seats {
		names = append(names, bot.Called(seat.Person))
	}
	var guests []bot.Span
	for _, guest := range t.Invited {
		if _, seated := t.SeatOf(guest.ID); seated {
			continue
		}
		who := bot.Name(guest)
		if opens {
			who = bot.Mention(guest)
		}
		guests = append(guests, who)
	}
	free := max(t.SeatCount-len(names), 0)
	if len(guests) > 0 {
		return bot.Say("At the table: {names}{free, plural, =0 {} one {, and # free seat} other {, and # free seats}} for {guests}.", bot.List(names), free, bot.List(guests))
	}
	return bot.Say("At the table: {names}{free, plural, =0 {} one {, and # free seat} other {, and # free seats}}.", bot.List(names), free)
}

// ScoreLine is the scores and the bag.
func ScoreLine(t table.Table) bot.Text {
	var scores []bot.Text
	for _, seat := range t.Seats {
		scores = append(scores, bot.Glue(bot.Called(seat.Person), " ", seat.Score))
	}
	return bot.Joined(append(scores, BagWords(t)), " · ")
}

// turnLine calls the player to move, once for each turn: began says that these
// events brought the turn.
func turnLine(t table.Table, began bool, now game.State) bot.Text {
	switch p := t.Seats[t.Turn].Person; {
	case bot.IsRobot(p.ID):
		return bot.Say("{who} is to move.", bot.Name(p))
	case now.Phase != t.Phase || now.Turns != t.Turns || now.Turn != t.Turn || t.Seats[t.Turn].Vacant:
		return nil
	case began:
		call := bot.Say("{who}, it's your turn.", bot.Mention(p))
		if at, ok := t.Deadline(); ok {
			call = bot.Say("{who}, it's your turn until {time}.", bot.Mention(p), Clock(at))
		}
		if v := t.Variant; v.Turn != nil {
			return bot.Sentences(call, v.Turn(t))
		}
		return bot.Sentences(call, clockLine(t))
	default:
		if at, ok := t.Deadline(); ok {
			return bot.Say("It's still {who}'s turn until {time}.", bot.Name(p), Clock(at))
		}
		return bot.Say("It's still {who}'s turn.", bot.Name(p))
	}
}

// electLine says that any player may end the game, where scoreless turns leave
// that to them (document 001, make a play).
func electLine(t table.Table, now game.State) bot.Text {
	if !t.Electable() || now.Number != t.Number {
		return nil
	}
	return bot.Say("After {n, plural, one {# scoreless turn} other {# scoreless turns}} in a row any player may end the game with {end}.", t.Scoreless, bot.Code("/end"))
}

// agreeLine calls those who have not agreed to end the game, when somebody has
// just done so.
func agreeLine(t table.Table, now game.State) bot.Text {
	if _, ok := t.Events[len(t.Events)-1].Fact.(game.Agreed); !ok || now.Number != t.Number {
		return nil
	}
	var who []bot.Span
	for _, i := range t.Active() {
		if !t.Seats[i].Agreed && !bot.IsRobot(t.Seats[i].Person.ID) {
			who = append(who, bot.Mention(t.Seats[i].Person))
		}
	}
	if len(who) == 0 {
		return nil
	}
	return bot.Say("{who}: {end} agrees.", bot.List(who), bot.Code("/end"))
}

// closingLine calls those who can still challenge the last play.
func closingLine(t table.Table, began bool, now game.State) bot.Text {
	if now.Phase != game.Closing {
		return nil
	}
	var who []bot.Span
	for _, i := range t.Active() {
		switch p := t.Seats[i].Person; {
		case i == t.Latest.Seat || t.Seats[i].Accepted || bot.IsRobot(p.ID):
		case began:
			who = append(who, bot.Mention(p))
		default:
			who = append(who, bot.Name(p))
		}
	}
	if len(who) == 0 {
		return nil
	}
	return bot.Say("{who}: {challenge} it, or let it stand with {pass}. At {time} it stands by itself.", bot.List(who), bot.Code("/challenge"), bot.Code("/pass"), Clock(t.Until))
}

// BagWords says how many tiles are in the bag.
func BagWords(t table.Table) bot.Text {
	s := t.State
	if own := t.Variant.Supply; own != nil {
		return own(s)
	}
	if len(s.Bag) == 0 {
		return bot.Item("the bag is empty")
	}
	if s.Parted {
		return bot.Say("{vowels, plural, one {# tile} other {# tiles}} in the bag of vowels, {consonants} in that of consonants", len(s.Vowels), len(s.Bag)-len(s.Vowels))
	}
	return bot.Say("{n, plural, one {# tile} other {# tiles}} in the bag", len(s.Bag))
}

// SumsOf says how a score came about, nil where that is plain.
func SumsOf(set *game.TileSet, f game.Played) bot.Text {
	if len(f.Words) == 1 && f.Score == f.Words[0].Score {
		return nil
	}
	var parts []bot.Text
	left := f.Score
	for _, w := range f.Words {
		parts = append(parts, bot.Plain(fmt.Sprintf("%s %d", PlainWord(set, w.Tiles), w.Score)))
		left -= w.Score
	}
	if left > 0 {
		parts = append(parts, bot.Item("all {n} tiles {bonus}", len(f.Move.Laid()), left))
	}
	return bot.Joined(parts, ", ")
}

func challengeSentence(before game.State, f game.Challenged) bot.Text {
	by, player := bot.Name(before.Seats[f.By].Person), bot.Name(before.Seats[f.Player].Person)
	set := before.Equipment.Tiles
	out := func(who bot.Span) bot.Text {
		if !f.LosesGame {
			return nil
		}
		return bot.Say("{who} is out of the game for it.", who)
	}
	if len(f.Invalid) > 0 {
		t := bot.Say("{by} challenges and is right: {n, plural, one {{words} is} other {{words} are}} not in the word list. {player}'s play comes off the board, and that turn is lost.",
			by, len(f.Invalid), AllWords(set, f.Invalid), player)
		return bot.Sentences(t, out(player))
	}
	t := bot.Say("{by} challenges {words}, but {n, plural, one {it is} other {they are}} in the word list. The play stands.", by, AllWords(set, f.Words), len(f.Words))
	if f.Bonus > 0 {
		t = bot.Sentences(t, bot.Say("{who} gains {n, plural, one {# point} other {# points}}.", player, f.Bonus))
	}
	if f.Cost > 0 {
		t = bot.Sentences(t, bot.Say("{who} loses {n, plural, one {# point} other {# points}}.", by, f.Cost))
	}
	return bot.Sentences(t, out(by))
}

// WrongChallengeCosts tells a player who is about to challenge what they risk.
func WrongChallengeCosts(c game.ChallengeRule) bot.Text {
	if c.Free() {
		return bot.Say("If you are wrong it costs you nothing.")
	}
	return bot.Say("If every word that you challenge is valid, {costs}.", bot.List(costs{
		bonus: func(n int) bot.Text {
			return bot.Item("they gain {n, plural, one {# point} other {# points}} for each", n)
		},
		cost: func(n int) bot.Text {
			return bot.Item("you lose {n, plural, one {# point} other {# points}} for each", n)
		},
		turn: bot.Item("you miss a turn"),
		lost: bot.Item("you are out of the game; if not, they are"),
	}.of(c)))
}

// ChallengeChoices are the challenge rules and what a wrong challenge costs by
// each.
func ChallengeChoices() []bot.Choice {
	each := costs{
		bonus: func(n int) bot.Text { return bot.Item("a wrong challenge gives the player {n} a word", n) },
		cost:  func(n int) bot.Text { return bot.Item("a wrong challenge costs you {n} a word", n) },
		turn:  bot.Item("a wrong challenge costs your turn"),
		lost:  bot.Item("whoever is wrong loses the game"),
	}
	var all []bot.Choice
	for _, c := range game.ChallengeRules() {
		what := bot.List(each.of(c))
		switch {
		case c.Void:
			what = bot.Item("invalid words are not accepted")
		case c.Free():
			what = bot.Item("a wrong challenge costs nothing")
		}
		all = append(all, bot.Choice{Value: c.Name, Label: bot.Say("{rule}: {what}", SentenceCase(c.Name), what)})
	}
	return all
}

// costs says each of the things that a wrong challenge can cost.
type costs struct {
	bonus, cost func(n int) bot.Text
	turn, lost  bot.Text
}

// of are those that it costs by a rule.
func (each costs) of(c game.ChallengeRule) []bot.Text {
	var all []bot.Text
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

// passedLine says who has passed, and how often, and that this ends the game.
func passedLine(before game.State) bot.Text {
	who := "all"
	if len(before.Active()) == 2 {
		who = "both"
	}
	return bot.Say("{who, select, both {Both have} other {Everybody has}} passed{n, plural, =0 {} =1 {} =2 { twice} other { # times}}, so the game ends.", who, before.Rules.PassRounds)
}

// EndSentence tells how a game ended: why, what the last tiles cost, who won.
func EndSentence(before game.State, f game.Ended) bot.Text {
	set := before.Equipment.Tiles
	var lines []bot.Text
	switch f.Reason {
	case game.ScorelessEnd:
		lines = append(lines, bot.Say("After {n, plural, one {# scoreless turn} other {# scoreless turns}} in a row the game ends.", before.Rules.ScorelessTurns))
	case game.OvertimeEnd:
		lines = append(lines, overtimeLine(before))
	case game.PassedEnd:
		lines = append(lines, passedLine(before))
	case game.AgreementEnd:
		lines = append(lines, bot.Say("Everybody has agreed, so the game ends."))
	case game.StoppedEnd:
		if f.By.ID != "" {
			lines = append(lines, bot.Say("The game is ended by {who}, who manages this place. It counts for nobody.", bot.Name(f.By)))
			break
		}
		lines = append(lines, bot.Say("The game is ended by somebody who manages this place. It counts for nobody."))
	case game.ForsakenEnd:
		if f.By.ID != "" {
			lines = append(lines, bot.Say("{who} ends the game, in which nobody moved any more. It counts for nobody.", bot.Name(f.By)))
			break
		}
		lines = append(lines, bot.Say("Nobody is playing any more, so the game ends. It counts for nobody."))
	}
	if before.Phase == game.Closing && waiting(before) {
		lines = append(lines, bot.Say("The time to challenge is over, and the last play stands."))
	}
	var winners []bot.Span
	var scores []bot.Text
	for i, seat := range before.Seats {
		who, left := bot.Called(seat.Person), Spaced(set, f.Racks[i])
		switch points := f.Adjust[i]; {
		case points < 0:
			lines = append(lines, bot.Say("{who} has {tiles} left and loses {n, plural, one {# point} other {# points}}.", who, left, -points))
		case points > 0:
			lines = append(lines, bot.Say("{who} goes out and gains {n, plural, one {# point} other {# points}}.", who, points))
		case len(f.Racks[i]) > 0:
			lines = append(lines, bot.Say("{who} has {tiles} left.", who, left))
		}
		if slices.Contains(f.Winners, i) {
			winners = append(winners, who)
		}
		scores = append(scores, bot.Glue(who, " ", before.Final(i, f)))
	}
	lines = append(lines, overtimeLines(before, f)...)
	result := bot.Say("{who} wins", bot.List(winners))
	switch {
	case len(winners) == 0:
		result = bot.Say("Nobody wins")
	case len(winners) > 1:
		result = bot.Say("A tie between {players}", bot.List(winners))
	}
	lines = append(lines, bot.Say("{result}: {scores}.", bot.Strong(result), bot.Joined(scores, " · ")))
	ended := before.Apply(game.Event{Number: before.Number, Fact: f})
	return bot.Lines(append(lines, matchLine(ended), hintLine(before), SecretLine())...)
}

// SecretLine says where the secret of the draws is published.
func SecretLine() bot.Text {
	return bot.Say("{export} has the game and the proof that the draws were fair.", bot.Code("/export"))
}

// waiting reports whether somebody could still challenge the last play.
func waiting(s game.State) bool {
	return len(Formed(s)) > 0 && slices.ContainsFunc(s.Active(), func(i int) bool { return i != s.Latest.Seat && !s.Seats[i].Accepted })
}

// Brief is a story in one line, for when the table has moved on: how the last
// move of it went, and the scores. It is nil for the end of a game, which
// stays as it is told.
func Brief(t table.Table, from int) (bot.Text, error) {
	before, err := t.At(from)
	if err != nil || t.Phase == game.Over {
		return nil, err
	}
	s, last := before.State, bot.Say("The game goes on")
	for _, e := range t.Events[from:] {
		if c := CaptionOf(t.Variant, s, e.Fact); c != nil {
			last = c
		}
		s = s.Apply(e)
	}
	if from == 0 || !t.Played() {
		return bot.Say("{host}'s table", bot.Called(t.Host)), nil
	}
	var scores []bot.Text
	for i, seat := range standings(t.State) {
		if i == MostRanked {
			scores = append(scores, bot.Say("{n} more", len(t.Seats)-i))
			break
		}
		scores = append(scores, bot.Glue(bot.Called(t.Seats[seat].Person), " ", t.Seats[seat].Score))
	}
	return bot.Say("{last} ({scores})", last, bot.Joined(scores, ", ")), nil
}

// MostRanked is how many of a ranking a message names.
const MostRanked = 10

// standings are the seats in the order that scores are listed in: that of the
// table, or of the ranking where there are many.
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

// Caption is what the picture after the last of a table's events says.
func Caption(t table.Table) bot.Text {
	if own := t.Variant.Caption; own != nil {
		return own(t)
	}
	var s game.State
	var last bot.Text
	for _, e := range t.Events {
		if c := CaptionOf(t.Variant, s, e.Fact); c != nil {
			last = c
		}
		s = s.Apply(e)
	}
	return last
}

// CaptionOf is one event in a few words, nil for what doesn't show on a board.
func CaptionOf(v table.Variant, before game.State, f game.Fact) bot.Text {
	if t, ok := v.Told(before, f); ok {
		return t.Caption
	}
	who := func(seat int) bot.Span { return bot.Called(before.Seats[seat].Person) }
	set := before.Equipment.Tiles
	switch f := f.(type) {
	case game.Dealt:
		return bot.Say("{who} goes first", who(f.First))
	case game.Played:
		return bot.Say("{who} played {word} at {square} for {score}", who(f.Seat), PlainWord(set, f.Words[0].Tiles), f.Move.At.At(f.Move.Dir), f.Score)
	case game.Exchanged:
		return bot.Say("{who} exchanged {n, plural, one {# tile} other {# tiles}}", who(f.Seat), len(f.Put))
	case game.Passed:
		return bot.Say("{who} passed", who(f.Seat))
	case game.TurnLost:
		return bot.Say("{who} missed a turn", who(f.Seat))
	case game.Challenged:
		if len(f.Invalid) > 0 {
			return bot.Say("{who} challenged {word} off the board", who(f.By), PlainWord(set, before.Latest.Words[0].Tiles))
		}
		return bot.Say("{who} challenged, and the play stands", who(f.By))
	case game.Resigned:
		return bot.Say("{who} resigned", who(f.Seat))
	case game.Vacated:
		return bot.Say("{who}'s seat is free", who(f.Seat))
	case game.Adopted:
		return bot.Say("{who} plays on for {gone}", bot.Called(f.Person), who(f.Seat))
	case game.Ended:
		var winners []bot.Span
		for _, i := range f.Winners {
			winners = append(winners, who(i))
		}
		switch {
		case len(winners) == 0:
			return bot.Say("The game ended without a winner")
		case len(winners) > 1:
			return bot.Say("A tie between {players}", bot.List(winners))
		}
		return bot.Say("{who} wins", bot.List(winners))
	}
	return nil
}

// PlainWord is a word as people say it, blanks like other letters.
func PlainWord(set *game.TileSet, w game.Tiles) string {
	b := make([]byte, len(w))
	for i := range b {
		b[i] = byte(w.At(i).Letter())
	}
	return set.Alphabet().String(lexicon.Word(b))
}

// tileName is a tile with its article: "an A", "a blank".
func tileName(set *game.TileSet, t game.Tile) bot.Text {
	if t.IsBlank() {
		return bot.Item("a blank")
	}
	return Article(set.Letter(t), false)
}

// WordTexts are words as people say them; see [PlainWord].
func WordTexts(set *game.TileSet, words []game.Tiles) []string {
	var out []string
	for _, w := range words {
		out = append(out, PlainWord(set, w))
	}
	return out
}

// AllWords lists words: "EX, AT and QI".
func AllWords(set *game.TileSet, words []game.Tiles) bot.Text {
	return bot.List(WordTexts(set, words))
}

// Clock is a time for people.
func Clock(at time.Time) bot.Span {
	return bot.Span{Text: at.UTC().Format("2 Jan 15:04 MST"), Time: at}
}
