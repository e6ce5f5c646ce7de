// Package record has the written forms of a game:
//
//   - CGP, one position on a line ([Position]);
//   - GCG, the field's notation of a whole game ([GCG]), and playing such a
//     record through the rules ([Replay]);
//   - the event log as it is stored, JSON with a version ([MarshalEvent]);
//   - the proof that a finished game's draws were fair ([Proof]).
//
// # Caveats
//
// All of them hold racks. What leaves a running game in one of these forms
// tells more than the players may see.
package record
