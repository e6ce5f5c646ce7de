// Package people is what people set, who they are elsewhere, and what is kept of
// them.
package people
