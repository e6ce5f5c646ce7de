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

// What is kept. A place's row says what is set there and which day is open; a day's
// what became of it; an answer is one person's tries on one day in one place; a player
// is a person's streak, and the boards that they have been answering lately. What earlier
// versions kept beside these is in former.go.

// A Place is a channel with a daily board, as it is stored.
type Place struct {
	V      int        `json:"v"`
	On     bool       `json:"on,omitempty"`
	Hour   hour       `json:"hour,omitempty"`
	Zone   string     `json:"zone,omitempty"` // of who set the hour, where the place has none
	Form   form       `json:"form,omitempty"`
	Day    puzzle.Day `json:"day,omitempty"`   // the latest
	Ends   time.Time  `json:"ends,omitzero"`   // when the next is due
	Quiet  int        `json:"quiet,omitempty"` // days in a row that nobody played
	Asleep bool       `json:"asleep,omitempty"`
}

// A Day is a place's day, as it is stored.
type Day struct {
	V      int       `json:"v"`
	Form   form      `json:"form,omitempty"`
	List   string    `json:"list"`
	Hash   string    `json:"hash"` // of the list
	Opens  time.Time `json:"opens"`
	Ends   time.Time `json:"ends"`
	Posted time.Time `json:"posted,omitzero"` // when the message arrived
	Over   bool      `json:"over,omitempty"`
	Excuse string    `json:"excuse,omitempty"` // why it counts for nobody; "" where it does
	Played int       `json:"played,omitempty"` // by how many
	First  bool      `json:"first,omitempty"`  // no day was before it
	Asks   bool      `json:"asks,omitempty"`   // its message asks whether to go on
}

// The excuses of days.
const (
	asked    = "asked"    // its message asked whether to go on
	unposted = "unposted" // its message couldn't be posted
	listGone = "list"     // its word list was taken away
)

// A Try is a play that somebody has tried.
type Try struct {
	ID    string    `json:"id"` // of the request
	At    time.Time `json:"at"`
	Play  string    `json:"play"` // "8H HORN"
	Score int       `json:"score"`
	Band  band      `json:"band"` // 0 is the best
}

// mostTries is how many tries a board gives.
const mostTries = 6

// An Answer is somebody's tries of a day, as they are stored.
type Answer struct {
	V     int    `json:"v"`
	Name  string `json:"name"`
	List  string `json:"list"`
	Form  form   `json:"form,omitempty"`
	Tries []Try  `json:"tries"`
}

// best returns the best try, the first of equal ones, and which one that was, from 1.
func (a Answer) best() (try Try, number int) {
	for i, t := range a.Tries {
		if number == 0 || t.Score > try.Score {
			try, number = t, i+1
		}
	}
	return try, number
}

// A Player is a person's streak and their open boards, as they are stored.
type Player struct {
	V      int    `json:"v"`
	Streak Streak `json:"streak"`
	// Place is where they played last, whose days count.
	Place bot.ChannelID `json:"place,omitempty"`
	// Boards are the tries on boards of the last days, by list and day.
	Boards map[string][]Try `json:"boards,omitempty"`
}

// key names a board among a player's: "en/329".
func (w which) key() string { return fmt.Sprintf("%s/%d", w.list, w.day) }

// readKey reads what key wrote.
func readKey(key string) (w which, ok bool) {
	i := strings.LastIndexByte(key, '/')
	if i < 0 {
		return w, false
	}
	n, err := strconv.Atoi(key[i+1:])
	return which{list: key[:i], day: puzzle.Day(n)}, err == nil
}

// keptBoards is for how many days before and after a board's own a player's row has their
// tries on it: two places may be two days apart.
const keptBoards = 3

// keep stores the tries on a board, and drops those on boards that nobody plays any more.
func (p *Player) keep(now which, tries []Try) {
	kept := map[string][]Try{now.key(): tries}
	for key, old := range p.Boards {
		if w, ok := readKey(key); ok && now.day < w.day+keptBoards && w.day < now.day+keptBoards && kept[key] == nil {
			kept[key] = old
		}
	}
	p.Boards = kept
}

// dayMark is a day in a key: keys sort as days do.
func dayMark(d puzzle.Day) shelf.Mark { return shelf.Mark(fmt.Sprintf("%06d", int(d))) }

func markDay(m shelf.Mark) puzzle.Day {
	n, _ := strconv.Atoi(string(m)) // it was written by dayMark
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

// shelves has the shelves of the feature.
type shelves struct {
	own     *shelf.Owner
	places  *shelf.Shelf[shelf.Channel, Place]
	days    *shelf.Shelf[dayKey, Day]
	answers *shelf.Shelf[answerKey, Answer]
	players *shelf.Shelf[shelf.Person, Player]
	calls   *shelf.Shelf[callKey, call]
	passes  *shelf.Shelf[shelf.Mark, int64]
}

func newShelves(own *shelf.Owner) shelves {
	openFormer(own)
	return shelves{
		own:     own,
		places:  shelf.Open(own, "daily-places", shelf.Spec[shelf.Channel, Place]{Why: "where a daily board is posted, and when"}),
		days:    shelf.Open(own, "daily-days", shelf.Spec[dayKey, Day]{Why: "what became of the days of a place"}),
		answers: shelf.Open(own, "daily-answers", shelf.Spec[answerKey, Answer]{Why: "what somebody tried on a daily board"}),
		players: shelf.Open(own, "daily-players", shelf.Spec[shelf.Person, Player]{Why: "how many days in a row somebody has played"}),
		calls:   shelf.Open(own, "daily-calls", shelf.Spec[callKey, call]{Why: "who wants to be called when a daily board is posted"}),
		passes:  shelf.Open(own, "daily-passes", shelf.Spec[shelf.Mark, int64]{Why: "links to a daily board of somebody's own that were used, until they are too old"}),
	}
}

// answersOf are the answers of a place's day.
func answersOf(ctx context.Context, answers *shelf.Shelf[answerKey, Answer], ch bot.ChannelID, d puzzle.Day) (all []entry, err error) {
	err = shelf.EachUnder(ctx, answers, keyOfDay(ch, d), func(who shelf.Person, a Answer) error {
		all = append(all, entry{game.PlayerID(who), a})
		return nil
	})
	return all, err
}

// An entry is somebody's answer.
type entry struct {
	who game.PlayerID
	Answer
}

// rank sorts entries: the best try first; of equal ones the one with fewer tries, then
// the earlier.
func rank(all []entry) {
	slices.SortFunc(all, func(a, b entry) int {
		x, n := a.best()
		y, m := b.best()
		return cmp.Or(y.Score-x.Score, n-m, x.At.Compare(y.At), strings.Compare(string(a.who), string(b.who)))
	})
}
