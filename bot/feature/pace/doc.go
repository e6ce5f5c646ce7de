// Package pace manages time in games: clocks, late turns, absences, and free seats.
package pace
