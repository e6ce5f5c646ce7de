package game

import "strconv"

// A Code says which rule an action breaks.
type Code uint8

const (
	// The play does not fit the board.
	NoTiles      Code = iota + 1 // no new tile in it
	OffBoard                     // Move runs over the edge
	Gap                          // Square is empty, and was to be played through
	Occupied                     // Square has There, not Tile
	NotWhole                     // There, on Square, touches the word's end and belongs to it
	TooShort                     // a word has two letters or more
	MissesStart                  // the first play must cover Square
	NotJoined                    // the play touches no tile on the board
	UsesNoLetter                 // the main word uses no letter that lies on the board
	BlankUnnamed                 // the blank on Square has no letter
	BadWord                      // Text is not spelled with this game's tiles

	// The player can't do that.
	NotOnRack      // Tile, for Square if it is in Move, is not on Rack
	NotAWord       // Words are not in the lexicon (the void rule)
	NoPlacement    // Text fits nowhere
	ManyPlacements // Spots are the squares it can go to
	BagTooSmall    // an exchange needs Need tiles in the bag, it has N
	NothingPut     // an exchange of no tiles

	// Not now, or not you.
	NotYourTurn      // it is Seat's
	NotPlaying       // the player has no seat here
	NotStarted       // the game has not begun
	OrderOpen        // the players still vote on the order
	OrderSettled     // the order is settled already
	NoOrder          // a vote must have each of the N seats once
	AlreadyStarted   // the game has begun
	GameOver         // the game is over
	OnlyChallenge    // the last play is made; it can be challenged or left to stand
	NoChallenge      // the void rule: words were judged when they were played
	NothingToJudge   // no play is open to a challenge
	OwnPlay          // the latest play is the player's own
	AlreadyJudged    // Words have been looked up already
	WordNotPlayed    // Words were not formed by the latest play
	TooEarly         // the time for a challenge still runs
	NoHints          // this table allows no hints
	TooFewScoreless  // a player may end the game after Need scoreless turns in a row, there were N
	NoAgreement      // this rule set does not end by agreement
	AlreadyAgreed    // the player has agreed, or let the last play stand, already
	AlreadySeated    // the player has a seat
	NoSeatFree       // all N seats are taken
	NotInvited       // the seats are kept for others
	TooFewPlayers    // Need players are needed, there are N
	TooManyPlayers   // Need players are the most, there are N
	BadSettings      // Flaw says what about the table's settings; of FewTiles there are N
	TableOpenAlready // a table is open here
	NotLate          // the time of Seat's turn isn't up
	NotAway          // the player isn't away
	TimePast         // a time that is to come is past
	WrongCount       // N is more or less than can be: there are Need
	NotWholeLeft     // what would be left falls into N parts; one part is a single tile
	NamedTwice       // Square was named more than once
	NotHere          // the table's variant has no such action
	NotPrinted       // no such word is printed on the board; or none at Square
	AllCovered       // every letter of Words is covered
	NotNext          // of Words the letter Tile, on Square, is the next to be covered
	TurnClosed       // the turn of duplicate is over: its time is up, or all have submitted
)

// A RuleError is a player's mistake: what rule, and what a person needs to
// know to mend it. Which fields are set is said at each [Code].
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
