// Package bot is the host: it takes people's commands, keeps the tables, and
// says what goes to whom. It knows no platform; adapters translate.
//
// A command is one straight line:
//
//	adapter: Request -> Host.Handle
//	  -> Store.Update( replay -> game.Decide -> append events, queue posts )  one transaction
//	  -> Reply, private and at once
//	then, awake after the commit:
//	  Host.Deliver -> Store.Pending -> replay -> Message -> adapter.Post -> Store.Sent
//
// A [Reply] is private, immediate and best effort. A [Message] is durable: it
// was queued in the transaction that made it necessary, and is delivered at
// least once, with a key by which a platform can tell that it has it.
//
// # Caveats
//
// Nothing here keeps the truth in memory: another process may serve the same
// store. The function given to [Store.Update] may run more than once.
package bot
