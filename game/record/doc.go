// Package record implements the written forms of a game:
//
//   - CGP, one position on a line ([Position]);
//   - GCG, the common notation of a whole game ([GCG]), and playing such a record through the rules
//     ([Replay]);
//   - the event log in stored form, versioned JSON ([MarshalEvent]);
//   - the proof that a finished game's draws were fair ([Proof]).
//
// # Caveats
//
// All of them contain racks. For a game in progress they reveal more than the players may see.
package record
