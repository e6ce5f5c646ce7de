package words

import (
	"strconv"
	"strings"
)

// Points formats half points, like "1½".
func Points(halves int) string {
	switch {
	case halves == 1:
		return "½"
	case halves%2 != 0:
		return strconv.Itoa(halves/2) + "½"
	}
	return strconv.Itoa(halves / 2)
}

// Spread formats a lead or deficit, like "+12" or "−7".
func Spread(n int) string {
	if n > 0 {
		return "+" + strconv.Itoa(n)
	}
	return strings.Replace(strconv.Itoa(n), "-", "−", 1)
}
