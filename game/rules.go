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
	// UsualSeats is how many seats a table opens with where nobody says how
	// many; 0: MaxPlayers.
	UsualSeats int
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

	// UseLetter says that a play's main word must use a letter that lies on
	// the board. Else it may also lie beside others.
	UseLetter bool

	// ExchangeMin is how many tiles must be in the bag for an exchange. There must
	// always be as many as are exchanged; at 0 that is enough.
	ExchangeMin int

	Challenge ChallengeRule
	// ChallengeTime is how long the last play of a game stays open to a
	// challenge that nobody has waived.
	ChallengeTime time.Duration

	// ScorelessTurns is how many scoreless turns in a row end the game; 0: no
	// number does.
	ScorelessTurns int
	// Elect says that they don't end it by themselves: any player may from then
	// on, until a player scores.
	Elect bool
	// ZeroPlays says that a play which scores 0 (blanks only) is a scoreless
	// turn.
	ZeroPlays bool
	// PassRounds: the game ends when everybody passes that number of times in a row;
	// 0: it doesn't for that.
	PassRounds int

	OutBonus OutBonus
	// TieBreak says that a tie goes to the player who had more before the racks were
	// settled.
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
	On        bool // whether this table plays by it
	Time      time.Duration
	Increment time.Duration // that each turn of one's own brings
	Penalty   int           // points off for each started minute over the time
	// Limit is how much over the time ends the game; 0: nothing does, unless Loses.
	Limit time.Duration
	// Loses says that a player who is over by more than Limit loses. Else the
	// best total wins, theirs too.
	Loses bool
}

// ShortestClock and LongestClock are the bounds of a table's own Clock.Time, and
// MostIncrement is that of its increment.
const (
	ShortestClock = 30 * time.Second
	LongestClock  = 5 * time.Hour
	MostIncrement = 5 * time.Minute
)

// Of returns the clock with a time and an increment of a table's own. Time is lost as the
// rules say; where they know of no clock, the player whose time is over loses.
func (c Clock) Of(each, increment time.Duration) Clock {
	if c.Time == 0 {
		c.Loses = true
	}
	c.On, c.Time, c.Increment = true, each, increment
	return c
}

// Ends reports whether time can end the game.
func (c Clock) Ends() bool { return c.Limit > 0 || c.Loses }

// An Order is how it is settled who plays when. It is one of [Orders].
type Order struct {
	Name string
	// Voted says that the players vote on the order.
	Voted bool
	// Whole says that the order of all the players is drawn, and not the first
	// of them alone.
	Whole bool
}

// The orders of play.
var (
	// Drawn has each player draw a tile: the one nearest to A begins.
	Drawn = Order{Name: "drawn"}
	// Random draws the order of all the players.
	Random = Order{Name: "random", Whole: true}
	// Voted has the players vote on an order.
	Voted = Order{Name: "voted", Voted: true}
)

// Orders lists the orders of play, the usual one first.
func Orders() []Order { return []Order{Drawn, Random, Voted} }

// String returns the order's name.
func (o Order) String() string { return o.Name }

// ParseOrder finds an order by its name.
func ParseOrder(name string) (Order, bool) { return named(Orders(), name) }

// A ChallengeRule says what becomes of words that are not in the lexicon. It is
// one of [ChallengeRules]. Where plays are open to a challenge, one with an
// invalid word is removed when it is challenged, and its turn lost.
type ChallengeRule struct {
	Name string
	// Void says that a play with an invalid word is not accepted, so that
	// there is nothing to challenge.
	Void bool
	// Bonus is what a wrong challenge gives the player who made the play, in
	// points for each word challenged.
	Bonus int
	// Cost is what it takes from the challenger, in points for each word.
	Cost int
	// LosesTurn says that it costs the challenger a turn.
	LosesTurn bool
	// LosesGame says that whoever is wrong, the player or the challenger,
	// loses the game.
	LosesGame bool
}

// The challenge rules.
var (
	// Void does not accept a play with an invalid word.
	Void = ChallengeRule{Name: "void", Void: true}
	// Single lets a wrong challenge cost nothing.
	Single = ChallengeRule{Name: "single"}
	// Double has it cost the challenger's turn.
	Double = ChallengeRule{Name: "double", LosesTurn: true}
	// FivePoint and TenPoint have it give the player points for each word
	// challenged.
	FivePoint = ChallengeRule{Name: "5-point", Bonus: 5}
	TenPoint  = ChallengeRule{Name: "10-point", Bonus: 10}
	// Triple makes the one who is wrong lose the game.
	Triple = ChallengeRule{Name: "triple", LosesGame: true}
)

// ChallengeRules lists the challenge rules. One that is added here can be chosen
// everywhere, and people are told what it costs.
func ChallengeRules() []ChallengeRule {
	return []ChallengeRule{Void, Single, Double, FivePoint, TenPoint, Triple}
}

// String returns the rule's name.
func (c ChallengeRule) String() string { return c.Name }

// Free reports whether a wrong challenge costs nothing.
func (c ChallengeRule) Free() bool {
	return c.Bonus == 0 && c.Cost == 0 && !c.LosesTurn && !c.LosesGame
}

// ParseChallengeRule finds a challenge rule by its name.
func ParseChallengeRule(name string) (ChallengeRule, bool) { return named(ChallengeRules(), name) }

// An OutBonus is what is settled when a player goes out. It is one of
// [OutBonuses].
type OutBonus struct {
	Name string
	// Times is how many times the others' racks the player who goes out gains.
	Times int
	// Deduct says that the others lose their racks.
	Deduct bool
}

// The out bonuses.
var (
	// OutDeduct has the others lose their racks to the player who goes out.
	OutDeduct = OutBonus{Name: "deduct", Times: 1, Deduct: true}
	// OutDouble gives the player who goes out twice the others' racks, and
	// takes nothing from them: the tournament way.
	OutDouble = OutBonus{Name: "double", Times: 2}
)

// OutBonuses lists the out bonuses, the usual one first.
func OutBonuses() []OutBonus { return []OutBonus{OutDeduct, OutDouble} }

// String returns the out bonus's name.
func (o OutBonus) String() string { return o.Name }

// ParseOutBonus finds an out bonus by its name.
func ParseOutBonus(name string) (OutBonus, bool) { return named(OutBonuses(), name) }

// named finds the choice of a name.
func named[T fmt.Stringer](all []T, name string) (choice T, ok bool) {
	i := slices.IndexFunc(all, func(c T) bool { return c.String() == name })
	if i < 0 {
		return choice, false
	}
	return all[i], true
}

// Classic returns the rules of document 004, the default.
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

// Seats returns how many seats a table opens with where nobody says how many.
func (r Rules) Seats() int {
	if r.UsualSeats > 0 {
		return min(r.UsualSeats, r.MaxPlayers)
	}
	return r.MaxPlayers
}

// Club returns the rules of document 000, as clubs and tournaments play: "always two-player
// games", so that more seats must be asked for.
func Club() Rules {
	r := Classic()
	r.Name = "club"
	r.UsualSeats = 2
	r.ZeroPlays = false
	r.OutBonus = OutDouble
	r.Agreement = true
	r.WordCheck = false
	r.Hints = false
	r.Clock = Clock{Time: 25 * time.Minute, Penalty: 10}
	return r
}

// Rulebook returns the rules of document 001. Of the clock that has only the end by overtime: the
// 25 minutes are document 000's, and a minute over them costs nothing.
func Rulebook() Rules {
	r := Classic()
	r.Name = "rulebook"
	r.Order = Random
	r.Challenge = Void
	r.Elect = true
	r.Clock = Clock{Time: 25 * time.Minute, Limit: 10 * time.Minute, Loses: true}
	return r
}

// Family returns the general part of document 002.
func Family() Rules {
	r := Classic()
	r.Name = "family"
	r.ExchangeMin = 0
	r.Challenge = Void
	r.ScorelessTurns = 0
	r.PassRounds = 1
	r.Agreement = true
	return r
}

// Match returns the rules of document 003: two linked games of two players.
func Match() Rules {
	r := Family()
	r.Name = "match"
	r.MaxPlayers = 2
	r.Games = 2
	r.PassRounds = 2
	r.Agreement = false
	r.TieBreak = true
	return r
}

// RuleSets lists the named rule sets, the default first.
func RuleSets() []Rules { return []Rules{Classic(), Club(), Rulebook(), Family(), Match()} }
