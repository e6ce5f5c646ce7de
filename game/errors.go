package game

import "strconv"

// A Code identifies the rule that an action breaks.
type Code uint8

const (
	// The play doesn't fit the board.
	NoTiles      Code = iota + 1 // the play has no new tile
	OffBoard                     // Move runs off the board
	Gap                          // Square is empty but was to be played through
	Occupied                     // Square holds There, not Tile
	NotWhole                     // There, on Square, adjoins the word and belongs to it
	TooShort                     // a word needs two letters or more
	MissesStart                  // the first play must cover Square
	NotJoined                    // the play touches no tile on the board
	UsesNoLetter                 // the main word uses no letter on the board
	BlankUnnamed                 // the blank on Square has no letter
	BadWord                      // Text can't be spelled with this game's tiles

	// The player can't do that.
	NotOnRack      // Tile, for Square if it is in Move, isn't on Rack
	NotAWord       // Words aren't in the lexicon (the void rule)
	NoPlacement    // Text fits nowhere
	ManyPlacements // Spots lists the squares where it fits
	BagTooSmall    // an exchange needs Need tiles in the bag, which has N
	NothingPut     // an exchange of no tiles

	// The action isn't possible now, or not for this player.
	NotYourTurn      // it is Seat's turn
	NotPlaying       // the player has no seat here
	NotStarted       // the game has not begun
	OrderOpen        // the players still vote on the order
	OrderSettled     // the order is settled already
	NoOrder          // a vote must list each of the N seats once
	AlreadyStarted   // the game has begun
	GameOver         // the game is over
	OnlyChallenge    // the last play was made; it can only be challenged or accepted
	NoChallenge      // the void rule: words were checked when played
	NothingToJudge   // no play can be challenged
	OwnPlay          // the latest play is the player's own
	AlreadyJudged    // Words were already challenged
	WordNotPlayed    // the latest play didn't form Words
	TooEarly         // the time for a challenge isn't over
	NoHints          // this table allows no hints
	TooFewScoreless  // a player may end the game after Need scoreless turns in a row; there were N
	NoAgreement      // this rule set has no ending by agreement
	AlreadyAgreed    // the player has already agreed, or accepted the last play
	AlreadySeated    // the player already has a seat
	NoSeatFree       // all N seats are taken
	NotInvited       // the seats are reserved for others
	TooFewPlayers    // the game needs Need players; there are N
	TooManyPlayers   // the game allows Need players; there are N
	BadSettings      // Flaw is the problem with the table's settings; for FewTiles there are N tiles
	TableOpenAlready // a table is already open here
	NotLate          // Seat's time isn't up
	NotAway          // the player isn't away
	TimePast         // a time that must be in the future is past
	WrongCount       // N is out of range; the limit is Need
	NotWholeLeft     // the tiles left would form N separate groups or, if N is 1, be a single tile
	NamedTwice       // Square was named more than once
	NotHere          // the table's variant has no such action
	NotPrinted       // no such word is printed on the board, or none at Square
	AllCovered       // every letter of Words is covered
	NotNext          // the next letter to cover of Words is Tile, on Square
	TurnClosed       // the duplicate turn is over: its time is up, or all have submitted
)

// A RuleError is a player's mistake: the broken rule, and what a person needs to know to correct
// it. Each [Code] says which fields are set.
type RuleError struct {
	Code        Code
	Move        Move
	Square      Square
	Tile, There Tile
	Rack        Tiles
	Words       []Tiles
	Spots       []Spot
	Text        string
	Flaw        Flaw
	Seat        int
	N, Need     int
}

func (e *RuleError) Error() string {
	return "against the rules (" + e.Code.String() + ")"
}

var codeNames = [...]string{
	NoTiles: "no tiles", OffBoard: "off the board", Gap: "gap", Occupied: "occupied", NotWhole: "not the whole word",
	TooShort: "too short", MissesStart: "misses the start", NotJoined: "not joined", UsesNoLetter: "uses no letter", BlankUnnamed: "blank without a letter",
	BadWord: "bad word", NotOnRack: "not on the rack", NotAWord: "not a word", NoPlacement: "no placement",
	ManyPlacements: "many placements", BagTooSmall: "bag too small", NothingPut: "nothing put back",
	NotYourTurn: "not your turn", NotPlaying: "not playing", NotStarted: "not started", AlreadyStarted: "already started", OrderOpen: "order open", OrderSettled: "order settled", NoOrder: "no order",
	GameOver: "game over", OnlyChallenge: "only a challenge", NoChallenge: "no challenge", NothingToJudge: "nothing to judge",
	OwnPlay: "own play", AlreadyJudged: "already judged", WordNotPlayed: "word not played", TooEarly: "too early",
	NoHints: "no hints", NoAgreement: "no agreement", TooFewScoreless: "too few scoreless turns", AlreadyAgreed: "already agreed", AlreadySeated: "already seated", NoSeatFree: "no seat free",
	NotInvited: "not invited", TooFewPlayers: "too few players", TooManyPlayers: "too many players", BadSettings: "bad settings", TableOpenAlready: "table open already",
	NotLate: "not late", NotAway: "not away", TimePast: "time past",
	WrongCount: "wrong count", NotWholeLeft: "not one whole", NamedTwice: "named twice", NotHere: "not in this variant", TurnClosed: "turn closed",
	NotPrinted: "not printed", AllCovered: "all covered", NotNext: "not the next letter",
}

func (c Code) String() string {
	if c == 0 || int(c) >= len(codeNames) {
		return "Code(" + strconv.Itoa(int(c)) + ")"
	}
	return codeNames[c]
}
