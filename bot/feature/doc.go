// Package feature is what a feature of the host is made of. Each feature is a package
// of its own, in this repository or in another: a value that implements those of the
// small interfaces here that it needs. It is given two things: a [Desk], where it
// loads, changes and tells of tables, and a [shelf.Owner], for what it keeps.
//
//	type Dice struct {
//		desk  feature.Desk
//		rolls *shelf.Shelf[shelf.Person, int]
//	}
//
//	func New(d feature.Desk, own *shelf.Owner) *Dice {
//		return &Dice{d, shelf.Open(own, "dice", shelf.Spec[shelf.Person, int]{Why: "how often people rolled"})}
//	}
//
//	func (f *Dice) Commands() []feature.Command {
//		return []feature.Command{{
//			Command: bot.Command{Name: "roll", Help: "Roll a die", Example: "/roll"},
//			Run:     f.roll,
//			Reads:   func(ctx context.Context, req bot.Request) { f.rolls.Ahead(ctx, shelf.Person(req.User.ID)) },
//		}}
//	}
//
// What it keeps is exported, erased and listed by what its shelves say. It reaches no
// other feature and no other's shelf; what it needs of another, the list of features
// hands to it as a value.
package feature
