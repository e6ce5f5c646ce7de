// Package shelf stores the data of features and the engine that isn't an event of a game: typed
// rows on shelves, each with an owner. The type of a shelf's keys tells to whom a row belongs.
// Export and erasure follow from that and from the shelf's [Spec], without any other code.
//
//	lines := shelf.Open(owner, "table-notes", shelf.Spec[shelf.Pair[shelf.Table, shelf.Person], Lines]{
//		Why: "lines that players note down at a table",
//	})
//	lines.Put(ctx, shelf.Both(shelf.Table(t.ID), shelf.Person(who)), Lines{...})
//
// An owner opens shelves of its own and can't reach others'. Each name can be opened once,
// and a transaction covers the shelves of one owner.
package shelf
