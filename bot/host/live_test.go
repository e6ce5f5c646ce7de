package host_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/text"
)

// head returns the first line of a text.
func head(words text.Text) string {
	first, _, _ := strings.Cut(words.String(), "\n")
	return first
}

// A lobby has one message: each replaces the one before, shows the whole lobby, and folds to the
// line with which the table was opened. Boards replace each other only if the channel wants that,
// and a game's last board always stays.
func TestPostsReplaceEarlierOnes(t *testing.T) {
	for setting, board := range map[string]string{"live": "board", "folded": ""} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.Run()
			w.Manages(bottest.People["mod"], "/settings for:channel board:"+setting)
			next := func(who, line, live string) bot.Message {
				t.Helper()
				req := w.Request(bottest.People[who], line)
				req.Table = 1 // like a button, which doesn't ask
				if line == "/new seats:3" {
					req.Table = 0
				}
				w.Insist(req)
				synctest.Wait()
				all := slices.DeleteFunc(w.Posts.Take(), func(m bot.Message) bool { return m.To != nil })
				if len(all) != 1 || all[0].Live != live {
					t.Fatalf("board:%s: %s's %s brings %+v, want one message in the place of %q", setting, who, line, all, live)
				}
				return all[0]
			}
			opens := next("ann", "/new seats:3", "lobby")
			if opens.Whole.String() != opens.Text.String() || opens.Line.String() != "Ann's table" {
				t.Errorf("the lobby opens with %q, as a whole %q, and later %q", opens.Text, opens.Whole, opens.Line)
			}
			joins := next("bob", "/join", "lobby")
			if head(joins.Text) != "Bob sits down." || head(joins.Whole) != head(opens.Text) || joins.Line.String() != "Ann's table" {
				t.Errorf("Bob's coming is told %q, as a whole %q, and later %q", joins.Text, joins.Whole, joins.Line)
			}
			next("cat", "/join", board)
			for range 3 {
				s, _ := w.Replayed(featuretest.Parlour)
				passes := next(strings.ToLower(s.Seats[s.Turn].Person.Name), "/pass", board)
				if board != "" && passes.Whole.String() != passes.Text.String() {
					t.Errorf("the board says %q, and as a whole %q", passes.Text, passes.Whole)
				}
			}
			next("cat", "/resign", board)
			next("bob", "/resign", "")
		})
	}
}
