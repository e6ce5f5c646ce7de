package game

// A Flaw is what about a table's settings can't be played. The zero Flaw is none.
type Flaw uint8

const (
	NoEquipment       Flaw = iota + 1 // there is no board, or no tiles
	NoBoard                           // the variant's board is missing
	NoVowels                          // the variant needs vowels, and the tiles have none
	NoVariant                         // there is no such variant
	NoRacks                           // no players, no racks, or more on a rack than there are tiles
	NoSuchOrder                       // of play
	NoSuchChallenge                   // rule
	NoSuchOut                         // bonus
	NoSuchPace                        // less than no time, or nothing that happens to who is late
	OwnTimes                          // the variant's turns have a time of their own
	FewTiles                          // the N tiles don't fill the racks
	SameTiles                         // all tiles are the same, so that nobody draws the first turn
	TurnLength                        // a turn of duplicate lasts from ShortestTurn to LongestTurn
	NeverEnds                         // a game that nobody plays would not end
	NothingToJoin                     // no words are laid, so that none joins another
	DrawnUnchallenged                 // in junior-starter the first turn is drawn, and nothing is challenged
	FewWordsToPrint                   // the word list has too few words to print on the board
	FewWordsToFill                    // the word list has too few words to play a game to its end
	NobodySetsUp                      // the position to begin from must be made, and nobody makes it
)

// refused returns the refusal of settings for a flaw.
func (f Flaw) refused() error { return &RuleError{Code: BadSettings, Flaw: f} }
