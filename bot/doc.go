// Package bot is what adapters and stores see of the host, and nothing else:
// what people ask ([Request], [Command]) and are told ([Reply], [Message]), and
// what keeps it ([Store], [Notes]). It knows no platform and does nothing by
// itself; package host does.
//
// A command is one straight line:
//
//	adapter: Request -> host.Handle
//	  -> Store.Update( replay -> game.Decide -> append events, queue posts )  one transaction
//	  -> Reply, private and at once
//	then, awake after the commit:
//	  host.Deliver -> Store.Pending -> replay -> Message -> adapter.Post -> Store.Sent
//
// A [Reply] is private, immediate and best effort. A [Message] is durable: it
// was queued in the transaction that made it necessary, and is delivered at
// least once, with a key by which a platform can tell that it has it.
//
// # Caveats
//
// Nothing keeps the truth in memory: another process may serve the same store.
// The function given to [Store.Update] may run more than once.
package bot
