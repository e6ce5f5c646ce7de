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
	var who []string
	for _, seat := range s.Seats {
		if seat.Hints > 0 {
			who = append(who, fmt.Sprintf("%s asked for %s", seat.Person.Name, Count(seat.Hints, "hint")))
		}
	}
	if len(who) == 0 {
		return nil
	}
	return bot.Glue(Listing(who), ".")
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
		return bot.Glue(ScoreLine(t), "\n", bot.Name(t.Seats[t.Turn].Person), " is to move.")
	case game.Closing:
		return bot.Glue(ScoreLine(t), "\nThe last play is open to a challenge until ", Clock(t.Until), ".")
	}
	return bot.Glue("The game is over. ", Caption(t), ".")
}

// SentenceCase begins a text with a capital.
func SentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// WhatToDo is what can be done at the table, for whom something else was
// refused.
func WhatToDo(t table.Table) bot.Text {
	if v := t.Variant; v.Turn != nil {
		return v.Turn(t)
	}
	return bot.Glue("Play a word with ", bot.Code("/play"), ", or ", bot.Code("/exchange"), " tiles, or ", bot.Code("/pass"), ".")
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
	return Joined(slices.DeleteFunc(lines, func(l bot.Text) bool { return len(l) == 0 }), "\n"), nil
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
	return Joined(lines, "\n")
}

// Joined puts texts after one another, with sep between them.
func Joined(lines []bot.Text, sep string) bot.Text {
	var all bot.Text
	for i, l := range lines {
		if i > 0 {
			all = bot.Glue(all, sep)
		}
		all = bot.Glue(all, l)
	}
	return all
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
		what := bot.Glue(bot.Name(f.Host), " opens a table: ", settings(v, f), ".")
		switch {
		case len(f.Earlier) > 0:
			what = bot.Glue("The second game of the match of ", bot.Name(f.Earlier[0].Player), " and ", bot.Name(f.Earlier[1].Player), ": ", settings(v, f), ". ", bot.Name(f.First), " begins.")
		case f.First.ID != "":
			what = bot.Glue(bot.Name(f.Host), " would like a rematch: ", settings(v, f), ", and ", bot.Name(f.First), " begins.")
		}
		return what
	case game.Joined:
		if f.Person.ID == before.Host.ID {
			return nil
		}
		return bot.Glue(bot.Name(f.Person), " sits down.")
	case game.Left:
		return bot.Glue(who(f.Seat), " gets up again.")
	case game.Closed:
		return bot.Glue("The table is closed. ", bot.Code("/new"), " opens another.")
	case game.Started:
		return bot.Glue("The game begins.")
	case game.Polled, game.Balloted, game.Ordered:
		return orderSentence(before, f)
	case game.OrderDrawn:
		var drew []string
		for i, seat := range f.Seats {
			drew = append(drew, before.Seats[seat].Person.Name+" draws "+tileName(set, f.Tiles.At(i)))
		}
		t := bot.Glue("For the first turn, ", Listing(drew), ".")
		if len(f.Best()) > 1 {
			t = bot.Glue(t, " The best are equal and draw again.")
		}
		return t
	case game.Dealt:
		if match := matchLine(before); match != nil {
			return bot.Glue(match, " ", who(f.First), " goes first.")
		}
		return bot.Glue(who(f.First), " goes first.")
	case game.Played:
		return bot.Glue(who(f.Seat), " plays ", bot.Strong(PlainWord(set, f.Words[0].Tiles)), " at ", f.Move.At.At(f.Move.Dir), " for ", bot.Strong(fmt.Sprint(f.Score)), Sums(set, f), ".")
	case game.Exchanged:
		return bot.Glue(who(f.Seat), " exchanges ", Count(len(f.Put), "tile"), ".")
	case game.Passed:
		return bot.Glue(who(f.Seat), " passes.")
	case game.TurnLost:
		return bot.Glue(who(f.Seat), " misses a turn, for the wrong challenge.")
	case game.Challenged:
		return challengeSentence(before, f)
	case game.LastPlay:
		return bot.Glue("That ends the game, unless the last play is challenged.")
	case game.Accepted:
		return bot.Glue(who(f.Seat), " lets it stand.")
	case game.Resigned:
		if before.Late && before.Turn == f.Seat || before.Seats[f.Seat].Vacant {
			return paceSentence(before, e)
		}
		t := bot.Glue(who(f.Seat), " resigns.")
		if len(before.Active()) > 2 {
			t = bot.Glue(t, " Their tiles leave play.")
		}
		return t
	case game.Agreed:
		if !before.Rules.Agreement {
			return bot.Glue(who(f.Seat), " ends the game here.") // it was for any player to do
		}
		for _, i := range before.Active() {
			if before.Seats[i].Agreed {
				return bot.Glue(who(f.Seat), " agrees to end the game here.")
			}
		}
		return bot.Glue(who(f.Seat), " would like to end the game here. It ends when everybody agrees.")
	case game.Ended:
		return EndSentence(before, f)
	}
	return paceSentence(before, e)
}

// settings are what a table plays by, in a line.
func settings(v table.Variant, f game.Opened) string {
	r := f.Rules
	challenge := challengeSetting(r.Challenge)
	if own := v.Challenge; own != nil {
		challenge = own(r.Challenge)
	}
	parts := []string{r.Name + " rules", challenge, listSetting(f)}
	if r.Variant != "" {
		parts = append([]string{r.Variant}, parts...)
	}
	switch {
	case r.Games > 1 && len(f.Earlier) == 0:
		parts = append(parts, "a match of two games")
	}
	switch {
	case r.Order.Whole:
		parts = append(parts, "a drawn order of play")
	case r.Order.Voted:
		parts = append(parts, "a vote on the order of play")
	}
	if r.Clock.On {
		parts = append(parts, clockSetting(r.Clock))
	}
	if n := r.OutBonus.Times; n > 1 {
		parts = append(parts, fmt.Sprintf("going out gains %s the others' tiles", times(n)))
	}
	if r.UseLetter {
		parts = append(parts, "every word uses a letter on the board")
	}
	if r.Unrated {
		parts = append(parts, "unrated")
	}
	if !r.WordCheck {
		parts = append(parts, "players may not look words up")
	}
	if r.Hints && table.RobotsKnow(r) {
		parts = append(parts, "hints")
	}
	return strings.Join(append(parts, paceWords(f.Pace)...), ", ")
}

// challengeSetting is a challenge rule for those who have never read of one.
func challengeSetting(c game.ChallengeRule) string {
	switch {
	case c.Void:
		return "only valid words"
	case c.Free():
		return "challenges are free"
	}
	return Listing(challengeCosts(c, "a wrong challenge gives %d points a word", "a wrong challenge costs %d points a word", "a wrong challenge costs the turn", "whoever is wrong in a challenge loses"))
}

// listSetting says with which words a table plays: a list of a language has its
// code for a name, or to begin with.
func listSetting(f game.Opened) string {
	language, _, _ := strings.Cut(f.Equipment.Tiles.Name(), " ")
	language = SentenceCase(language)
	code, more, _ := strings.Cut(f.Lexicon.Name, "-")
	list := language + " words"
	switch {
	case len(code) > 3:
		if list = "the words of " + f.Lexicon.Name; language != "English" {
			list = language + " tiles, " + list
		}
	case more != "":
		list += " (" + more + ")"
	}
	if f.Lexicon.Added+f.Lexicon.Removed != "" {
		list += " and the house's"
	}
	return list
}

// lobbyLine says who sits, how many seats are free, and who is invited. Guests
// are called once, when the table opens. What can be done the buttons say.
func lobbyLine(t table.Table, opens bool) bot.Text {
	var names []string
	for _, seat := range t.Seats {
		names = append(names, seat.Person.Name)
	}
	line := bot.Glue("At the table: ", Listing(names))
	if free := t.SeatCount - len(names); free > 0 {
		line = bot.Glue(line, ", and ", Count(free, "free seat"))
	}
	var guests []bot.Text
	for _, guest := range t.Invited {
		if _, seated := t.SeatOf(guest.ID); seated {
			continue
		}
		who := bot.Name(guest)
		if opens {
			who = bot.Mention(guest)
		}
		guests = append(guests, bot.Glue(who))
	}
	if len(guests) > 0 {
		line = bot.Glue(line, " for ", ListingOf(guests))
	}
	return bot.Glue(line, ".")
}

// ScoreLine is the scores and the bag.
func ScoreLine(t table.Table) bot.Text {
	var scores []string
	for _, seat := range t.Seats {
		scores = append(scores, fmt.Sprintf("%s %d", seat.Person.Name, seat.Score))
	}
	return bot.Glue(strings.Join(scores, " · "), " · ", BagWords(t))
}

// turnLine calls the player to move, once for each turn: began says that these
// events brought the turn.
func turnLine(t table.Table, began bool, now game.State) bot.Text {
	switch p := t.Seats[t.Turn].Person; {
	case bot.IsRobot(p.ID):
		return bot.Glue(bot.Name(p), " is to move.")
	case now.Phase != t.Phase || now.Turns != t.Turns || now.Turn != t.Turn || t.Seats[t.Turn].Vacant:
		return nil
	case began:
		if v := t.Variant; v.Turn != nil {
			return bot.Glue(bot.Mention(p), ", it's your turn", Until(t.State), ". ", v.Turn(t))
		}
		line := bot.Glue(bot.Mention(p), ", it's your turn", Until(t.State), ".")
		if clock := clockLine(t); clock != nil {
			line = bot.Glue(line, " ", clock)
		}
		return line
	default:
		return bot.Glue("It's still ", bot.Name(p), "'s turn", Until(t.State), ".")
	}
}

// electLine says that any player may end the game, where scoreless turns leave
// that to them (document 001, make a play).
func electLine(t table.Table, now game.State) bot.Text {
	if !t.Electable() || now.Number != t.Number {
		return nil
	}
	return bot.Glue("After ", t.Scoreless, " scoreless turns in a row any player may end the game with ", bot.Code("/end"), ".")
}

// agreeLine calls those who have not agreed to end the game, when somebody has
// just done so.
func agreeLine(t table.Table, now game.State) bot.Text {
	if _, ok := t.Events[len(t.Events)-1].Fact.(game.Agreed); !ok || now.Number != t.Number {
		return nil
	}
	var who []bot.Text
	for _, i := range t.Active() {
		if !t.Seats[i].Agreed && !bot.IsRobot(t.Seats[i].Person.ID) {
			who = append(who, bot.Glue(bot.Mention(t.Seats[i].Person)))
		}
	}
	if len(who) == 0 {
		return nil
	}
	return bot.Glue(ListingOf(who), ": ", bot.Code("/end"), " agrees.")
}

// closingLine calls those who can still challenge the last play.
func closingLine(t table.Table, began bool, now game.State) bot.Text {
	if now.Phase != game.Closing {
		return nil
	}
	var who []bot.Text
	for _, i := range t.Active() {
		switch p := t.Seats[i].Person; {
		case i == t.Latest.Seat || t.Seats[i].Accepted || bot.IsRobot(p.ID):
		case began:
			who = append(who, bot.Glue(bot.Mention(p)))
		default:
			who = append(who, bot.Glue(bot.Name(p)))
		}
	}
	if len(who) == 0 {
		return nil
	}
	return bot.Glue(ListingOf(who), ": ", bot.Code("/challenge"), " it, or let it stand with ", bot.Code("/pass"), ". At ", Clock(t.Until), " it stands by itself.")
}

// BagWords says how many tiles are in the bag.
func BagWords(t table.Table) string {
	s := t.State
	if own := t.Variant.Supply; own != nil {
		return own(s)
	}
	if len(s.Bag) == 0 {
		return "the bag is empty"
	}
	if s.Parted {
		return fmt.Sprintf("%s in the bag of vowels, %d in that of consonants", Count(len(s.Vowels), "tile"), len(s.Bag)-len(s.Vowels))
	}
	return Count(len(s.Bag), "tile") + " in the bag"
}

// Sums says how a score came about, where that isn't plain.
func Sums(set *game.TileSet, f game.Played) string {
	if len(f.Words) == 1 && f.Score == f.Words[0].Score {
		return ""
	}
	var parts []string
	left := f.Score
	for _, w := range f.Words {
		parts = append(parts, fmt.Sprintf("%s %d", PlainWord(set, w.Tiles), w.Score))
		left -= w.Score
	}
	if left > 0 {
		parts = append(parts, fmt.Sprintf("all %d tiles %d", len(f.Move.Laid()), left))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func challengeSentence(before game.State, f game.Challenged) bot.Text {
	by, player := bot.Name(before.Seats[f.By].Person), bot.Name(before.Seats[f.Player].Person)
	set := before.Equipment.Tiles
	if len(f.Invalid) > 0 {
		t := bot.Glue(by, " challenges and is right: ", NotWords(set, f.Invalid), " not in the word list. ", player, "'s play comes off the board, and that turn is lost.")
		if f.LosesGame {
			t = bot.Glue(t, " ", player, " is out of the game for it.")
		}
		return t
	}
	t := bot.Glue(by, " challenges ", WordList(set, f.Words), ", but ", Verb(len(f.Words), "it is", "they are"), " in the word list. The play stands.")
	if f.Bonus > 0 {
		t = bot.Glue(t, " ", player, " gains ", Count(f.Bonus, "point"), ".")
	}
	if f.Cost > 0 {
		t = bot.Glue(t, " ", by, " loses ", Count(f.Cost, "point"), ".")
	}
	if f.LosesGame {
		t = bot.Glue(t, " ", by, " is out of the game for it.")
	}
	return t
}

// WrongChallengeCosts tells a player who is about to challenge what they risk.
func WrongChallengeCosts(c game.ChallengeRule) string {
	if c.Free() {
		return "If you are wrong it costs you nothing."
	}
	return "If every word that you challenge is valid, " + Listing(challengeCosts(c, "they gain %d points for each", "you lose %d points for each", "you miss a turn", "you are out of the game; if not, they are")) + "."
}

// ChallengeChoices are the challenge rules and what a wrong challenge costs by
// each.
func ChallengeChoices() []bot.Choice {
	var all []bot.Choice
	for _, c := range game.ChallengeRules() {
		what := ""
		switch {
		case c.Void:
			what = "invalid words are not accepted"
		case c.Free():
			what = "a wrong challenge costs nothing"
		default:
			what = Listing(challengeCosts(c, "a wrong challenge gives the player %d a word", "a wrong challenge costs you %d a word", "a wrong challenge costs your turn", "whoever is wrong loses the game"))
		}
		all = append(all, bot.Choice{Value: c.Name, Label: bot.Glue(SentenceCase(c.Name) + ": " + what)})
	}
	return all
}

// challengeCosts says each of the things that a wrong challenge costs.
func challengeCosts(c game.ChallengeRule, bonus, cost, turn, lost string) []string {
	var costs []string
	if c.Bonus > 0 {
		costs = append(costs, fmt.Sprintf(bonus, c.Bonus))
	}
	if c.Cost > 0 {
		costs = append(costs, fmt.Sprintf(cost, c.Cost))
	}
	if c.LosesTurn {
		costs = append(costs, turn)
	}
	if c.LosesGame {
		costs = append(costs, lost)
	}
	return costs
}

// passedBy says who has passed, and how often.
func passedBy(before game.State) string {
	who := "Everybody has passed"
	if len(before.Active()) == 2 {
		who = "Both have passed"
	}
	if n := before.Rules.PassRounds; n > 1 {
		who += " " + times(n)
	}
	return who
}

// EndSentence tells how a game ended: why, what the last tiles cost, who won.
func EndSentence(before game.State, f game.Ended) bot.Text {
	set := before.Equipment.Tiles
	var lines []bot.Text
	switch f.Reason {
	case game.ScorelessEnd:
		lines = append(lines, bot.Glue("After ", before.Rules.ScorelessTurns, " scoreless turns in a row the game ends."))
	case game.OvertimeEnd:
		lines = append(lines, overtimeLine(before))
	case game.PassedEnd:
		lines = append(lines, bot.Glue(passedBy(before), ", so the game ends."))
	case game.AgreementEnd:
		lines = append(lines, bot.Glue("Everybody has agreed, so the game ends."))
	case game.StoppedEnd:
		by := bot.Glue("somebody who manages this place")
		if f.By.ID != "" {
			by = bot.Glue(bot.Name(f.By), ", who manages this place")
		}
		lines = append(lines, bot.Glue("The game is ended by ", by, ". It counts for nobody."))
	case game.ForsakenEnd:
		if f.By.ID != "" {
			lines = append(lines, bot.Glue(bot.Name(f.By), " ends the game, in which nobody moved any more. It counts for nobody."))
			break
		}
		lines = append(lines, bot.Glue("Nobody is playing any more, so the game ends. It counts for nobody."))
	}
	if before.Phase == game.Closing && waiting(before) {
		lines = append(lines, bot.Glue("The time to challenge is over, and the last play stands."))
	}
	var winners, scores []string
	for i, seat := range before.Seats {
		who, left := seat.Person.Name, Spaced(set, f.Racks[i])
		switch points := f.Adjust[i]; {
		case points < 0:
			lines = append(lines, bot.Glue(who, " has ", left, " left and loses ", Count(-points, "point"), "."))
		case points > 0:
			lines = append(lines, bot.Glue(who, " goes out and gains ", Count(points, "point"), "."))
		case len(f.Racks[i]) > 0:
			lines = append(lines, bot.Glue(who, " has ", left, " left."))
		}
		if slices.Contains(f.Winners, i) {
			winners = append(winners, who)
		}
		scores = append(scores, fmt.Sprintf("%s %d", who, before.Final(i, f)))
	}
	lines = append(lines, overtimeLines(before, f)...)
	result := bot.Strong(Listing(winners) + " wins")
	switch {
	case len(winners) == 0:
		result = bot.Strong("Nobody wins")
	case len(winners) > 1:
		result = bot.Strong("A tie between " + Listing(winners))
	}
	lines = append(lines, bot.Glue(result, ": ", strings.Join(scores, " · "), "."))
	ended := before.Apply(game.Event{Number: before.Number, Fact: f})
	if match := matchLine(ended); match != nil {
		lines = append(lines, match)
	}
	if hints := hintLine(before); hints != nil {
		lines = append(lines, hints)
	}
	return Joined(append(lines, SecretLine()), "\n")
}

// SecretLine says where the secret of the draws is published.
func SecretLine() bot.Text {
	return bot.Glue(bot.Code("/export"), " has the game and the proof that the draws were fair.")
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
	s, last := before.State, ""
	for _, e := range t.Events[from:] {
		if c := CaptionOf(t.Variant, s, e.Fact); c != "" {
			last = c
		}
		s = s.Apply(e)
	}
	if from == 0 || !t.Played() {
		return bot.Glue(t.Host.Name, "'s table"), nil
	}
	if last == "" {
		last = "The game goes on"
	}
	var scores []string
	for i, seat := range standings(t.State) {
		if i == MostRanked {
			scores = append(scores, fmt.Sprintf("%d more", len(t.Seats)-i))
			break
		}
		scores = append(scores, fmt.Sprintf("%s %d", t.Seats[seat].Person.Name, t.Seats[seat].Score))
	}
	return bot.Glue(last, " (", strings.Join(scores, ", "), ")"), nil
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
func Caption(t table.Table) string {
	if own := t.Variant.Caption; own != nil {
		return own(t)
	}
	var s game.State
	last := ""
	for _, e := range t.Events {
		if c := CaptionOf(t.Variant, s, e.Fact); c != "" {
			last = c
		}
		s = s.Apply(e)
	}
	return last
}

// CaptionOf is one event in a few words, "" for what doesn't show on a board.
func CaptionOf(v table.Variant, before game.State, f game.Fact) string {
	if t, ok := v.Told(before, f); ok {
		return t.Caption
	}
	who := func(seat int) string { return before.Seats[seat].Person.Name }
	set := before.Equipment.Tiles
	switch f := f.(type) {
	case game.Dealt:
		return who(f.First) + " goes first"
	case game.Played:
		return fmt.Sprintf("%s played %s at %s for %d", who(f.Seat), PlainWord(set, f.Words[0].Tiles), f.Move.At.At(f.Move.Dir), f.Score)
	case game.Exchanged:
		return fmt.Sprintf("%s exchanged %s", who(f.Seat), Count(len(f.Put), "tile"))
	case game.Passed:
		return who(f.Seat) + " passed"
	case game.TurnLost:
		return who(f.Seat) + " missed a turn"
	case game.Challenged:
		if len(f.Invalid) > 0 {
			return fmt.Sprintf("%s challenged %s off the board", who(f.By), PlainWord(set, before.Latest.Words[0].Tiles))
		}
		return who(f.By) + " challenged, and the play stands"
	case game.Resigned:
		return who(f.Seat) + " resigned"
	case game.Vacated:
		return who(f.Seat) + "'s seat is free"
	case game.Adopted:
		return f.Person.Name + " plays on for " + who(f.Seat)
	case game.Ended:
		var winners []string
		for _, i := range f.Winners {
			winners = append(winners, who(i))
		}
		switch {
		case len(winners) == 0:
			return "The game ended without a winner"
		case len(winners) > 1:
			return "A tie between " + Listing(winners)
		}
		return Listing(winners) + " wins"
	}
	return ""
}

// PlainWord is a word as people say it, blanks like other letters.
func PlainWord(set *game.TileSet, w game.Tiles) string {
	b := make([]byte, len(w))
	for i := range b {
		b[i] = byte(w.At(i).Letter())
	}
	return set.Alphabet().String(lexicon.Word(b))
}

func tileName(set *game.TileSet, t game.Tile) string {
	if t.IsBlank() {
		return "a blank"
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

// WordList is "EX, AT and QI".
func WordList(set *game.TileSet, words []game.Tiles) string { return Listing(WordTexts(set, words)) }

// NotWords is "QZX is" or "QZX and EXX are".
func NotWords(set *game.TileSet, words []game.Tiles) string {
	return WordList(set, words) + Verb(len(words), " is", " are")
}

// Verb is the form of a verb that goes with n.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Count is "1 tile" or "3 tiles".
func Count(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, noun+Verb(n, "", "s"))
}

// times is "once", "twice", "3 times".
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprint(n, " times")
}

// Number is a number in a sentence.
func Number(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// Listing is "A", "A and B", "A, B and C".
func Listing(items []string) string {
	var texts []bot.Text
	for _, s := range items {
		texts = append(texts, bot.Glue(s))
	}
	return ListingOf(texts).String()
}

// ListingOf lists texts in a sentence: "a, b and c".
func ListingOf(items []bot.Text) bot.Text {
	var all bot.Text
	for i, item := range items {
		switch {
		case i == 0:
		case i == len(items)-1:
			all = bot.Glue(all, " and ")
		default:
			all = bot.Glue(all, ", ")
		}
		all = bot.Glue(all, item)
	}
	return all
}

// Clock is a time for people.
func Clock(at time.Time) bot.Span {
	return bot.Span{Text: at.UTC().Format("2 Jan 15:04 MST"), Time: at}
}
