package daily

// This file exports names for the package's tests.
type (
	Page   = boardPage
	Player = playerRow
)
