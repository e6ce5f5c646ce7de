package settings

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Speak is the setting of the language that people are spoken to in, a place's or a
// person's; Auto is its value where nobody has chosen.
const (
	Speak = "speak"
	Auto  = "auto"
)

// SpeakSetting is the setting for places.
func SpeakSetting() Setting {
	return Setting{
		Option: bot.Option{Name: Speak, Help: "The language of answers to you; for a place, of what is posted there", Kind: bot.Pick},
		Own:    true, Usual: Usually(Auto), Usually: text.Item("the server's language"),
		Complete: func(h Has, _ bot.Request) []bot.Choice { return h.tongueChoices() },
		Check:    func(h Has, value string) error { return h.checkTongue(value) },
	}
}

// tongueChoices are the languages to choose from.
func (h Has) tongueChoices() []bot.Choice {
	all := []bot.Choice{{Value: Auto, Label: text.Say("The platform's language")}}
	for _, t := range h.Tongues.All() {
		all = append(all, bot.Choice{Value: t.Code(), Label: text.Plain(t.Name())})
	}
	return all
}

// checkTongue refuses a language that there isn't.
func (h Has) checkTongue(value string) error {
	if _, ok := h.Tongues.Called(value); ok || value == Auto {
		return nil
	}
	return words.BadSetting(Speak, value)
}

// TongueOf is the language of what is posted in a channel: the one that is set
// there, else its home's.
func (s *Settings) TongueOf(ctx context.Context, ch bot.ChannelID) (*text.Tongue, error) {
	if !s.has.Tongues.Several() {
		return nil, nil
	}
	code, err := s.HouseRule(ctx, ch, Speak)
	if err != nil {
		return nil, err
	}
	if t, ok := s.has.Tongues.Called(code); ok {
		return t, nil
	}
	_, locale, err := s.homeOf(ctx, ch)
	t, _ := s.has.Tongues.Match(locale)
	return t, err
}

// Spoken is the language that somebody is spoken to in: the one that they chose,
// else the one that the platform knows of them or did when they last asked for
// something, else that of the channel. "" is everybody there. With an error it is the
// best of what could be looked up.
func (s *Settings) Spoken(ctx context.Context, who game.PlayerID, locale string, ch bot.ChannelID) (*text.Tongue, error) {
	if !s.has.Tongues.Several() {
		return nil, nil
	}
	var failed error
	if who != "" {
		own, err := s.Of(ctx, who)
		if t, ok := s.has.Tongues.Called(own.Speak); ok {
			return t, err
		}
		failed = err
	}
	if who != "" && locale == "" {
		seen, err := s.localeOf(ctx, who)
		locale, failed = seen, errors.Join(failed, err)
	}
	if t, ok := s.has.Tongues.Match(locale); ok {
		return t, failed
	}
	t, err := s.TongueOf(ctx, ch)
	return t, errors.Join(failed, err)
}

// KeepLocale notes the language of whoever asks, for what they are told in private
// without asking, where the platform tells it of requests alone.
func (s *Settings) KeepLocale(ctx context.Context, req bot.Request) error {
	if req.Locale == "" || !s.has.Tongues.Several() {
		return nil
	}
	before, err := s.localeOf(ctx, req.User.ID)
	if err != nil {
		return err
	}
	t, ok := s.has.Tongues.Match(req.Locale)
	switch {
	case ok && t.Code() != before:
		return s.locales.Put(ctx, shelf.Person(req.User.ID), t.Code())
	case !ok && before != "":
		return s.locales.Drop(ctx, shelf.Person(req.User.ID))
	}
	return nil
}

// localeOf is the language that KeepLocale noted of somebody, "" for none.
func (s *Settings) localeOf(ctx context.Context, who game.PlayerID) (code string, err error) {
	code, _, err = s.locales.Get(ctx, shelf.Person(who))
	return code, err
}
