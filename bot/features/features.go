package features

import (
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature/gone"
	"github.com/rackmate/rackmate/bot/feature/ladder"
	"github.com/rackmate/rackmate/bot/feature/moderation"
	"github.com/rackmate/rackmate/bot/feature/notify"
	"github.com/rackmate/rackmate/bot/feature/pace"
	"github.com/rackmate/rackmate/bot/feature/page"
	"github.com/rackmate/rackmate/bot/feature/people"
	"github.com/rackmate/rackmate/bot/feature/play"
	"github.com/rackmate/rackmate/bot/feature/robots"
	"github.com/rackmate/rackmate/bot/feature/study"
	"github.com/rackmate/rackmate/bot/feature/variants"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
)

// Export is a finished game as files: the moves as GCG, or as /history lists
// them where GCG can't tell of the variant; the whole game with the proof of its
// draws for "rackmate verify"; and what the variant adds. The error is
// [record.ErrNotOver], or says what is wrong with the log.
func Export(id bot.TableID, events []game.Event) ([]bot.File, error) {
	t, err := host.Register(All(), nil).Variants.Replay("", id, events)
	if err != nil {
		return nil, err
	}
	files, err := play.ExportedFiles(t)
	return bot.FilesIn(nil, files), err
}

// Pages are the pages of a host's games.
func Pages(h *host.Host) bot.Pages {
	return page.New(h, page.Config{Files: play.ExportedFiles, Review: robots.Judge})
}

// All lists all that a host can do.
func All() []host.Feature {
	return []host.Feature{
		play.Feature(), variants.DoubleBag(), variants.Duplicate(play.Play), variants.Junior(), variants.JuniorStarter(play.Play), variants.Large(), variants.Solitaire(), variants.Unscrabble(),
		ladder.Feature(), pace.Feature(), notify.Feature(), page.Feature(), gone.Feature(), people.Feature(), study.Feature(), robots.Feature(), moderation.Feature(),
	}
}

// Order is how help lists the commands, and the options to which several
// features add. What isn't named here comes last.
func Order() map[string][]string {
	return map[string][]string{
		"": {
			"play", "try", "exchange", "draw", "submit", "cover", "remove", "pass", "challenge", "rack", "board", "unseen", "note", "hint", "check", "anagram", "hooks", "pattern", "new", "join", "leave", "vote", "start", "resign", "end", "claim", "wait", "adopt", "history", "replay", "review", "export", "rematch", "plan", "games", "stats", "top", "link", "data", "away", "nudge", "words", "settings", "unseat", "report", "block", "invite", "unsay", "mute", "kick", "ban", "order", "help",
		},
		"new": {
			"opponents", "robots", "rules", "variant", "challenge", "lexicon", "language", "seats", "clock", "order", "out", "joining", "dictionary", "hints", "rated",
			"pace", "bank", "weekend", "late", "thread",
		},
		"settings": {
			"ping", "quiet", "zone", "dm", "game", "for",
			"rules", "challenge", "lexicon", "language", "speak", "pace", "bank", "weekend", "late", "games", "board", "theme", "abandoned", "away", "slow", "filter", "invites",
		},
	}
}

// Commands lists every command, in the order that help shows them.
func Commands() bot.Commands { return commands() }

var commands = sync.OnceValue(func() bot.Commands { return host.Contract(host.Register(All(), Order()).Handlers) })
