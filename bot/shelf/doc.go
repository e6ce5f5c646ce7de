// Package shelf is where features and the engine keep what isn't an event of a game:
// typed rows, each shelf with its owner. The type of a shelf's keys says whose a row
// is. From that, and from what its [Spec] says, follow what is exported and what is
// erased: nobody has to remember either.
//
//	lines := shelf.Open(owner, "table-notes", shelf.Spec[shelf.Pair[shelf.Table, shelf.Person], Lines]{
//		Why: "lines that players note down at a table",
//	})
//	lines.Put(ctx, shelf.Both(shelf.Table(t.ID), shelf.Person(who)), Lines{...})
//
// An owner opens shelves of its own, and reaches no other's: a name can be opened
// once, and a change of several rows is one owner's.
package shelf
