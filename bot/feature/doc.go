// Package feature defines what a feature of the host consists of. Each feature is a package
// of its own, in this repository or another, that makes a [Feature]: a struct whose fields
// are what it adds to the host. It gets two things: a [Desk], through which it loads,
// changes and announces tables, and a [shelf.Owner] for its stored data.
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
// The host exports, erases and lists its data by the specs of its shelves. A feature
// reaches no other feature and no other's shelf. If one in this repository needs something
// of another, package features passes it as a value.
//
// "rackmate build --with MODULE" builds a binary with the features of other modules.
package feature
