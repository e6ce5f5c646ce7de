package words

import (
	"strconv"
	"strings"
)

// Points writes halves of a point as people do.
func Points(halves int) string {
	switch {
	case halves == 1:
		return "½"
	case halves%2 != 0:
		return strconv.Itoa(halves/2) + "½"
	}
	return strconv.Itoa(halves / 2)
}

// Spread writes by how many points somebody is ahead or behind.
func Spread(n int) string {
	if n > 0 {
		return "+" + strconv.Itoa(n)
	}
	return strings.Replace(strconv.Itoa(n), "-", "−", 1)
}
