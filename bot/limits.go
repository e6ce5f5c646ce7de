package bot

// MaxName is the longest name in sentences and columns, and MaxText the longest text, in
// characters; a platform accepts 2000.
const (
	MaxName = 32
	MaxText = 1900
)

// A Limit bounds something that one person can make grow. A refusal names the limit and says what
// to do instead.
type Limit struct {
	Of   string // what it bounds
	Most int
}

// All limits.
var (
	LimitTables      = Limit{"tables opened in a day", 300}
	LimitGames       = Limit{"games at once", 60}
	LimitLines       = Limit{"messages in a day", 2000}
	LimitTalks       = Limit{"people written to at once", 20}
	LimitChannels    = Limit{"channels", 20}
	LimitNames       = Limit{"names in a day", 10}
	LimitInvitations = Limit{"invitations that are open", 20}
	LimitReports     = Limit{"reports in a day", 10}
	LimitBlocks      = Limit{"people blocked", 200}
	LimitNotes       = Limit{"notes at a table", 20}
	LimitWords       = Limit{"words that a place adds to a list", 200}
	LimitIdentities  = Limit{"identities of one person", 8}
)

// Limits returns the limits on what one person can make grow.
func Limits() []Limit {
	return []Limit{
		LimitTables, LimitGames, LimitLines, LimitTalks, LimitChannels, LimitNames, LimitInvitations, LimitReports, LimitBlocks,
		LimitNotes, LimitWords, LimitIdentities,
	}
}
