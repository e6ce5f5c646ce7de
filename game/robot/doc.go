// Package robot chooses moves, and judges those that people chose.
//
// A robot plays from a [View]: what a player at its seat may see, and nothing
// else.
package robot
