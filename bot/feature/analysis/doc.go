// Package analysis analyses positions set up by people: the possible plays, the best moves
// with reasons, and the continuation of endings. It stores nothing about them.
package analysis
