package bot

import "time"

// A Scene is the public view of a table, for a board that is more than a picture. It has no field
// for a rack, so it can't reveal one.
//
// Tiles are written as "A" or "CH", "?" for a blank and "?A" for a blank played as A. Squares are
// numbered row by row from 0.
type Scene struct {
	Table   TableID  `json:"table"`
	Number  int      `json:"number"` // of events so far
	Phase   string   `json:"phase"`  // lobby, voting, playing, closing or over
	Variant string   `json:"variant,omitempty"`
	Size    int      `json:"size"`    // squares per side
	Squares string   `json:"squares"` // kind of each square, as in game.Layout.Text
	Tiles   []Letter `json:"tiles"`   // every sort of tile, in alphabetical order
	Board   []string `json:"board"`   // the tile on each square, "" if none
	Printed []string `json:"printed,omitempty"`
	Fresh   []int    `json:"fresh,omitempty"` // squares of the last play
	Gone    []int    `json:"gone,omitempty"`  // squares from which the last turn took tiles
	Players []Player `json:"players"`
	Seats   int      `json:"seats"`
	Supply  string   `json:"supply"`            // the tiles left to draw, in words
	Caption string   `json:"caption,omitempty"` // the latest event
	Words   bool     `json:"words,omitempty"`   // whether invalid words are refused
	Until   int64    `json:"until,omitempty"`   // deadline, in milliseconds since 1970
	// Moved is the end of the latest turn, or of the game once it is over.
	Moved  time.Time `json:"-"`
	Began  []string  `json:"began,omitempty"` // the board before the first turn, unless empty
	Turns  []Turn    `json:"turns"`
	Ending *Ending   `json:"ending,omitempty"`
	Text   string    `json:"-"` // the board as text, for platforms where people play by pictures or words
}

// An Ending sums up a finished game.
type Ending struct {
	Result string `json:"result"` // the winner, and how they won
	// By is the winner's lead over the next player; 0 if points didn't decide.
	By      int        `json:"by,omitempty"`
	Players []Finalist `json:"players"`
}

// A Finalist is a player's result.
type Finalist struct {
	Seat  int    `json:"seat"`
	Name  string `json:"name"`
	Score int    `json:"score"`
	Won   bool   `json:"won,omitempty"` // or tied for the win
	Best  string `json:"best,omitempty"`
	// Play lists the tiles of the best play, as in Scene.Board, and Points its points.
	Play   []string `json:"play,omitempty"`
	Points int      `json:"points,omitempty"`
	Bingos int      `json:"bingos,omitempty"`
	// Rating is their rating after the game, and Change what the game changed; 0 if the game wasn't
	// rated or they hide it.
	Rating int `json:"rating,omitempty"`
	Change int `json:"change,omitempty"`
}

// A Letter is a sort of tile and its points.
type Letter struct {
	Text  string `json:"text"`
	Value int    `json:"value"`
}

// A Player is the public view of a player at a table.
type Player struct {
	ID     PlayerID `json:"-"`
	Seat   int      `json:"seat"` // their place at the table; players may be sorted by rank
	Name   string   `json:"name"`
	Score  int      `json:"score"`
	ToMove bool     `json:"toMove,omitempty"`
	Robot  bool     `json:"robot,omitempty"`
	Note   string   `json:"note,omitempty"` // "won", "out"
	Clock  *Clock   `json:"clock,omitempty"`
}

// A Clock is a player's time in a game with clocks.
type Clock struct {
	Left int64 `json:"left"` // milliseconds, negative once time is up
	Runs bool  `json:"runs,omitempty"`
}

// A Turn is a line in a game's list of moves.
type Turn struct {
	Number  int      `json:"number,omitempty"` // from 1; 0 if the line isn't a turn
	Player  string   `json:"player,omitempty"`
	Text    string   `json:"text"`
	Score   int      `json:"score,omitempty"`
	Total   int      `json:"total,omitempty"`
	Changes []Change `json:"changes,omitempty"` // changes to the board
}

// A Change is a square and the tile that lies there afterwards.
type Change struct {
	Square int    `json:"square"`
	Tile   string `json:"tile"`
}

// A Sight is a table as one person sees it.
type Sight struct {
	Scene
	Own *Own `json:"own,omitempty"` // nil for people without a seat or an unfinished game
	// Seat is the seat the person has or had in this game; nil if none.
	Seat *int `json:"seat,omitempty"`
	// Buttons are actions besides playing.
	Buttons []SightButton `json:"buttons,omitempty"`
}

// A SightButton is a Button in JSON that can be pressed.
type SightButton struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Style Style  `json:"style,omitempty"`
}

// Own is what only the player sees: their rack, and what they can do.
type Own struct {
	Seat int      `json:"seat"`
	Rack []string `json:"rack"`
	// Notes are the lines that the player has noted at the table.
	Notes []string `json:"notes,omitempty"`
	Lays  string   `json:"lays"` // the command for laying or taking tiles
	Turn  bool     `json:"turn"` // whether it can be used now
	Pass  bool     `json:"pass"`
	Hints bool     `json:"hints,omitempty"` // whether they may ask for one
	// Exchange is how many tiles can be put back now.
	Exchange int   `json:"exchange"`
	Draws    bool  `json:"draws,omitempty"` // whether a play can say how many vowels to draw
	Covers   []Way `json:"covers,omitempty"`
	// Submitted is what they submitted for this turn.
	Submitted *Submission `json:"submitted,omitempty"`
}

// A Way is a way to cover letters of a printed word.
type Way struct {
	Word    string   `json:"word"`
	Squares []int    `json:"squares"`
	Letters []string `json:"letters"`
	Score   int      `json:"score"`
}

// A Submission is a submitted play, or a pass, which has no squares.
type Submission struct {
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

// A DraftWord is a word of a draft. Invalid is set only if the rules refuse such words.
type DraftWord struct {
	Text    string `json:"text"`
	Score   int    `json:"score"`
	Invalid bool   `json:"invalid,omitempty"`
}
