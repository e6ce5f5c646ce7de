package game

import (
	"fmt"
	"slices"
	"time"
)

// Rules are what a table plays by: a plain value, so that another rule set is
// data and not code. The named sets are settled in the project's RULES.md from
// the documents it cites; a table may change single fields.
type Rules struct {
	Name       string
	Variant    string // see [Variants]; "" for ordinary play
	MinPlayers int
	MaxPlayers int
	RackSize   int // tiles

	// Order is how it is settled who plays when.
	Order Order
	// Games is how many games make a match: 2, each player being first in one;
	// 0 where a game stands by itself.
	Games int

	// Bonus is added to a play of BonusTiles or more tiles, after all
	// multiplying, in points.
	Bonus      int
	BonusTiles int

	// ExchangeMin is how many tiles must be in the bag for an exchange, and at
	// least as many as are exchanged; 0: those alone.
	ExchangeMin int

	Challenge ChallengeRule
	// ChallengeTime is how long the last play of a game stays open to a
	// challenge that nobody has waived.
	ChallengeTime time.Duration

	// ScorelessTurns is how many scoreless turns in a row end the game; 0: no
	// number does.
	ScorelessTurns int
	// Elect says that they don't end it by themselves: any player may from then
	// on, until somebody scores.
	Elect bool
	// ZeroPlays says that a play which scores 0 (blanks only) is a scoreless
	// turn.
	ZeroPlays bool
	// PassRounds: the game ends when everybody passes so many times in a row;
	// 0: it doesn't for that.
	PassRounds int

	OutBonus OutBonus
	// TieBreak says that of equals who had more before the racks were settled
	// wins.
	TieBreak bool
	Clock    Clock
	// Agreement says that the players may agree to end the game.
	Agreement bool
	// WordCheck says that players may look words up during their game.
	WordCheck bool
	// Hints says that players may ask at their turn what to play.
	Hints bool
	// Duplicate is for its variant alone, which reads it.
	Duplicate Duplicate
	// Unrated says that the game counts for nobody's rating.
	Unrated bool
}

// A Clock is how long a player may think in all, for a game that is played at
// one sitting. The zero Clock is for rules that know of none.
type Clock struct {
	On      bool // whether this table plays by it
	Time    time.Duration
	Penalty int // points off for each started minute over Time
	// Limit is how much over it ends the game; 0: nothing does.
	Limit time.Duration
}

// An Order is how it is settled who plays when.
type Order uint8

const (
	// Drawn: each draws a tile, and who is nearest to A begins.
	Drawn Order = iota + 1
	// Random: the order of all the players is drawn.
	Random
	// Voted: the players vote on an order.
	Voted
)

var orderNames = []string{Drawn: "drawn", Random: "random", Voted: "voted"}

// Orders lists the names that ParseOrder takes.
func Orders() []string { return orderNames[1:] }

func (o Order) String() string {
	if o == 0 || int(o) >= len(orderNames) {
		return fmt.Sprintf("Order(%d)", uint8(o))
	}
	return orderNames[o]
}

// ParseOrder finds an order by its name.
func ParseOrder(name string) (Order, bool) {
	i := slices.Index(orderNames[1:], name)
	return Order(i + 1), i >= 0
}

// A ChallengeRule says what becomes of words that are not in the lexicon.
type ChallengeRule uint8

const (
	// Void: a play with an invalid word is not accepted.
	Void ChallengeRule = iota + 1
	// Single: an invalid play is removed and its turn lost; a wrong challenge
	// costs nothing.
	Single
	// Double: a wrong challenge costs the challenger's turn.
	Double
	// FivePoint and TenPoint: a wrong challenge gives the player 5 or 10
	// points for each word challenged.
	FivePoint
	TenPoint
	// Triple: who is wrong, the player or the challenger, loses the game.
	Triple
)

var challengeNames = []string{Void: "void", Single: "single", Double: "double", FivePoint: "5-point", TenPoint: "10-point", Triple: "triple"}

// ChallengeRules lists the names that ParseChallengeRule takes.
func ChallengeRules() []string { return challengeNames[1:] }

func (c ChallengeRule) String() string {
	if c == 0 || int(c) >= len(challengeNames) {
		return fmt.Sprintf("ChallengeRule(%d)", uint8(c))
	}
	return challengeNames[c]
}

// ParseChallengeRule finds a challenge rule by its name.
func ParseChallengeRule(name string) (ChallengeRule, bool) {
	for c := Void; int(c) < len(challengeNames); c++ {
		if challengeNames[c] == name {
			return c, true
		}
	}
	return 0, false
}

// bonus is what a wrong challenge gives the player for each word challenged.
func (c ChallengeRule) bonus() int {
	switch c {
	case FivePoint:
		return 5
	case TenPoint:
		return 10
	}
	return 0
}

// An OutBonus is what the player who goes out gains.
type OutBonus uint8

const (
	// OutDeduct: the others lose their racks, the player out gains their sum.
	OutDeduct OutBonus = iota + 1
	// OutDouble: the player out gains twice the others' racks, they lose
	// nothing (the tournament way).
	OutDouble
)

var outBonusNames = []string{OutDeduct: "deduct", OutDouble: "double"}

// OutBonuses lists the names that ParseOutBonus takes.
func OutBonuses() []string { return outBonusNames[1:] }

func (o OutBonus) String() string {
	if o == 0 || int(o) >= len(outBonusNames) {
		return fmt.Sprintf("OutBonus(%d)", uint8(o))
	}
	return outBonusNames[o]
}

// ParseOutBonus finds an out bonus by its name.
func ParseOutBonus(name string) (OutBonus, bool) {
	for o := OutDeduct; int(o) < len(outBonusNames); o++ {
		if outBonusNames[o] == name {
			return o, true
		}
	}
	return 0, false
}

// Classic is document 004, the default.
func Classic() Rules {
	return Rules{
		Name: "classic", MinPlayers: 2, MaxPlayers: 4, RackSize: 7,
		Order: Drawn,
		Bonus: 50, BonusTiles: 7,
		ExchangeMin:    7,
		Challenge:      Single,
		ChallengeTime:  24 * time.Hour,
		ScorelessTurns: 6, ZeroPlays: true,
		OutBonus:  OutDeduct,
		WordCheck: true,
		Hints:     true,
	}
}

// Club is document 000, as clubs and tournaments play.
func Club() Rules {
	r := Classic()
	r.Name = "club"
	r.ZeroPlays = false
	r.OutBonus = OutDouble
	r.Agreement = true
	r.WordCheck = false
	r.Hints = false
	r.Clock = Clock{Time: 25 * time.Minute, Penalty: 10}
	return r
}

// Rulebook is document 001. The 25 minutes, and what a minute over them costs,
// are document 000's: 001 has only the end by overtime.
func Rulebook() Rules {
	r := Classic()
	r.Name = "rulebook"
	r.Order = Random
	r.Challenge = Void
	r.Elect = true
	r.Clock = Clock{On: true, Time: 25 * time.Minute, Penalty: 10, Limit: 10 * time.Minute}
	return r
}

// Family is the general part of document 002.
func Family() Rules {
	r := Classic()
	r.Name = "family"
	r.ExchangeMin = 0
	r.Challenge = Void
	r.ScorelessTurns = 0
	r.PassRounds = 1
	return r
}

// Match is document 003: two linked games of two players.
func Match() Rules {
	r := Family()
	r.Name = "match"
	r.MaxPlayers = 2
	r.Games = 2
	r.PassRounds = 2
	r.TieBreak = true
	return r
}

// RuleSets lists the named rule sets, the default first.
func RuleSets() []Rules { return []Rules{Classic(), Club(), Rulebook(), Family(), Match()} }
