// Package variants has the other ways of playing that package game knows, as
// people meet them: what they can type, press, see and are told there. Each is a
// feature in a file of its own.
package variants

import "github.com/rackmate/rackmate/bot/table"

// only is a variant that has no commands of its own.
type only struct{ is table.Variant }

// Variant is the variant.
func (v only) Variant() table.Variant { return v.is }
