package bot

import (
	"strings"

	"github.com/rackmate/rackmate/game"
)

// Who asked to be forgotten is a former player in the games that stay: under
// an id of no platform, another for each person, that leads nowhere.
const FormerPrefix = "former:"

func IsFormer(p game.PlayerID) bool { return strings.HasPrefix(string(p), FormerPrefix) }
