package input

import (
	"strings"
	"unicode"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// Tidy returns the request without odd spaces in arguments and names.
func Tidy(r bot.Request) bot.Request {
	args := make(map[string]string, len(r.Args))
	for name, value := range r.Args {
		args[name] = strings.TrimSpace(value)
	}
	r.Args, r.User = args, tidyName(r.User)
	people := make([]bot.User, len(r.People))
	for i, u := range r.People {
		people[i] = tidyName(u)
	}
	r.People = people
	return r
}

// tidyName returns the person with a name that fits into a sentence.
func tidyName(u bot.User) bot.User {
	u.Name = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, u.Name)), " ")
	if u.Name = text.Shorten(u.Name, bot.MaxName); u.Name == "" {
		u.Name = "Somebody"
	}
	return u
}
