// Package variants presents the variants that package game knows: their commands, buttons,
// pictures and sentences. Each variant is a feature in a file of its own.
package variants
