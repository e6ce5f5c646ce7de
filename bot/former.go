package bot

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/rackmate/rackmate/game"
)

// RobotPrefix begins the ids of robots, such as "robot:expert".
const RobotPrefix = game.RobotPrefix

// FormerPrefix begins the ids that replace erased people in stored games. Each person gets one
// of their own, which belongs to no platform.
const FormerPrefix = "former:"

// IsFormer reports whether an id replaces an erased person.
func IsFormer(p game.PlayerID) bool { return strings.HasPrefix(string(p), FormerPrefix) }

// Names reports whether JSON mentions a person by id or name.
func Names(data []byte, who User) bool {
	for _, s := range []string{string(who.ID), who.Name} {
		quoted, err := json.Marshal(s)
		if err == nil && s != "" && bytes.Contains(data, quoted[1:len(quoted)-1]) {
			return true
		}
	}
	return false
}
