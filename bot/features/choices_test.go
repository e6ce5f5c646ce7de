package features_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/game"
)

// People are told the truth about what a wrong challenge costs, by every rule
// there is and by some that there may be one day.
func TestWhatAWrongChallengeCosts(t *testing.T) {
	rules := append(game.ChallengeRules(), game.ChallengeRule{Name: "7 off", Cost: 7}, game.ChallengeRule{Name: "both", Bonus: 5, LosesTurn: true})
	for _, c := range rules {
		told := features.WrongChallengeCosts(c).String()
		for what, costs := range map[string]bool{
			"nothing": c.Free(), "miss a turn": c.LosesTurn, "out of the game": c.LosesGame,
			fmt.Sprintf("gain %d points", c.Bonus): c.Bonus > 0, fmt.Sprintf("lose %d points", c.Cost): c.Cost > 0,
		} {
			if strings.Contains(told, what) != costs {
				t.Errorf("%s: %q, and it is %t that it costs %q", c.Name, told, costs, what)
			}
		}
	}
	choices := features.ChallengeChoices()
	if len(choices) != len(game.ChallengeRules()) {
		t.Errorf("%d challenge rules to choose from, there are %d", len(choices), len(game.ChallengeRules()))
	}
	for _, c := range choices {
		if rule, ok := game.ParseChallengeRule(c.Value); !ok || strings.Contains(c.Label.String(), "nothing") != (rule.Free() && !rule.Void) {
			t.Errorf("%+v is not what the rule %+v is", c, rule)
		}
	}
}
