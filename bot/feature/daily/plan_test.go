package daily

import (
	"fmt"
	"testing"

	"github.com/rackmate/rackmate/game/puzzle"
)

// What is set of a channel names an hour, what is played, or both.
func TestReadPlan(t *testing.T) {
	show := func(form *puzzle.Form, at *hour, ok bool) string {
		if !ok {
			return "refused"
		}
		said := ""
		if form != nil {
			said = fmt.Sprintf("%q ", string(*form))
		}
		if at != nil {
			said += at.String()
		}
		return said
	}
	for value, want := range map[string]string{
		"9:00": "9:00", "9": "9:00", "board": `"" `, "game": `"game" `, "week": `"week" `, "week 21:30": `"week" 21:30`, "7,game": `"game" 7:00`,
		"": "refused", "25:00": "refused", "game week": "refused", "9 10": "refused", "game 25:00": "refused", "nonsense": "refused",
	} {
		if got := show(readPlan(value)); got != want {
			t.Errorf("%q is %s, want %s", value, got, want)
		}
	}
}
