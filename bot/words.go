package bot

import (
	"fmt"
	"strings"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// This file has the sentences that tell what happened; explain.go has those
// that say why something can't be done.

// story tells everybody of a table's events from number from on.
func story(t table, from int) (Text, error) {
	s, err := t.at(from)
	if err != nil {
		return nil, err
	}
	var lines []Text
	for _, e := range t.Events[from:] {
		if line := sentence(s.State, e); len(line) > 0 {
			lines = append(lines, line)
		}
		s.State = s.Apply(e)
	}
	switch t.Phase {
	case game.Lobby:
		lines = append(lines, lobbyLine(t))
	case game.Playing:
		lines = append(lines, turnLine(t))
	}
	return joined(lines, "\n"), nil
}

func joined(lines []Text, sep string) Text {
	var all Text
	for i, l := range lines {
		if i > 0 {
			all = say(all, sep)
		}
		all = say(all, l)
	}
	return all
}

// sentence tells of one event; before is the state it happened in.
func sentence(before game.State, e game.Event) Text {
	who := func(seat int) Span { return name(before.Seats[seat].Person) }
	set := before.Equipment.Tiles
	switch f := e.Fact.(type) {
	case game.Opened:
		return say(name(f.Host), " opens a table: ", settings(f), ".\nThe draws are settled by a secret with the SHA-256 ", code(f.Secret.Commitment()), ", and by how you join.")
	case game.Joined:
		if f.Person.ID == before.Host.ID {
			return nil
		}
		return say(name(f.Person), " sits down.")
	case game.Left:
		return say(who(f.Seat), " gets up again.")
	case game.Closed:
		return say("The table is closed. ", code("/new"), " opens another.")
	case game.Started:
		return say("The game begins.")
	case game.OrderDrawn:
		var drew []string
		for i, seat := range f.Seats {
			drew = append(drew, before.Seats[seat].Person.Name+" drew "+tileName(set, f.Tiles.At(i)))
		}
		t := say("For the first turn ", listing(drew), ".")
		if len(f.Best()) > 1 {
			t = say(t, " Equal: draw again.")
		}
		return t
	case game.Dealt:
		return say(who(f.First), " goes first.")
	case game.Played:
		return say(who(f.Seat), " plays ", strong(plainWord(set, f.Words[0].Tiles)), " at ", f.Move.At.At(f.Move.Dir), " for ", strong(fmt.Sprint(f.Score)), sums(set, f), ".")
	case game.Exchanged:
		return say(who(f.Seat), " exchanges ", count(len(f.Put), "tile"), ".")
	case game.Passed:
		return say(who(f.Seat), " passes.")
	case game.TurnLost:
		return say(who(f.Seat), "'s turn goes by, for the wrong challenge.")
	case game.Challenged:
		return challengeSentence(before, f)
	case game.LastPlay:
		return say("That would end the game. It stays open to a challenge until ", clock(f.Until), ", or until everybody lets it stand.")
	case game.Accepted:
		return say(who(f.Seat), " lets it stand.")
	case game.Resigned:
		t := say(who(f.Seat), " resigns.")
		if len(before.Active()) > 2 {
			t = say(t, " Their tiles leave play.")
		}
		return t
	case game.Agreed:
		return say(who(f.Seat), " would end the game here. It ends when all players agree with ", code("/end"), ".")
	case game.Ended:
		return endSentence(before, f)
	}
	return nil
}

// settings are what a table plays by, in a line.
func settings(f game.Opened) string {
	r := f.Rules
	parts := []string{
		r.Name + " rules", r.Challenge.String() + " challenge", "word list " + f.Lexicon.Name,
	}
	if r.OutBonus == game.OutDouble {
		parts = append(parts, "going out gains twice the others' tiles")
	}
	if !r.WordCheck {
		parts = append(parts, "players may not look words up")
	}
	return strings.Join(parts, ", ")
}

// lobbyLine says who sits and what can be done.
func lobbyLine(t table) Text {
	var names []string
	for _, seat := range t.Seats {
		names = append(names, seat.Person.Name)
	}
	line := say(listing(names), verb(len(names), " sits", " sit"), " at the table; it has ", count(t.SeatCount, "seat"), ". ", code("/join"), " to play")
	if len(t.Seats) >= t.Rules.MinPlayers {
		line = say(line, ", ", code("/start"), " to begin")
	}
	line = say(line, ".")
	for _, guest := range t.Invited {
		if _, seated := t.SeatOf(guest.ID); !seated {
			line = say(line, " ", mention(guest), " is invited.")
		}
	}
	return line
}

// turnLine says how things stand and calls the player to move.
func turnLine(t table) Text {
	var scores []string
	for _, seat := range t.Seats {
		scores = append(scores, fmt.Sprintf("%s %d", seat.Person.Name, seat.Score))
	}
	return say(strings.Join(scores, " · "), " · ", bagWords(t.State), "\n", mention(t.Seats[t.Turn].Person), ", it's your turn.")
}

func bagWords(s game.State) string {
	if len(s.Bag) == 0 {
		return "the bag is empty"
	}
	return count(len(s.Bag), "tile") + " in the bag"
}

// sums says how a score came about, where that isn't plain.
func sums(set *game.TileSet, f game.Played) string {
	if len(f.Words) == 1 && f.Score == f.Words[0].Score {
		return ""
	}
	var parts []string
	left := f.Score
	for _, w := range f.Words {
		parts = append(parts, fmt.Sprintf("%s %d", plainWord(set, w.Tiles), w.Score))
		left -= w.Score
	}
	if left > 0 {
		parts = append(parts, fmt.Sprintf("all %d tiles %d", len(f.Move.Laid()), left))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func challengeSentence(before game.State, f game.Challenged) Text {
	by, player := name(before.Seats[f.By].Person), name(before.Seats[f.Player].Person)
	set := before.Equipment.Tiles
	if len(f.Invalid) > 0 {
		t := say(by, " challenges, and is right: ", notWords(set, f.Invalid), " not in the word list. ", player, "'s play comes off the board and the turn is lost.")
		if f.LosesGame {
			t = say(t, " ", player, " loses the game for it.")
		}
		return t
	}
	t := say(by, " challenges ", wordList(set, f.Words), ": valid. The play stands.")
	switch {
	case f.Bonus > 0:
		t = say(t, " ", player, " gains ", count(f.Bonus, "point"), ".")
	case f.LosesTurn:
		t = say(t, " ", by, " loses a turn for it.")
	case f.LosesGame:
		t = say(t, " ", by, " loses the game for it.")
	}
	return t
}

func wrongChallengeCosts(c game.ChallengeRule) string {
	switch c {
	case game.Double:
		return "If all the words are valid you lose a turn."
	case game.FivePoint:
		return "For each valid word that you name they gain 5 points."
	case game.TenPoint:
		return "For each valid word that you name they gain 10 points."
	case game.Triple:
		return "If all the words are valid you lose the game; if not, they do."
	}
	return "If all the words are valid nothing happens."
}

func endSentence(before game.State, f game.Ended) Text {
	set := before.Equipment.Tiles
	var lines []Text
	switch f.Reason {
	case game.ScorelessEnd:
		lines = append(lines, say(before.Rules.ScorelessTurns, " scoreless turns in a row end the game."))
	case game.AgreementEnd:
		lines = append(lines, say("The players agree to end the game."))
	}
	for i, seat := range before.Seats {
		switch {
		case f.Adjust[i] < 0:
			lines = append(lines, say(seat.Person.Name, " loses ", -f.Adjust[i], " for ", set.Print(f.Racks[i]), "."))
		case f.Adjust[i] > 0:
			lines = append(lines, say(seat.Person.Name, " goes out and gains ", f.Adjust[i], "."))
		case len(f.Racks[i]) > 0 && !seat.Out:
			lines = append(lines, say(seat.Person.Name, " had ", set.Print(f.Racks[i]), " left."))
		}
	}
	var winners, scores []string
	for _, i := range f.Winners {
		winners = append(winners, before.Seats[i].Person.Name)
	}
	for i, seat := range before.Seats {
		scores = append(scores, fmt.Sprintf("%s %d", seat.Person.Name, seat.Score+f.Adjust[i]))
	}
	if len(winners) == 1 {
		lines = append(lines, say(strong(winners[0]+" wins"), ": ", strings.Join(scores, " · "), "."))
	} else {
		lines = append(lines, say(strong("A tie between "+listing(winners)), ": ", strings.Join(scores, " · "), "."))
	}
	lines = append(lines, say("The secret of the draws was ", code(fmt.Sprintf("%x", before.Secret)), "; ", code("/export"), " has the game and the proof."))
	return joined(lines, "\n")
}

// caption is what the picture after the last of a table's events says.
func caption(t table) string {
	set := t.Equipment.Tiles
	for i := len(t.Events) - 1; i >= 0; i-- {
		before, err := t.at(i)
		if err != nil {
			return ""
		}
		switch f := t.Events[i].Fact.(type) {
		case game.Played:
			return fmt.Sprintf("%s played %s at %s for %d", before.Seats[f.Seat].Person.Name, plainWord(set, f.Words[0].Tiles), f.Move.At.At(f.Move.Dir), f.Score)
		case game.Ended:
			if len(f.Winners) == 1 {
				return before.Seats[f.Winners[0]].Person.Name + " wins"
			}
			return "A tie"
		case game.Challenged, game.Exchanged, game.Passed, game.TurnLost, game.Resigned, game.Dealt:
			line, _, _ := strings.Cut(sentence(before.State, t.Events[i]).String(), ". ")
			return strings.TrimSuffix(line, ".")
		}
	}
	return ""
}

// plainWord is a word as people say it, blanks like other letters.
func plainWord(set *game.TileSet, w game.Tiles) string {
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
	return set.Text(t)
}

func wordList(set *game.TileSet, words []game.Tiles) string {
	var out []string
	for _, w := range words {
		out = append(out, plainWord(set, w))
	}
	return listing(out)
}

// notWords is "QZX is" or "QZX and EXX are".
func notWords(set *game.TileSet, words []game.Tiles) string {
	return wordList(set, words) + verb(len(words), " is", " are")
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// count is "1 tile" or "3 tiles".
func count(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, noun+verb(n, "", "s"))
}

// listing is "A", "A and B", "A, B and C".
func listing(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " and " + items[last]
}

// clock is a time for people.
func clock(at time.Time) Span { return Span{Text: at.UTC().Format("2 Jan 15:04 MST"), Time: at} }
