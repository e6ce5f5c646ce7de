// Package analysis judges positions that people put together: what can be played, what is
// best and why, and how an ending goes. Nothing is kept of them.
package analysis
