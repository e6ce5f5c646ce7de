// Package notify tells people that it is their turn, where and when they want to
// hear of it, and keeps what they plan to play.
package notify
