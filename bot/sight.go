package bot

// A Scene is a table as everybody may see it, for a board that is more than a
// picture. It has no place for a rack, so what is made from one can't give a
// rack away.
//
// Tiles are written as "A" or "CH", "?" for a blank and "?A" for a blank that is
// played as A. Squares count row by row from 0.
type Scene struct {
	Table   TableID  `json:"table"`
	Number  int      `json:"number"` // of events so far
	Phase   string   `json:"phase"`  // lobby, voting, playing, closing or over
	Variant string   `json:"variant,omitempty"`
	Size    int      `json:"size"`    // squares a side
	Squares string   `json:"squares"` // what each does, as in game.Layout.Text
	Tiles   []Letter `json:"tiles"`   // every sort there is, in the order of the alphabet
	Board   []string `json:"board"`   // the tile on each square, "" where there is none
	Printed []string `json:"printed,omitempty"`
	Fresh   []int    `json:"fresh,omitempty"` // the squares of the last play
	Gone    []int    `json:"gone,omitempty"`  // the squares that the last turn took tiles from
	Players []Player `json:"players"`
	Seats   int      `json:"seats"`
	Supply  string   `json:"supply"`            // what is left to draw, in words
	Caption string   `json:"caption,omitempty"` // what happened last
	Words   bool     `json:"words,omitempty"`   // invalid words are refused
	Until   int64    `json:"until,omitempty"`   // when time is up, in milliseconds since 1970
	Began   []string `json:"began,omitempty"`   // the board before the first turn, where it wasn't empty
	Turns   []Turn   `json:"turns"`
	Ending  *Ending  `json:"ending,omitempty"`
	Text    string   `json:"-"` // the board in characters, for platforms without pictures
}

// An Ending sums up a game that is over.
type Ending struct {
	Result string `json:"result"` // who won, and how
	// By is how many points the winner is ahead of the next; 0 where something else decided.
	By      int        `json:"by,omitempty"`
	Players []Finalist `json:"players"`
}

// A Finalist is what a game came to for one player.
type Finalist struct {
	Seat   int    `json:"seat"`
	Name   string `json:"name"`
	Score  int    `json:"score"`
	Won    bool   `json:"won,omitempty"` // or tied for it
	Best   string `json:"best,omitempty"`
	Bingos int    `json:"bingos,omitempty"`
	// Rating is theirs after the game, and Change what the game did to it; 0 where it went into
	// none, or they keep it to themselves.
	Rating int `json:"rating,omitempty"`
	Change int `json:"change,omitempty"`
}

// A Letter is a sort of tile and its points.
type Letter struct {
	Text  string `json:"text"`
	Value int    `json:"value"`
}

// A Player is what everybody may see of somebody at a table.
type Player struct {
	ID     PlayerID `json:"-"`
	Seat   int      `json:"seat"` // their place at the table; players may be listed by their rank
	Name   string   `json:"name"`
	Score  int      `json:"score"`
	ToMove bool     `json:"toMove,omitempty"`
	Robot  bool     `json:"robot,omitempty"`
	Note   string   `json:"note,omitempty"` // "won", "out"
	Clock  *Clock   `json:"clock,omitempty"`
}

// A Clock is a player's time in a game that is played by clocks.
type Clock struct {
	Left int64 `json:"left"` // milliseconds, below zero when it is over
	Runs bool  `json:"runs,omitempty"`
}

// A Turn is a line of a game's list of moves.
type Turn struct {
	Number  int      `json:"number,omitempty"` // from 1; 0 for what is no turn
	Player  string   `json:"player,omitempty"`
	Text    string   `json:"text"`
	Score   int      `json:"score,omitempty"`
	Total   int      `json:"total,omitempty"`
	Changes []Change `json:"changes,omitempty"` // what it did to the board
}

// A Change is a square and the tile that lies there from then on.
type Change struct {
	Square int    `json:"square"`
	Tile   string `json:"tile"`
}

// A Sight is a table as one person sees it.
type Sight struct {
	Scene
	Own *Own `json:"own,omitempty"` // nil for those who have no seat, or no game to play on
	// Buttons are what can be done beside playing.
	Buttons []SightButton `json:"buttons,omitempty"`
}

// A SightButton is a Button in JSON that is pressed.
type SightButton struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Style Style  `json:"style,omitempty"`
}

// Own is what a player alone sees: their rack, and what they can do.
type Own struct {
	Seat int      `json:"seat"`
	Rack []string `json:"rack"`
	// Notes are the lines that the player has noted down at the table.
	Notes []string `json:"notes,omitempty"`
	Lays  string   `json:"lays"` // the command that laying tiles, or taking them, is
	Turn  bool     `json:"turn"` // whether it can be given now
	Pass  bool     `json:"pass"`
	Hints bool     `json:"hints,omitempty"` // whether they may ask for one
	// Exchange is how many tiles can be put back now.
	Exchange int   `json:"exchange"`
	Draws    bool  `json:"draws,omitempty"` // a play can say how many vowels to draw
	Covers   []Way `json:"covers,omitempty"`
	// Submitted is what they handed in for this turn.
	Submitted *Submitted `json:"submitted,omitempty"`
}

// A Way is how letters of a printed word can be covered.
type Way struct {
	Word    string   `json:"word"`
	Squares []int    `json:"squares"`
	Letters []string `json:"letters"`
	Score   int      `json:"score"`
}

// A Submitted is a play that was handed in, or a pass, which has no squares.
type Submitted struct {
	Squares []int    `json:"squares"`
	Letters []string `json:"letters"`
	Score   int      `json:"score"`
}

// A Draft is what a play would form and score.
type Draft struct {
	Words   []DraftWord `json:"words,omitempty"`
	Score   int         `json:"score"`
	Problem string      `json:"problem,omitempty"` // why it can't be played
}

// A DraftWord is a word of a draft. Whether it is invalid is told only where
// such words are refused.
type DraftWord struct {
	Text    string `json:"text"`
	Score   int    `json:"score"`
	Invalid bool   `json:"invalid,omitempty"`
}
