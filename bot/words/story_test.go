package words_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A tale is a game with the number of events that have been told.
type tale struct {
	*bottest.Game
	t    *testing.T
	told int
}

func (s *tale) table() table.Table {
	s.t.Helper()
	all, err := table.Variants(nil).Replay("test:1", 1, s.Events)
	gametest.Must(s.t, err)
	return all
}

// tells checks the story of the events since the last check, line by line.
func (s *tale) tells(want ...string) {
	s.t.Helper()
	all := s.table()
	story, err := words.Story(all, s.told, all.State)
	gametest.Must(s.t, err)
	if got := story.String(); got != strings.Join(want, "\n") {
		s.t.Errorf("told:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
	s.told = len(s.Events)
}

// captioned checks the caption of the picture.
func (s *tale) captioned(want string) {
	s.t.Helper()
	if got := words.Caption(s.table()).String(); got != want {
		s.t.Errorf("the picture says %q, want %q", got, want)
	}
}

// inOneLine checks the brief form of the story of all events since a number.
func (s *tale) inOneLine(from int, want string) {
	s.t.Helper()
	got, err := words.Brief(s.table(), from)
	if err != nil || got.String() != want {
		s.t.Errorf("in one line: %q, %v; want %q", got, err, want)
	}
}

// stands checks the description of the game's standing.
func (s *tale) stands(want string) {
	s.t.Helper()
	if got := words.Standing(s.table()).String(); got != want {
		s.t.Errorf("it stands %q, want %q", got, want)
	}
}

func deal(t *testing.T, ruleSet, challenge string, change func(*game.Opened), tiles ...string) *tale {
	t.Helper()
	return &tale{Game: bottest.Deal(t, ruleSet, challenge, tiles, change), t: t}
}

func open(t *testing.T, o game.Open) *tale {
	t.Helper()
	o.Equipment, o.Lexicon = gametest.Equipment(t), gametest.Lexicon
	return &tale{Game: bottest.Open(t, "ann", o), t: t}
}

func TestStoryOfGame(t *testing.T) {
	s := deal(t, "classic", "double", nil, "bag:IIIIIIIIIIIIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	s.tells("Ann and Bob play: a wrong challenge costs the turn, words from small, hints.", "Ann, it's your turn.")
	s.captioned("Ann goes first")
	s.Play("ann", "8H HORN")
	s.tells("Ann plays HORN at 8H for 14.", "Ann 14 · Bob 0 · 14 tiles in the bag", "Bob, it's your turn.")
	s.stands("Ann 14 · Bob 0 · 14 tiles in the bag\nIt's Bob's turn.")
	s.Do("bob", game.Challenge{})
	s.tells("Bob challenges HORN, but it is in the word list. The play stands.", "Bob misses a turn for the wrong challenge.", "Ann 14 · Bob 0 · 14 tiles in the bag", "Ann, it's your turn.")
	s.captioned("Bob missed a turn")
	s.Play("ann", "pass")
	s.tells("Ann passes.", "Ann 14 · Bob 0 · 14 tiles in the bag", "Bob, it's your turn.")
	s.captioned("Ann passed")
	s.Play("bob", "exchange ZO")
	s.tells("Bob exchanges 2 tiles.", "Ann 14 · Bob 0 · 14 tiles in the bag", "Ann, it's your turn.")
	s.captioned("Bob exchanged 2 tiles")
	s.inOneLine(len(s.Events)-1, "Bob exchanged 2 tiles (Ann 14, Bob 0)")
	s.Play("ann", "H8 .IAS")
	s.tells("Ann plays HIAS at H8 for 7.", "Ann 21 · Bob 0 · 11 tiles in the bag", "Bob, it's your turn.")
	s.captioned("Ann played HIAS at H8 for 7")
	s.Do("bob", game.Challenge{})
	s.tells("Bob challenges and is right: HIAS is not in the word list. Ann's play comes off the board, and that turn is lost.", "Ann 14 · Bob 0 · 14 tiles in the bag", "It's still Bob's turn.")
	s.captioned("Bob challenged HIAS off the board")
	s.Play("bob", "7H PASTE")
	s.tells("Bob plays PASTE at 7H for 22 (PASTE 8, PH 7, AO 3, SR 2, TN 2).", "Ann 14 · Bob 22 · 9 tiles in the bag", "Ann, it's your turn.")
	s.Do("ann", game.Resign{})
	s.tells("Ann resigns.", "Ann has A I I I I S ? left.", "Bob has I I I I I I O left.", "Bob wins: Ann 14 · Bob 22.")
	s.captioned("Bob wins because Ann resigned")
	s.stands("The game is over. Bob wins because Ann resigned.")
	s.inOneLine(4, "")
}

// A bingo is announced before its play, with the parts of its score.
func TestStoryOfBingo(t *testing.T) {
	s := deal(t, "classic", "single", nil, "bag:EE", "ann:ORANGES", "bob:LEADING")
	s.told = len(s.Events)
	s.Play("ann", "8H ORANGES")
	s.tells("Bingo! Ann plays ORANGES at 8H for 70 (ORANGES 20, all 7 tiles 50).", "Ann 70 · Bob 0 · the bag is empty", "Bob, it's your turn.")
}

// The last play stays open to a challenge for a while. The players who can challenge are
// called once, and the play stands when all accept it or the time is over.
func TestStoryOfLastPlay(t *testing.T) {
	s := deal(t, "classic", "single", nil, "ann:HORN", "bob:FARM", "cat:QI")
	s.told = len(s.Events)
	s.Play("ann", "8H HORN")
	s.tells("Ann plays HORN at 8H for 14.", "That was Ann's last tile.", "Ann 14 · Bob 0 · Cat 0 · the bag is empty", "Bob and Cat, accept the play or challenge it? At 3 Mar 12:01 UTC it stands.")
	s.stands("Ann 14 · Bob 0 · Cat 0 · the bag is empty\nThe last play can be challenged until 3 Mar 12:01 UTC.")
	s.Do("bob", game.Pass{})
	s.tells("Bob accepts it.", "Ann 14 · Bob 0 · Cat 0 · the bag is empty", "Cat, accept the play or challenge it? At 3 Mar 12:01 UTC it stands.")
	accepted := *s.Game
	s.Do("cat", game.Pass{})
	s.tells("Cat accepts it.", "Ann goes out and gains 20 points.", "Bob has A F M R left and loses 9 points.", "Cat has I Q left and loses 11 points.", "Ann wins: Ann 34 · Bob -9 · Cat -11.")
	s.Game, s.told = &accepted, len(accepted.Events)
	s.Wait(25 * time.Hour)
	s.Do("", game.TimeUp{})
	s.tells("The time to challenge is over, and the last play stands.", "Ann goes out and gains 20 points.", "Bob has A F M R left and loses 9 points.", "Cat has I Q left and loses 11 points.", "Ann wins: Ann 34 · Bob -9 · Cat -11.")
}

// A player who loses a challenge under the triple rule is out, and the story says so.
func TestStoryOfTripleChallenge(t *testing.T) {
	s := deal(t, "classic", "triple", nil, "bag:EEEEEEEE", "ann:HORNFAR", "bob:FARMQIE", "cat:AEIOUNT")
	s.told = len(s.Events)
	s.Play("ann", "8H HORN")
	s.told = len(s.Events)
	s.Do("bob", game.Challenge{})
	s.tells("Bob challenges HORN, but it is in the word list. The play stands. Bob is out of the game for it.", "Ann 14 · Bob 0 · Cat 0 · 4 tiles in the bag", "Cat, it's your turn.")
	s.Play("cat", "7H OUN")
	s.told = len(s.Events)
	s.Do("ann", game.Challenge{})
	s.tells("Ann challenges and is right: OUN, UO and NR are not in the word list. Cat's play comes off the board, and that turn is lost. Cat is out of the game for it.", "Ann has A E E E E F R left.", "Cat has A E I N O T U left.", "Ann wins: Ann 14 · Bob 0 · Cat 0.")
	s.captioned("Ann wins by a challenge")
}

// The story of a wrong challenge includes the points that it gives.
func TestStoryOfFivePointChallenge(t *testing.T) {
	s := deal(t, "classic", "5-point", nil, "bag:EEEEEEEE", "ann:HORNFAR", "bob:FARMQIE")
	s.Play("ann", "8H HORN")
	s.told = len(s.Events)
	s.Do("bob", game.Challenge{})
	s.tells("Bob challenges HORN, but it is in the word list. The play stands. Ann gains 5 points.", "Ann 19 · Bob 0 · 4 tiles in the bag", "It's still Bob's turn.")
}

// A lobby is one message that lists its players and the holders of reserved seats.
func TestStoryOfLobby(t *testing.T) {
	s := open(t, game.Open{Rules: game.Classic(), Seats: 3})
	s.tells("Ann wants to play: words from small, hints.", "Waiting for 2 more players.")
	s.inOneLine(0, "Ann's table")
	s.Do("bob", game.Join{})
	s.tells("Bob sits down.", "At the table: Ann and Bob. Waiting for one more player.")
	if got, want := words.LobbyStory(s.table()).String(), "Ann wants to play: words from small, hints.\nAt the table: Ann and Bob. Waiting for one more player."; got != want {
		t.Errorf("the message of the lobby is %q, want %q", got, want)
	}
	s.Do("bob", game.Leave{})
	s.tells("Bob leaves the table.", "Waiting for 2 more players.")
	s.Do("bob", game.Join{})
	s.told = len(s.Events)
	s.Do("ann", game.Start{})
	s.tells("Ann and Bob play.", "Ann, it's your turn.")

	s = open(t, game.Open{Rules: game.Classic(), Seats: 3, Invited: []game.Person{bottest.People["bob"], bottest.People["cat"]}})
	s.tells("Ann wants to play: words from small, hints.", "Waiting for Bob and Cat.")
	s.Do("bob", game.Join{})
	s.tells("Bob sits down.", "At the table: Ann and Bob. Waiting for Cat.")

	s = open(t, game.Open{Rules: game.Classic(), Seats: 2})
	s.told = len(s.Events)
	s.Do("ann", game.Leave{})
	s.tells("Ann leaves the table.", "The table is closed. /new opens another.")
}

// Voters are called when the vote opens, and the remaining ones are named until it ends.
func TestStoryOfOrderVote(t *testing.T) {
	rules := game.Classic()
	rules.Order = game.Voted
	s := open(t, game.Open{Rules: rules, Seats: 3})
	s.tells("Ann wants to play: words from small, a vote on the playing order, hints.", "Waiting for 2 more players.")
	s.Do("bob", game.Join{})
	s.told = len(s.Events)
	s.Do("cat", game.Join{})
	s.tells("Cat sits down.", "The players vote on the order. If several get the most votes, one of them is drawn.", "Ann, Bob and Cat have until 3 Mar 12:03 UTC to vote on the order of play. The players' numbers are 1 Ann, 2 Bob and 3 Cat: /vote 132 means Ann, Cat, Bob.")
	s.Do("ann", game.Vote{Order: []int{1, 0, 2}})
	s.tells("Ann votes for Bob, Ann, Cat.", "Bob and Cat have until 3 Mar 12:03 UTC to vote on the order of play. The players' numbers are 1 Ann, 2 Bob and 3 Cat: /vote 132 means Ann, Cat, Bob.")
	s.Do("bob", game.Vote{})
	s.tells("Bob leaves the order to the others.", "Cat has until 3 Mar 12:03 UTC to vote on the order of play. The players' numbers are 1 Ann, 2 Bob and 3 Cat: /vote 132 means Ann, Cat, Bob.")
	split := *s.Game
	s.Do("cat", game.Vote{Order: []int{1, 0, 2}})
	s.tells("Cat votes for Bob, Ann, Cat.", "The order of play, by the votes: Bob, Ann, Cat.", "Bob goes first.", "Bob 0 · Ann 0 · Cat 0 · 79 tiles in the bag", "Bob, it's your turn.")
	s.Game, s.told = &split, len(split.Events)
	s.Do("cat", game.Vote{Order: []int{2, 0, 1}})
	s.tells("Cat votes for Cat, Ann, Bob.", "The order of play, drawn from 2: Bob, Ann, Cat.", "Bob goes first.", "Bob 0 · Ann 0 · Cat 0 · 79 tiles in the bag", "Bob, it's your turn.")
}

// With a limit for turns, the story names the time left, the late player, the players who
// can act, and their actions.
func TestStoryOfLateTurn(t *testing.T) {
	claim := func(o *game.Opened) {
		o.Pace = game.Pace{Turn: 24 * time.Hour, Bank: 36 * time.Hour, Late: game.LateClaim}
	}
	s := deal(t, "classic", "single", claim, "bag:EEEEEEEE", "ann:HORNFAR", "bob:FARMQIE", "cat:AEIOUNT")
	s.tells("Ann, Bob and Cat play: words from small, hints, 1 day a turn, plus 36 hours for each player's whole game, a late player's game can be claimed.", "Ann, it's your turn. You have until 5 Mar 00:00 UTC.")
	s.Do("ann", game.GoAway{Until: s.Now.Add(48 * time.Hour)})
	s.tells("Ann is away until 4 Mar 12:00 UTC. Their clock is paused until then.", "Ann 0 · Bob 0 · Cat 0 · 8 tiles in the bag", "It's still Ann's turn, until 6 Mar 23:59 UTC.")
	s.Do("ann", game.ComeBack{})
	s.tells("Ann is back.", "Ann 0 · Bob 0 · Cat 0 · 8 tiles in the bag", "It's still Ann's turn, until 5 Mar 00:01 UTC.")
	at, _ := s.Expires()
	s.Now = at
	s.Do("", game.Expire{})
	s.tells("The time for Ann's turn is up.", "Ann 0 · Bob 0 · Cat 0 · 8 tiles in the bag", "It's still Ann's turn.", "Bob and Cat: /claim takes the game, /wait gives Ann more time.")
	s.Do("bob", game.WaitOn{})
	s.tells("Bob will wait: the turn's clock starts again.", "Ann 0 · Bob 0 · Cat 0 · 8 tiles in the bag", "Ann, it's your turn. You have until 7 Mar 12:03 UTC.")
	at, _ = s.Expires()
	s.Now = at
	s.Do("", game.Expire{})
	s.told = len(s.Events)
	s.Do("cat", game.Claim{})
	s.tells("Cat claims the game, since Ann is gone.", "Ann's seat is free: /adopt takes it over, with its tiles and its score.", "Ann 0 · Bob 0 · Cat 0 · 8 tiles in the bag", "Bob, it's your turn. You have until 10 Mar 00:05 UTC.")
	s.captioned("Ann's seat is free")
	adopted := *s.Game
	s.Do("dan", game.Adopt{})
	s.tells("Dan plays on for Ann.", "Dan 0 · Bob 0 · Cat 0 · 8 tiles in the bag", "It's still Bob's turn, until 10 Mar 00:05 UTC.")
	s.captioned("Dan plays on for Ann")
	s.Game, s.told = &adopted, len(adopted.Events)
	s.Do("ann", game.Adopt{})
	s.tells("Ann is back in the game.", "Ann 0 · Bob 0 · Cat 0 · 8 tiles in the bag", "It's still Bob's turn, until 10 Mar 00:05 UTC.")

	// Only one player is left, who can claim the game.
	s = deal(t, "classic", "single", nil, "bag:EEEEEEEE", "ann:HORNFAR", "bob:FARMQIE")
	s.told = len(s.Events)
	s.Do("", game.Vacate{Player: "test:ann"})
	s.tells("Ann's seat is free: /adopt takes it over, with its tiles and its score.", "Ann 0 · Bob 0 · 8 tiles in the bag", "Bob: /claim takes the game.")
	s.Do("bob", game.Claim{})
	s.tells("Bob claims the game, since Ann is gone.", "Ann has A F H N O R R left.", "Bob has A E F I M Q R left.", "Bob wins: Ann 0 · Bob 0.")
	s.captioned("Bob wins because Ann left the game")

	// Without a limit, a turn is late after a week.
	s = deal(t, "classic", "single", nil, "bag:EEEEEEEE", "ann:HORNFAR", "bob:FARMQIE")
	s.told = len(s.Events)
	s.Wait(8 * 24 * time.Hour)
	s.Do("", game.Expire{})
	s.tells("Ann hasn't moved for a week.", "Ann 0 · Bob 0 · 8 tiles in the bag", "It's still Ann's turn.", "Bob: /claim takes the game, /wait gives Ann more time.")
	s.Do("bob", game.Claim{})
	s.tells("Bob claims the game, since Ann is gone.", "Ann is out of the game.", "Ann has A F H N O R R left.", "Bob has A E F I M Q R left.", "Bob wins: Ann 0 · Bob 0.")
	s.captioned("Bob wins because Ann left the game")
}

// The story names the consequence of a late turn: a pass, or the loss of the game.
func TestStoryOfLateTurnsConsequence(t *testing.T) {
	for _, c := range []struct {
		late    game.Late
		setting string
		told    []string
	}{
		{game.LatePass, "a late turn is passed", []string{"Ann passes.", "Ann 0 · Bob 0 · 8 tiles in the bag", "Bob, it's your turn. You have until 4 Mar 12:01 UTC."}},
		{game.LateForfeit, "a late player loses", []string{"Ann is out of the game.", "Ann has A F H N O R R left.", "Bob has A E F I M Q R left.", "Bob wins: Ann 0 · Bob 0."}},
	} {
		s := deal(t, "classic", "single", func(o *game.Opened) { o.Pace = game.Pace{Turn: 24 * time.Hour, Weekend: time.UTC, Late: c.late} }, "bag:EEEEEEEE", "ann:HORNFAR", "bob:FARMQIE")
		if got := words.Sentence(table.Variant{}, game.State{}, s.Events[0]).String(); !strings.Contains(got, "1 day a turn, weekends in UTC don't count, "+c.setting+".") {
			t.Errorf("%s: the table opens with %q", c.late, got)
		}
		s.told = len(s.Events)
		s.Wait(24 * time.Hour)
		s.Do("", game.Expire{})
		s.tells(append([]string{"The time for Ann's turn is up."}, c.told...)...)
	}
}

// The call to a turn includes the player's clock, and the end of the game its penalty.
func TestStoryOfClocks(t *testing.T) {
	clock := func(each, increment time.Duration) func(*game.Opened) {
		return func(o *game.Opened) { o.Rules.Clock = o.Rules.Clock.With(each, increment) }
	}
	s := deal(t, "club", "double", clock(25*time.Minute, 10*time.Second), "bag:EEEEEEEE", "ann:HORNFAR", "bob:FARMQIE")
	s.Shown = true
	s.tells("Ann and Bob play: 25 minutes each, 10 seconds extra for each turn, 10 points off for each minute over, or part of one, club rules, a wrong challenge costs the turn, words from small, going out gains twice the value of the others' tiles, players can't look words up.", "Ann, it's your turn. Your clock has 25:00 left, and starts now.")
	s.Play("ann", "8H HORN")
	s.told = len(s.Events)
	s.Play("bob", "pass")
	s.tells("Bob passes.", "Ann 14 · Bob 0 · 4 tiles in the bag", "Ann, it's your turn. Your clock has 24:10 left, and starts now.")
	note := func(seat int, want string) {
		t.Helper()
		if got := words.ClockNote(s.State, seat).String(); got != want {
			t.Errorf("the card of seat %d says %q, want %q", seat, got, want)
		}
	}
	note(0, "24:10 left")
	s.slowly("ann", 27*time.Minute)
	s.told = len(s.Events)
	s.Play("bob", "pass")
	s.tells("Bob passes.", "Ann 14 · Bob 0 · 4 tiles in the bag", "Ann, it's your turn. You're over time by up to 3 minutes, at 10 points each.")
	note(0, "−2:40")
	s.Do("ann", game.Agree{})
	s.tells("Ann would like to end the game here. It ends when everybody agrees.", "Ann 14 · Bob 0 · 4 tiles in the bag", "Bob: /end agrees.", "It's still Ann's turn.")
	s.Do("bob", game.Agree{})
	s.tells("Bob agrees to end the game here.", "Everybody has agreed, so the game ends.", "Ann has A E E E E F R left and loses 10 points.", "Bob has A E F I M Q R left and loses 21 points.", "Ann went over time by up to 5 minutes and loses 50 points.", "Bob wins: Ann -46 · Bob -21.")

	s = deal(t, "rulebook", "void", clock(90*time.Second, 0), "bag:EEEEEEEE", "ann:HORNFAR", "bob:FARMQIE")
	s.Shown = true
	s.tells("Ann and Bob play: 1:30 each, whoever goes more than 10 over loses, rulebook rules, only valid words, words from small, a drawn playing order, hints.", "Ann, it's your turn. Your clock has 1:30 left, and starts now.")
	s.slowly("ann", 3*time.Minute)
	s.told = len(s.Events)
	s.Play("bob", "pass")
	s.tells("Bob passes.", "Ann 0 · Bob 0 · 8 tiles in the bag", "Ann, it's your turn. You're over time by up to 2 minutes. If you go more than 10 minutes over, you lose the game.")
	s.slowly("ann", 11*time.Minute)
	s.tells("Ann is more than 10 minutes over time and loses.", "Ann has A F H N O R R left and loses 13 points.", "Bob has A E F I M Q R left and loses 21 points.", "Bob wins: Ann -13 · Bob -21.")
	s.captioned("Bob wins on time")

	s = deal(t, "family", "void", clock(time.Minute, 0), "bag:EEEEEEEE", "ann:HORNFAR", "bob:FARMQIE")
	s.Shown = true
	s.tells("Ann and Bob play: 1 minute each, family rules, only valid words, words from small, hints.", "Ann, it's your turn. Your clock has 1:00 left, and starts now.")
	s.slowly("ann", 2*time.Minute)
	s.tells("Ann has run out of time and loses.", "Ann has A F H N O R R left and loses 13 points.", "Bob has A E F I M Q R left and loses 21 points.", "Bob wins: Ann -13 · Bob -21.")
}

// slowly lets a player pass after some time on their clock.
func (s *tale) slowly(who string, after time.Duration) {
	s.t.Helper()
	seen := s.Now
	s.Wait(after)
	s.DoSeen(who, game.Pass{}, seen)
}

// Games without a limit of scoreless turns end by agreement, by passes, or by any player's
// decision.
func TestStoryOfEndings(t *testing.T) {
	s := deal(t, "classic", "single", nil, "bag:EEEEEEEE", "ann:HORN", "bob:FARM")
	for range 2 {
		s.Play("ann", "pass")
		s.Play("bob", "pass")
	}
	s.Play("ann", "pass")
	s.told = len(s.Events)
	s.Play("bob", "pass")
	s.tells("Bob passes.", "After 6 scoreless turns in a row the game ends.", "Ann has H N O R left and loses 7 points.", "Bob has A F M R left and loses 9 points.", "Ann wins: Ann -7 · Bob -9.")
	s.captioned("Ann wins")

	s = deal(t, "rulebook", "void", nil, "bag:EEEEEEEE", "ann:HORN", "bob:FARM")
	for range 3 {
		s.Play("ann", "pass")
		s.told = len(s.Events)
		s.Play("bob", "pass")
	}
	s.tells("Bob passes.", "Ann 0 · Bob 0 · 8 tiles in the bag", "Ann, it's your turn.", "After 6 scoreless turns in a row, any player can end the game with /end.")
	s.Play("ann", "pass")
	s.told = len(s.Events)
	s.Play("bob", "pass")
	s.tells("Bob passes.", "Ann 0 · Bob 0 · 8 tiles in the bag", "Ann, it's your turn.", "After 6 scoreless turns in a row, any player can end the game with /end.")
	s.told = len(s.Events)
	s.Do("ann", game.Agree{})
	s.tells("Ann ends the game here.", "After 6 scoreless turns in a row the game ends.", "Ann has H N O R left and loses 7 points.", "Bob has A F M R left and loses 9 points.", "Ann wins: Ann -7 · Bob -9.")

	s = deal(t, "family", "void", nil, "bag:EEEEEEEE", "ann:HORN", "bob:FARM", "cat:QI")
	s.Play("ann", "pass")
	s.Play("bob", "pass")
	s.told = len(s.Events)
	passing := *s.Game
	s.Play("cat", "pass")
	s.tells("Cat passes.", "Everybody has passed, so the game ends.", "Ann has H N O R left and loses 7 points.", "Bob has A F M R left and loses 9 points.", "Cat has I Q left and loses 11 points.", "Ann wins: Ann -7 · Bob -9 · Cat -11.")
	s.Game, s.told = &passing, len(passing.Events)
	s.Do("ann", game.Agree{})
	s.tells("Ann would like to end the game here. It ends when everybody agrees.", "Ann 0 · Bob 0 · Cat 0 · 8 tiles in the bag", "Bob and Cat: /end agrees.", "It's still Cat's turn.")
	s.Do("bob", game.Agree{})
	s.tells("Bob agrees to end the game here.", "Ann 0 · Bob 0 · Cat 0 · 8 tiles in the bag", "Cat: /end agrees.", "It's still Cat's turn.")
	s.Do("cat", game.Resign{})
	s.tells("Cat resigns. Their tiles go out of play.", "Everybody has agreed, so the game ends.", "Ann has H N O R left and loses 7 points.", "Bob has A F M R left and loses 9 points.", "Ann wins: Ann -7 · Bob -9 · Cat 0.")

	for _, c := range []struct {
		by    string
		lying bool
		told  string
	}{
		{"mod", false, "Mod, who manages this place, has ended the game. It doesn't count."},
		{"mod", true, "Mod ends the game, since nobody was moving. It doesn't count."},
		{"", false, "A manager of this place has ended the game. It doesn't count."},
	} {
		s = deal(t, "classic", "single", nil, "bag:EEEEEEEE", "ann:HORN", "bob:FARM")
		s.told = len(s.Events)
		s.Do(c.by, game.Stop{Abandoned: c.lying})
		s.tells(c.told, "Ann has H N O R left.", "Bob has A F M R left.", "Nobody wins: Ann 0 · Bob 0.")
		s.captioned("The game ended without a winner")
	}
	s = deal(t, "classic", "single", nil, "bag:EEEEEEEE", "ann:HORN", "bob:FARM")
	s.told = len(s.Events)
	s.Wait(29 * 24 * time.Hour)
	s.Do("", game.Abandon{})
	s.tells("Nobody is playing any more, so the game ends. It doesn't count.", "Ann has H N O R left.", "Bob has A F M R left.", "Nobody wins: Ann 0 · Bob 0.")
}

// The story of each game of a match includes the match's standing or its winner.
func TestStoryOfMatch(t *testing.T) {
	first := deal(t, "match", "void", nil, "bag:EEEEEEEE", "ann:HORN", "bob:FARM")
	first.tells("Ann and Bob play: match rules, only valid words, words from small, a match of two games, hints.", "Ann, it's your turn.")
	first.Play("ann", "8H HORN")
	first.told = len(first.Events)
	first.Do("bob", game.Resign{})
	first.tells("Bob resigns.", "Ann has E E E E left.", "Bob has A F M R left.", "Ann wins: Ann 14 · Bob 0.", "The match after the first game: Ann 1 win, 14 points · Bob 0 wins, 0 points. The second game opens now.")
	final := func(s *tale, want string) {
		t.Helper()
		if got := words.FinalCaption(s.table()).String(); got != want {
			t.Errorf("the last card says %q, want %q", got, want)
		}
	}
	final(first, "Game over: Ann wins because Bob resigned")
	for _, c := range []struct {
		points          int // Bob's of the first game, which Ann has won with 14
		standing, final string
	}{
		{0, "The match is tied: Bob 1 win, 14 points · Ann 1 win, 14 points.", "Game over: Bob wins because Ann resigned, and the match is tied"},
		{90, "Bob wins the match: Bob 1 win, 104 points · Ann 1 win, 14 points.", "Game over: Bob wins because Ann resigned, and Bob wins the match"},
	} {
		s := deal(t, "match", "void", func(o *game.Opened) {
			o.Earlier = []game.Standing{{Player: bottest.People["ann"], Wins: 1, Points: 14}, {Player: bottest.People["bob"], Points: c.points}}
			o.First = bottest.People["bob"]
		}, "bag:EEEEEEEE", "bob:HORN", "ann:FARM")
		s.tells("The second game of the match of Ann and Bob: match rules, only valid words, words from small, hints. Bob goes first.", "Ann sits down.", fmt.Sprintf("The match before this game: Bob 0 wins, %d points · Ann 1 win, 14 points. Bob goes first.", c.points), "Bob 0 · Ann 0 · 8 tiles in the bag", "Bob, it's your turn.")
		s.Play("bob", "8H HORN")
		s.told = len(s.Events)
		s.Do("ann", game.Resign{})
		s.tells("Ann resigns.", "Bob has E E E E left.", "Ann has A F M R left.", "Bob wins: Bob 14 · Ann 0.", c.standing)
		final(s, c.final)
	}
}

// A game that starts by itself with all its players, such as a league's, isn't told as a lobby in
// which one of them would like a rematch.
func TestAutomaticStartHasNoLobby(t *testing.T) {
	s := deal(t, "classic", "single", func(o *game.Opened) { o.First = bottest.People["ann"] }, "bag:EEEEEEEE", "ann:HORN", "bob:FARM")
	s.tells("Ann and Bob play: words from small, hints.", "Ann, it's your turn.")
}

// The opening of a table names every setting that isn't the default.
func TestOpeningNamesSettings(t *testing.T) {
	for _, c := range []struct {
		open func(*game.Opened)
		want string
	}{
		{func(o *game.Opened) { o.Rules = game.Family(); o.Rules.Order = game.Voted }, "Ann wants to play: family rules, only valid words, words from small, a vote on the playing order, hints."},
		{func(o *game.Opened) { o.Rules = game.Club(); o.Rules.Unrated = true; o.Rules.UseLetter = true }, "Ann wants to play: club rules, words from small, going out gains twice the value of the others' tiles, every word uses a letter on the board, unrated, players can't look words up."},
		{func(o *game.Opened) { o.Rules = game.Classic(); o.Rules.Unrated = true }, "Ann wants to play: words from small, hints, so it's unrated."},
		{func(o *game.Opened) { o.Rules = game.Rulebook(); o.Rules.Challenge = game.Triple }, "Ann wants to play: rulebook rules, whoever is wrong in a challenge loses, words from small, a drawn playing order, hints."},
		{func(o *game.Opened) { o.Rules.Challenge = game.ChallengeRule{Name: "both", Cost: 7, LosesTurn: true} }, "Ann wants to play: a wrong challenge costs 7 points a word and a wrong challenge costs the turn, words from small, hints."},
		{func(o *game.Opened) { o.Rules.Variant = "junior" }, "Ann wants to play: junior, words from small, hints."},
		{func(o *game.Opened) { o.Lexicon = game.LexiconID{Name: "en", Added: "QQ"} }, "Ann wants to play: English words with this place's own changes, hints."},
		{func(o *game.Opened) { o.Lexicon = game.LexiconID{Name: "en-large"} }, "Ann wants to play: English words (large), hints."},
		{func(o *game.Opened) {
			o.Equipment.Tiles = tilesCalled(t, o.Equipment, "polish")
			o.Lexicon.Removed = "A"
		}, "Ann wants to play: Polish tiles, words from small with this place's own changes, hints."},
		{func(o *game.Opened) {
			o.Pace = game.Pace{Turn: 36 * time.Hour, Bank: 24 * time.Hour, Weekend: time.UTC}
		}, "Ann wants to play: words from small, hints, 36 hours a turn, plus 1 day for each player's whole game, weekends in UTC don't count, a late player's game can be claimed."},
		{func(o *game.Opened) { o.First = bottest.People["bob"] }, "Ann wants a rematch: words from small, hints. Bob goes first."},
	} {
		s := deal(t, "classic", "single", c.open, "bag:EEEEEEEE", "ann:HORN", "bob:FARM")
		if got := words.Sentence(table.Variant{}, game.State{}, s.Events[0]).String(); got != c.want {
			t.Errorf("told:\n%s\nwant:\n%s", got, c.want)
		}
	}
}

// tilesCalled returns tiles under another name.
func tilesCalled(t *testing.T, eq game.Equipment, name string) *game.TileSet {
	t.Helper()
	kinds := eq.Tiles.Kinds()
	set, err := game.NewTileSet(name, kinds[:len(kinds)-1], kinds[len(kinds)-1])
	gametest.Must(t, err)
	return set
}
