package daily

// What only the tests of the package see.
type (
	Page   = boardPage
	Player = playerRow
)
