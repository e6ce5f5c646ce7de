package bot

// A NoteKey names a row of notes.
type NoteKey struct{ Shelf, Key string }

// Reads are what of a store will be read; what is zero won't.
type Reads struct {
	Channel ChannelID // the latest table there
	Table   TableID   // and its events
	Playing PlayerID  // their games
}
