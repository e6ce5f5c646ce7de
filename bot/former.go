package bot

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/rackmate/rackmate/game"
)

// RobotPrefix begins the ids of robots, as in "robot:expert".
const RobotPrefix = game.RobotPrefix

// FormerPrefix begins the ids of people who asked to be forgotten, in the games
// that stay: ids of no platform, one for each person, that lead nowhere.
const FormerPrefix = "former:"

// IsFormer reports whether a player asked to be forgotten: the id stands for
// nobody.
func IsFormer(p game.PlayerID) bool { return strings.HasPrefix(string(p), FormerPrefix) }

// Names reports whether JSON names somebody, by their id or what they are
// called.
func Names(data []byte, who User) bool {
	for _, s := range []string{string(who.ID), who.Name} {
		quoted, err := json.Marshal(s)
		if err == nil && s != "" && bytes.Contains(data, quoted[1:len(quoted)-1]) {
			return true
		}
	}
	return false
}
