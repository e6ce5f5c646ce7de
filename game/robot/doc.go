// Package robot chooses moves for computer players and judges the moves of people.
//
// A robot plays from a [View], which holds only what the player at its seat may see.
package robot
