package bot

// MaxInvitations is how many invitations to a room somebody can have open.
const (
	MaxInvitations = 20
	MaxBlocks      = 200
	MaxReports     = 10 // in a day
)
