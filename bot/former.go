package bot

import (
	"strings"

	"github.com/rackmate/rackmate/game"
)

// FormerPrefix begins the ids of people who asked to be forgotten, in the games
// that stay: ids of no platform, one for each person, that lead nowhere.
const FormerPrefix = "former:"

// IsFormer reports whether a player asked to be forgotten: the id stands for
// nobody.
func IsFormer(p game.PlayerID) bool { return strings.HasPrefix(string(p), FormerPrefix) }
