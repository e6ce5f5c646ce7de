package daily

import "github.com/rackmate/rackmate/bot/text"

// A band is how good a try is.
type band int

const (
	best band = iota
	nearly
	good
	half
	less
)

// bandOf is the band of points where the best play scores others.
func bandOf(score, most int) band {
	switch {
	case score >= most:
		return best
	case 100*score >= 90*most:
		return nearly
	case 100*score >= 75*most:
		return good
	case 100*score >= 50*most:
		return half
	}
	return less
}

// percent is what points are of the best play's: 100 for no fewer alone.
func percent(score, most int) int {
	if most <= 0 {
		return 100
	}
	return 100 * score / most
}

// squares are the bands as signs that people who tell few colours apart can tell too:
// they differ in how light they are.
var squares = [...]string{best: "🟦", nearly: "🟨", good: "🟧", half: "⬜", less: "⬛"}

func (b band) String() string { return squares[b] }

// words say a band.
func (b band) words() text.Text {
	return text.Item("{band, select, 0 {the best play} 1 {at least 90 % of the best} 2 {at least 75 % of the best} 3 {at least half of the best} other {less than half of the best}}", int(b))
}
