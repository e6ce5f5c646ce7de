package game

// A Flaw is the reason why a table's settings can't be played. The zero Flaw means none.
type Flaw uint8

const (
	NoEquipment       Flaw = iota + 1 // no board, or no tiles
	NoBoard                           // the variant's board is missing
	NoVowels                          // the variant needs vowels, and the tiles have none
	NoVariant                         // no such variant
	NoRacks                           // no players, no racks, or racks larger than the tile set
	NoSuchOrder                       // no such order of play
	NoSuchChallenge                   // no such challenge rule
	NoSuchOut                         // no such out bonus
	NoSuchPace                        // negative time, or no consequence of being late
	OwnTimes                          // the variant has its own turn times
	FewTiles                          // N tiles don't fill the racks
	SameTiles                         // all tiles are equal, so the draw for the first turn never ends
	TurnLength                        // a duplicate turn must last from ShortestTurn to LongestTurn
	NeverEnds                         // a game without plays would never end
	NothingToJoin                     // no words are played, so none joins another
	DrawnUnchallenged                 // junior-starter draws for the first turn and has no challenges
	FewWordsToPrint                   // the word list has too few words to print on the board
	FewWordsToFill                    // the word list has too few words to play a game to its end
	NobodySetsUp                      // no one makes the starting position that the variant needs
)

// ruleError returns the error for a flaw.
func (f Flaw) ruleError() error { return &RuleError{Code: BadSettings, Flaw: f} }
