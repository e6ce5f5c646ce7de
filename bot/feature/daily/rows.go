package daily

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
)

// This file defines the stored rows. A place's row has its settings and the open day; a day's row
// its outcome; an answer one person's tries on one day in one place; a player's row their streak
// and their latest boards. The rows of earlier versions are in former.go.

// A placeRow stores a channel with a daily board.
type placeRow struct {
	V      int        `json:"v"`
	On     bool       `json:"on,omitempty"`
	Hour   hour       `json:"hour,omitempty"`
	Zone   string     `json:"zone,omitempty"` // the zone of the person who set the hour; used if the place sets none
	Form   form       `json:"form,omitempty"`
	Day    puzzle.Day `json:"day,omitempty"`   // the latest day
	Ends   time.Time  `json:"ends,omitzero"`   // when the next day is due
	Quiet  int        `json:"quiet,omitempty"` // days in a row without players
	Asleep bool       `json:"asleep,omitempty"`
}

// A dayRow stores a place's day.
type dayRow struct {
	V      int       `json:"v"`
	Form   form      `json:"form,omitempty"`
	List   string    `json:"list"`
	Hash   string    `json:"hash"` // of the word list
	Opens  time.Time `json:"opens"`
	Ends   time.Time `json:"ends"`
	Posted time.Time `json:"posted,omitzero"` // when the message arrived
	Over   bool      `json:"over,omitempty"`
	Excuse string    `json:"excuse,omitempty"` // why the day counts for nobody; "" if it counts
	Played int       `json:"played,omitempty"` // how many people played
	First  bool      `json:"first,omitempty"`  // whether it is the place's first day
	Asks   bool      `json:"asks,omitempty"`   // whether its message asks to go on
}

// The reasons why a day doesn't count.
const (
	asked    = "asked"    // its message asked whether to go on
	unposted = "unposted" // its message couldn't be posted
	listGone = "list"     // its word list was removed
)

// An attempt is a play that a person tried.
type attempt struct {
	ID    string    `json:"id"` // of the request
	At    time.Time `json:"at"`
	Play  string    `json:"play"` // "8H HORN"
	Score int       `json:"score"`
	Band  band      `json:"band"` // 0 is the best
}

// mostTries is the number of tries for a board.
const mostTries = 6

// An answerRow stores a person's tries on a day.
type answerRow struct {
	V     int       `json:"v"`
	Name  string    `json:"name"`
	List  string    `json:"list"`
	Form  form      `json:"form,omitempty"`
	Tries []attempt `json:"tries"`
}

// best returns the best try, the first of equals, and its number counted from 1.
func (a answerRow) best() (try attempt, number int) {
	for i, t := range a.Tries {
		if number == 0 || t.Score > try.Score {
			try, number = t, i+1
		}
	}
	return try, number
}

// A playerRow stores a person's streak and their latest boards.
type playerRow struct {
	V      int    `json:"v"`
	Streak streak `json:"streak"`
	// Place is the place where they played last; its days count for the streak.
	Place bot.ChannelID `json:"place,omitempty"`
	// Boards holds the tries on recent boards, by list and day.
	Boards map[string][]attempt `json:"boards,omitempty"`
}

// A versionRow stores from which day on boards are made by a [puzzle.Version], whose number is the
// row's key.
type versionRow struct {
	V    int        `json:"v"`
	From puzzle.Day `json:"from"`
}

// key identifies a board among a player's: "en/329".
func (w boardID) key() string { return fmt.Sprintf("%s/%d", w.list, w.day) }

// readKey parses a key written by key.
func readKey(key string) (w boardID, ok bool) {
	i := strings.LastIndexByte(key, '/')
	if i < 0 {
		return w, false
	}
	n, err := strconv.Atoi(key[i+1:])
	return boardID{list: key[:i], day: puzzle.Day(n)}, err == nil
}

// keptBoards is the greatest number of days between two boards that are open at once. A board opens
// at most one day before its own date, and closes at most longestApart days after it.
const keptBoards = longestApart + 1

// keep stores the tries on a board, and drops those on boards that can't be played any more.
func (p *playerRow) keep(now boardID, tries []attempt) {
	kept := map[string][]attempt{now.key(): tries}
	for key, old := range p.Boards {
		if w, ok := readKey(key); ok && now.day <= w.day+keptBoards && w.day <= now.day+keptBoards && kept[key] == nil {
			kept[key] = old
		}
	}
	p.Boards = kept
}

// dayMark returns a day as part of a key. Keys sort like days.
func dayMark(d puzzle.Day) shelf.Mark { return shelf.Mark(fmt.Sprintf("%06d", int(d))) }

func markDay(m shelf.Mark) puzzle.Day {
	n, _ := strconv.Atoi(string(m)) // written by dayMark
	return puzzle.Day(n)
}

type (
	dayKey    = shelf.Pair[shelf.Channel, shelf.Mark]
	answerKey = shelf.Pair[dayKey, shelf.Person]
	callKey   = shelf.Pair[shelf.Channel, shelf.Person]
)

func keyOfDay(ch bot.ChannelID, d puzzle.Day) dayKey {
	return shelf.Both(shelf.Channel(ch), dayMark(d))
}

func keyOfAnswer(ch bot.ChannelID, d puzzle.Day, who game.PlayerID) answerKey {
	return shelf.Both(keyOfDay(ch, d), shelf.Person(who))
}

// shelves holds the feature's shelves.
type shelves struct {
	own     *shelf.Owner
	places  *shelf.Shelf[shelf.Channel, placeRow]
	days    *shelf.Shelf[dayKey, dayRow]
	answers *shelf.Shelf[answerKey, answerRow]
	players *shelf.Shelf[shelf.Person, playerRow]
	calls   *shelf.Shelf[callKey, call]
	passes  *shelf.Shelf[shelf.Mark, int64]
	// versions holds the first day of each version of boards.
	versions *shelf.Shelf[shelf.Mark, versionRow]
}

func newShelves(own *shelf.Owner) shelves {
	openFormer(own)
	return shelves{
		own:     own,
		places:  shelf.Open(own, "daily-places", shelf.Spec[shelf.Channel, placeRow]{Why: "where a daily board is posted, and when"}),
		days:    shelf.Open(own, "daily-days", shelf.Spec[dayKey, dayRow]{Why: "what became of the days of a place"}),
		answers: shelf.Open(own, "daily-answers", shelf.Spec[answerKey, answerRow]{Why: "what somebody tried on a daily board"}),
		players: shelf.Open(own, "daily-players", shelf.Spec[shelf.Person, playerRow]{Why: "how many days in a row somebody has played"}),
		calls:   shelf.Open(own, "daily-calls", shelf.Spec[callKey, call]{Why: "who wants to be called when a daily board is posted"}),
		passes:  shelf.Open(own, "daily-passes", shelf.Spec[shelf.Mark, int64]{Why: "links to a daily board of somebody's own that were used, until they are too old"}),

		versions: shelf.Open(own, "daily-versions", shelf.Spec[shelf.Mark, versionRow]{Why: "the day from which on daily boards are made as this version makes them"}),
	}
}

// answersOf returns the answers to a place's day.
func answersOf(ctx context.Context, answers *shelf.Shelf[answerKey, answerRow], ch bot.ChannelID, d puzzle.Day) (all []entry, err error) {
	err = shelf.EachUnder(ctx, answers, keyOfDay(ch, d), func(who shelf.Person, a answerRow) error {
		all = append(all, entry{game.PlayerID(who), a})
		return nil
	})
	return all, err
}

// An entry is a person's answer.
type entry struct {
	who game.PlayerID
	answerRow
}

// sortEntries sorts entries: the best try first, then fewer tries, then the earlier one.
func sortEntries(all []entry) {
	slices.SortFunc(all, func(a, b entry) int {
		x, n := a.best()
		y, m := b.best()
		return cmp.Or(y.Score-x.Score, n-m, x.At.Compare(y.At), strings.Compare(string(a.who), string(b.who)))
	})
}
