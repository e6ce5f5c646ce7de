package moderation

import (
	"encoding/json"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
)

// Keys of what belongs to one home, which can't be reached from another.
type (
	ofPerson = shelf.Pair[shelf.Home, shelf.Person]
	ofMark   = shelf.Pair[shelf.Home, shelf.Mark]
)

// shelves holds the feature's shelves.
type shelves struct {
	blocks   *shelf.Shelf[shelf.Person, storedBlocks]
	opened   *shelf.Shelf[shelf.Person, storedOpened]
	muted    *shelf.Shelf[ofPerson, storedMute]
	managers *shelf.Shelf[ofPerson, storedManager]
	reports  *shelf.Shelf[ofMark, storedReport] // by request
	deeds    *shelf.Shelf[ofMark, logEntry]     // by request
}

// openShelves opens the shelves. Erasing a person leaves a former player in the reports and
// in the log of moderators' actions, and deletes what they wrote and their places in
// others' blocks.
func openShelves(own *shelf.Owner) shelves {
	// Slow mode has been removed. Its rows are still exported and erased with their owner;
	// the next release drops them.
	shelf.Open(own, "said", shelf.Spec[shelf.Pair[shelf.Channel, shelf.Person], json.RawMessage]{Why: "when somebody last said something in slow mode, which earlier versions had"})
	return shelves{
		blocks: shelf.Open(own, "blocks", shelf.Spec[shelf.Person, storedBlocks]{
			Why:    "whom somebody has blocked",
			Rename: func(s *storedBlocks, who game.PlayerID, _ bot.User) (keep bool) { return s.without(who) },
		}),
		opened:   shelf.Open(own, "opened", shelf.Spec[shelf.Person, storedOpened]{Why: "how many tables somebody opened today"}),
		muted:    shelf.Open(own, "muted", shelf.Spec[ofPerson, storedMute]{Why: "who may say nothing in a place"}),
		managers: shelf.Open(own, "managers", shelf.Spec[ofPerson, storedManager]{Why: "who manages a server, to tell them of reports"}),
		reports: shelf.Open(own, "reports", shelf.Spec[ofMark, storedReport]{
			Why: "what was reported to those who keep order", Rename: (*storedReport).rename, Texts: (*storedReport).texts,
			// Reports about a person aren't exported to them: the reporter must stay
			// unknown.
			Shared: func(c storedReport, who game.PlayerID) bool { return c.By.ID == who }, Sharing: "reports",
		}),
		deeds: shelf.Open(own, "deeds", shelf.Spec[ofMark, logEntry]{Why: "what those who keep order did", Rename: (*logEntry).rename}),
	}
}

func (d *logEntry) rename(who game.PlayerID, former bot.User) (keep bool) {
	if d.By.ID == who {
		d.By = former
	}
	if d.To.ID == who {
		d.To, d.What = former, ""
	}
	return true
}
