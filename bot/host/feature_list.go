package host

import "github.com/rackmate/rackmate/bot"

// Features lists all that a host can do.
func Features() []Feature {
	return []Feature{
		playFeature(), doubleBag(), duplicate((*Host).play), junior(), juniorStarter((*Host).play), large(), solitaire(), unscrabble(),
		ladderFeature(), paceFeature(), notifyFeature(), peopleFeature(), studyFeature(), robotsFeature(),
	}
}

// Order is how help lists the commands, and the options to which several
// features add. What isn't named here comes last.
func Order() map[string][]string {
	return map[string][]string{
		"": {
			"play", "try", "exchange", "draw", "submit", "cover", "remove", "pass", "challenge", "rack", "board", "unseen", "hint", "check", "anagram", "hooks", "pattern", "new", "join", "leave", "vote", "start", "resign", "end", "claim", "wait", "adopt", "history", "replay", "review", "export", "rematch", "plan", "games", "stats", "top", "link", "data", "away", "nudge", "settings", "unseat", "help",
		},
		"new": {
			"opponents", "robots", "rules", "variant", "challenge", "language", "lexicon", "seats", "clock", "order", "out", "dictionary", "hints", "rated",
			"pace", "bank", "weekend", "late", "thread",
		},
		"settings": {
			"ping", "quiet", "zone", "dm", "game", "for",
			"rules", "challenge", "language", "lexicon", "pace", "bank", "weekend", "late", "games", "board", "theme", "abandoned", "away",
		},
	}
}

// Commands lists every command, in the order that help shows them.
func Commands() bot.Commands { return contract(register(Features(), Order()).commands) }
