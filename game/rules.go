package game

import (
	"fmt"
	"slices"
	"time"
)

// Rules holds the rules of a table as a plain value, so that a new rule set is data and not code.
// The project's RULES.md defines the named sets from the documents it cites; a table may change
// single fields.
type Rules struct {
	Name       string
	Variant    string // see [Variants]; "" for ordinary play
	MinPlayers int
	MaxPlayers int
	// DefaultSeats is the default number of seats; 0 means MaxPlayers.
	DefaultSeats int
	RackSize     int // tiles

	// Order is how the turn order is decided.
	Order Order
	// Games is the number of games in a match: 2, with each player first in one; 0 for single
	// games.
	Games int

	// Bonus is the points added, after all multiplying, to a play of BonusTiles or more tiles.
	Bonus      int
	BonusTiles int

	// UseLetter requires a play's main word to use a letter on the board. Otherwise it may also lie
	// alongside others.
	UseLetter bool

	// ExchangeMin is the fewest tiles in the bag for an exchange. The bag must always have as many
	// as are exchanged; 0 requires no more.
	ExchangeMin int

	Challenge ChallengeRule
	// ChallengeTime limits how long the last play of a game can be challenged if not everyone has
	// accepted it.
	ChallengeTime time.Duration

	// ScorelessTurns is the number of scoreless turns in a row that end the game; 0 for none.
	ScorelessTurns int
	// Elect lets any player end the game after ScorelessTurns, until a player scores, instead of
	// ending it at once.
	Elect bool
	// ZeroPlays counts a play that scores 0 (only blanks) as a scoreless turn.
	ZeroPlays bool
	// PassRounds sets how many times in a row everyone must pass for the game to end; 0 for never.
	PassRounds int

	OutBonus OutBonus
	// TieBreak gives a tie to the player who was ahead before the racks were settled.
	TieBreak bool
	Clock    Clock
	// Agreement lets the players agree to end the game.
	Agreement bool
	// WordCheck lets players look words up during their game.
	WordCheck bool
	// Hints lets players ask for a hint at their turn.
	Hints bool
	// Duplicate is used only by the variant of that name.
	Duplicate Duplicate
	// Unrated excludes the game from ratings.
	Unrated bool
}

// A Clock is the thinking time of each player for the whole game, in one sitting. The zero Clock is
// for rules without a clock.
type Clock struct {
	On        bool // the table uses the clock
	Time      time.Duration
	Increment time.Duration // added after each of the player's turns
	Penalty   int           // points lost for each started minute over the time
	// Limit is the overtime that ends the game. 0 means that overtime doesn't end it or, if
	// Loses is set, that any overtime does.
	Limit time.Duration
	// Loses makes a player over by more than Limit lose. Otherwise the highest total wins, even
	// theirs.
	Loses bool
}

// ShortestClock and LongestClock limit a table's own Clock.Time, and MostIncrement its increment.
const (
	ShortestClock = 30 * time.Second
	LongestClock  = 5 * time.Hour
	MostIncrement = 5 * time.Minute
)

// With returns the clock with a table's own time and increment. The rules' consequences of overtime
// remain; without any, a player whose time is up loses.
func (c Clock) With(each, increment time.Duration) Clock {
	if c.Time == 0 {
		c.Loses = true
	}
	c.On, c.Time, c.Increment = true, each, increment
	return c
}

// CanEndGame reports whether time can end the game.
func (c Clock) CanEndGame() bool { return c.Limit > 0 || c.Loses }

// An Order is a way to decide the turn order; one of [Orders].
type Order struct {
	Name string
	// Voted lets the players vote on the order.
	Voted bool
	// Whole draws the order of all players, not only the first.
	Whole bool
}

// The ways to decide the turn order.
var (
	// Drawn lets each player draw a tile: the one nearest to A goes first.
	Drawn = Order{Name: "drawn"}
	// Random draws the order of all the players.
	Random = Order{Name: "random", Whole: true}
	// Voted lets the players vote on an order.
	Voted = Order{Name: "voted", Voted: true}
)

// Orders returns all ways to decide the turn order, the default first.
func Orders() []Order { return []Order{Drawn, Random, Voted} }

// String returns the order's name.
func (o Order) String() string { return o.Name }

// ParseOrder returns the order with a name.
func ParseOrder(name string) (Order, bool) { return findNamed(Orders(), name) }

// A ChallengeRule says what happens to words that aren't in the lexicon; one of [ChallengeRules].
// If plays can be challenged, a challenged play with an invalid word is removed and its turn lost.
type ChallengeRule struct {
	Name string
	// Void rejects a play with an invalid word, so that there is nothing to challenge.
	Void bool
	// Bonus is the points that the player of the play gains from a wrong challenge, for each word
	// challenged.
	Bonus int
	// Cost is the points that the challenger loses, for each word.
	Cost int
	// LosesTurn costs a wrong challenger a turn.
	LosesTurn bool
	// LosesGame makes the player in the wrong, whether challenged or challenger, lose the game.
	LosesGame bool
}

// The challenge rules.
var (
	// Void rejects a play with an invalid word.
	Void = ChallengeRule{Name: "void", Void: true}
	// Single has no penalty for a wrong challenge.
	Single = ChallengeRule{Name: "single"}
	// Double costs a wrong challenger a turn.
	Double = ChallengeRule{Name: "double", LosesTurn: true}
	// FivePoint and TenPoint give the player points for each word wrongly challenged.
	FivePoint = ChallengeRule{Name: "5-point", Bonus: 5}
	TenPoint  = ChallengeRule{Name: "10-point", Bonus: 10}
	// Triple makes the player in the wrong lose the game.
	Triple = ChallengeRule{Name: "triple", LosesGame: true}
)

// ChallengeRules returns all challenge rules. A rule added here can be chosen everywhere, and its
// cost is shown to people.
func ChallengeRules() []ChallengeRule {
	return []ChallengeRule{Void, Single, Double, FivePoint, TenPoint, Triple}
}

// String returns the rule's name.
func (c ChallengeRule) String() string { return c.Name }

// Free reports whether a wrong challenge costs nothing.
func (c ChallengeRule) Free() bool {
	return c.Bonus == 0 && c.Cost == 0 && !c.LosesTurn && !c.LosesGame
}

// ParseChallengeRule returns the challenge rule with a name.
func ParseChallengeRule(name string) (ChallengeRule, bool) { return findNamed(ChallengeRules(), name) }

// An OutBonus is how racks are settled when a player goes out; one of [OutBonuses].
type OutBonus struct {
	Name string
	// Times is how many times the value of the other racks the player who goes out gains.
	Times int
	// Deduct subtracts the other players' racks from their scores.
	Deduct bool
}

// The out bonuses.
var (
	// OutDeduct moves the value of the other racks from their players to the one who goes out.
	OutDeduct = OutBonus{Name: "deduct", Times: 1, Deduct: true}
	// OutDouble gives the player who goes out twice the value of the other racks, and takes nothing
	// from the others, as in tournaments.
	OutDouble = OutBonus{Name: "double", Times: 2}
)

// OutBonuses returns all out bonuses, the default first.
func OutBonuses() []OutBonus { return []OutBonus{OutDeduct, OutDouble} }

// String returns the out bonus's name.
func (o OutBonus) String() string { return o.Name }

// ParseOutBonus returns the out bonus with a name.
func ParseOutBonus(name string) (OutBonus, bool) { return findNamed(OutBonuses(), name) }

// findNamed returns the choice with a name.
func findNamed[T fmt.Stringer](all []T, name string) (choice T, ok bool) {
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

// Seats returns the default number of seats.
func (r Rules) Seats() int {
	if r.DefaultSeats > 0 {
		return min(r.DefaultSeats, r.MaxPlayers)
	}
	return r.MaxPlayers
}

// PlayAtOnce reports whether all players play at the same time, each turn.
func (r Rules) PlayAtOnce() bool { return r.Duplicate.TurnTime > 0 }

// Club returns the rules of document 000, for clubs and tournaments: "always two-player games", so
// two seats by default.
func Club() Rules {
	r := Classic()
	r.Name = "club"
	r.DefaultSeats = 2
	r.ZeroPlays = false
	r.OutBonus = OutDouble
	r.Agreement = true
	r.WordCheck = false
	r.Hints = false
	r.Clock = Clock{Time: 25 * time.Minute, Penalty: 10}
	return r
}

// Rulebook returns the rules of document 001. That document only has the end by overtime, without
// penalties; the 25 minutes come from document 000.
func Rulebook() Rules {
	r := Classic()
	r.Name = "rulebook"
	r.Order = Random
	r.Challenge = Void
	r.Elect = true
	r.Clock = Clock{Time: 25 * time.Minute, Limit: 10 * time.Minute, Loses: true}
	return r
}

// Family returns the rules of the general part of document 002.
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

// RuleSets returns the named rule sets, the default first.
func RuleSets() []Rules { return []Rules{Classic(), Club(), Rulebook(), Family(), Match()} }
