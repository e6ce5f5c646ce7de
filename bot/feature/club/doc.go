// Package club is the roster of a place: who plays there in leagues and tournaments,
// with ratings, groups, times away, and whom they don't want to be paired with. People
// join and leave by themselves; those who manage the place add others, also such as have
// no account there.
package club
