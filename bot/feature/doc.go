// Package feature is what a feature of the host is made of. Each feature is a package
// of its own, in this repository or in another, which makes a [Feature]: a struct whose
// fields are what it adds to the host. It is given two things: a [Desk], where it loads,
// changes and tells of tables, and a [shelf.Owner], for what it keeps.
//
//	func init() { feature.Register(feature.Module{ID: "dice", New: New}) }
//
//	type dice struct {
//		desk  feature.Desk
//		rolls *shelf.Shelf[shelf.Person, int]
//	}
//
//	func New(d feature.Desk, own *shelf.Owner) feature.Feature {
//		f := &dice{d, shelf.Open(own, "dice", shelf.Spec[shelf.Person, int]{Why: "how often people rolled"})}
//		return feature.Feature{Commands: f.commands}
//	}
//
//	func (f *dice) commands() []feature.Command {
//		return []feature.Command{{
//			Command: bot.Command{Name: "roll", Help: "Roll a die", Example: "/roll"},
//			Run:     f.roll,
//		}}
//	}
//
// What it keeps is exported, erased and listed by what its shelves say. It reaches no
// other feature and no other's shelf. A feature of this repository that needs something of
// another is given it as a value by package features.
//
// "rackmate build --with MODULE" makes a binary that has the features of other modules.
package feature
