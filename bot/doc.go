// Package bot defines what adapters and stores see of the host: what people ask for ([Request],
// [Command]) and get ([Reply], [Message]), and what stores it ([Store], [Notes]). It knows no
// platform and contains no logic; package host does.
//
// A command takes this path:
//
//	adapter: Request -> host.Handle
//	  -> Store.Update( replay -> game.Decide -> append events, queue posts )  one transaction
//	  -> Reply, private and at once
//	then, awake after the commit:
//	  host.Deliver -> Store.ClaimPosts -> replay -> Message -> adapter.Post -> Store.RemovePost
//
// A [Reply] is private, immediate and best effort. A [Message] is durable: it was queued in the
// transaction that made it necessary, and is delivered at least once, with a key by which a
// platform recognizes a duplicate.
//
// # Caveats
//
// No state in memory is authoritative: another process may serve the same store. The function
// passed to [Store.Update] may run more than once.
package bot
