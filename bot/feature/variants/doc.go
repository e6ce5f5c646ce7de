// Package variants has the other ways of playing that package game knows, as
// people meet them: what they can type, press, see and are told there. Each is a
// feature in a file of its own.
package variants
