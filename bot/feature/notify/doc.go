// Package notify tells players that it is their turn, where and when they want to hear it,
// and keeps the plays they plan.
package notify
