// Package robots has robots sit down, play, hint and review.
package robots
