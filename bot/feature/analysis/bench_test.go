package analysis_test

import (
	"fmt"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature/analysis"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// BenchmarkAnalyseWhileOthersPlay measures a question whose board is compared with the boards
// of 3,000 games under way.
func BenchmarkAnalyseWhileOthersPlay(b *testing.B) {
	_, s := featuretest.Underway(b, 10)
	others, _ := featuretest.Underway(b, 16)
	w := featuretest.New(b)
	for i := range 3000 {
		featuretest.Put(b, w.Config.Store, bot.ChannelID(fmt.Sprint("test:", i)), others)
	}
	q := analysis.Question{CGP: record.Position{Board: s.Board, Racks: []game.Tiles{"", ""}, Scores: []int{0, 0}}.CGP(s.Equipment)}
	for b.Loop() {
		_, err := featuretest.Ask[analysis.Analysis](w, "/analyse/ask", bot.Request{Channel: featuretest.Parlour}, q)
		gametest.Must(b, err)
	}
}
