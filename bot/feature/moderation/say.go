package moderation

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// This file says what may be said in a room of our own.

func roomSettings() []settings.Setting {
	var slow []bot.Choice
	for _, t := range []string{"10s", "30s"} {
		seconds, _ := strconv.Atoi(strings.TrimSuffix(t, "s"))
		slow = append(slow, bot.Choice{Value: t, Label: text.Say("One message every {n, plural, one {second} other {# seconds}}", seconds)})
	}
	for _, t := range []string{"1m", "5m", "15m"} {
		minutes, _ := strconv.Atoi(strings.TrimSuffix(t, "m"))
		slow = append(slow, bot.Choice{Value: t, Label: text.Say("One message every {n, plural, one {minute} other {# minutes}}", minutes)})
	}
	slow = append(slow, bot.Choice{Value: "1h", Label: text.Say("One message every hour")})
	return []settings.Setting{
		{Option: ours("slow", "For a place: how often one person can write (web room only)", append(slow, bot.Choice{Value: "off", Label: text.Say("As often as they like")})), Usual: settings.Usually("off")},
		{
			Option: ours("filter", "For a place: whether vulgar words are refused (web room only)", []bot.Choice{{Value: "on", Label: text.Say("Refused")}, {Value: "off", Label: text.Say("Not checked")}}), Usual: settings.Usually("off"),
			Check: func(h settings.Has, value string) error {
				switch {
				case value != "on" && value != "off":
					return words.BadSetting("filter", value)
				case value == "on" && vulgar(h.Lists) == nil:
					return words.Refusing("To recognise vulgar words I need the word lists {all} and {clean}, and they aren't here.", text.Code(allWords), text.Code(cleanWords))
				}
				return nil
			},
		},
		{Option: ours("invites", "For a place: who can make invitations (web room only)", []bot.Choice{{Value: "keepers", Label: text.Say("The room's keepers")}, {Value: "everybody", Label: text.Say("Everybody")}}), Usual: settings.Usually("keepers")},
	}
}

// ours is the option of a setting for rooms of our own alone.
func ours(name, help string, choices []bot.Choice) bot.Option {
	o := settings.Pick(name, help, choices)
	o.Ours = true
	return o
}

// rule is a setting that counts for whoever asks, in a channel of the place.
func (p grounds) rule(ctx context.Context, f *Feature, ch bot.ChannelID, name string) (string, error) {
	places, err := f.settings.Places(ctx, ch, p.home)
	if err != nil {
		return "", err
	}
	return f.settings.RuleIn(ctx, ch, places, name)
}

// MaySay refuses what somebody who is muted says, what comes too soon after what
// they said before, and vulgar words where those who keep the place want none.
func (f *Feature) MaySay(ctx context.Context, s bot.Saying) error {
	p := grounds{home: s.Home, keeper: s.Manager}
	if s.User.ID != "" {
		if err := p.mayCall(ctx, f, s.User.ID); err != nil {
			return err
		}
	}
	filter, err := p.rule(ctx, f, s.Channel, "filter")
	if err != nil {
		return err
	}
	if filter == "on" && f.hasVulgar(s.Text) {
		return words.Refusing("That has a word that isn't wanted here. Please say it another way.")
	}
	if !s.Aloud || s.Manager {
		return nil
	}
	slow, err := p.rule(ctx, f, s.Channel, "slow")
	if err != nil || slow == "off" {
		return err
	}
	return f.takeTurn(ctx, s, slow)
}

// A storedSaid is what somebody said last in slow mode.
type storedSaid struct {
	V  int       `json:"v"`
	At time.Time `json:"at"`
	ID string    `json:"id"` // of the request
}

// takeTurn lets somebody say one thing in a while.
func (f *Feature) takeTurn(ctx context.Context, s bot.Saying, slow string) error {
	every, err := time.ParseDuration(slow)
	if err != nil {
		return fmt.Errorf("slow mode: %w", err)
	}
	return f.said.Change(ctx, shelf.Both(shelf.Channel(s.Channel), shelf.Person(s.User.ID)), func(last *storedSaid) (keep bool, err error) {
		if last.ID == s.ID && s.ID != "" {
			return true, nil
		}
		if wait := last.At.Add(every).Sub(f.desk.Now()); wait > 0 {
			return false, words.Refusing("This channel is in slow mode: one message every {unit, select, s {{n, plural, one {second} other {# seconds}}} m {{n, plural, one {minute} other {# minutes}}} other {{n, plural, one {hour} other {# hours}}}}. You can write again at {time}; games go on as usual.",
				slow[len(slow)-1:], strings.TrimRight(slow, "smh"), words.Clock(last.At.Add(every)))
		}
		*last = storedSaid{1, f.desk.Now().UTC(), s.ID}
		return true, nil
	})
}

// A word is vulgar where the list of all words has it and the clean one doesn't.
const (
	allWords   = "en"
	cleanWords = "en-clean"
)

// vulgar are the two lists, nil where one isn't here.
func vulgar(all *lexicons.Lists) *[2]*lexicon.Lexicon {
	set := all.TilesOf(allWords)
	two := [2]*lexicon.Lexicon{all.Lexicon(game.LexiconID{Name: allWords}, set), all.Lexicon(game.LexiconID{Name: cleanWords}, set)}
	if two[0] == nil || two[1] == nil {
		return nil
	}
	return &two
}

// plainer are letters for what is written in their place to get past a filter.
var plainer = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "$", "s", "@", "a", "!", "i")

// hasVulgar reports whether a text has a vulgar word.
func (f *Feature) hasVulgar(text string) bool {
	two := vulgar(f.desk.Lists())
	if two == nil {
		return false
	}
	apart := func(r rune) bool { return !unicode.IsLetter(r) }
	for _, t := range []string{text, plainer.Replace(text)} {
		for w := range strings.FieldsFuncSeq(t, apart) {
			word, err := two[0].Alphabet().Parse(w)
			if err == nil && len(word) >= lexicon.MinWord && two[0].Has(word) && !two[1].Has(word) {
				return true
			}
		}
	}
	return false
}
