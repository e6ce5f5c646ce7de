// Package pace is time: clocks, late turns, absences, and seats that are free.
package pace
