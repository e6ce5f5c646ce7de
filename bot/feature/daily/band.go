package daily

import "github.com/rackmate/rackmate/bot/text"

// A band grades a try by its share of the best play's points; see [puzzle.BandOf].
type band int

const (
	best band = iota
	nearly
	good
	half
	less
)

// percent returns score as a percentage of most, rounded down, so that only the best play gets 100.
func percent(score, most int) int {
	if most <= 0 {
		return 100
	}
	return 100 * score / most
}

// squares holds a sign for each band. The signs differ in brightness, so that people with colour
// blindness can tell them apart.
var squares = [...]string{best: "🟦", nearly: "🟨", good: "🟧", half: "⬜", less: "⬛"}

func (b band) String() string { return squares[b] }

// words describes a band.
func (b band) words() text.Text {
	return text.Item("{band, select, 0 {the best play} 1 {at least 90 % of the best} 2 {at least 75 % of the best} 3 {at least half of the best} other {less than half of the best}}", int(b))
}
