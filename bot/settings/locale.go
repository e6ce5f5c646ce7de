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

// Speak is the setting of a place's or a person's language, and Auto its value if no one
// has chosen.
const (
	speak = "speak"
	Auto  = "auto"
)

// SpeakSetting returns the setting of the language.
func SpeakSetting() Setting {
	return Setting{
		Option: bot.Option{Name: speak, Help: "The language of answers to you; for a place, of what is posted there", Kind: bot.Pick},
		Own:    true, Default: ConstantDefault(Auto), DefaultNote: text.Item("the server's language"),
		Complete: func(h Has, _ bot.Request) []bot.Choice { return h.localeChoices() },
		Check:    func(h Has, value string) error { return h.checkLocale(value) },
	}
}

// localeChoices returns the languages to choose from.
func (h Has) localeChoices() []bot.Choice {
	all := []bot.Choice{{Value: Auto, Label: text.Say("The platform's language")}}
	for _, t := range h.Locales.All() {
		all = append(all, bot.Choice{Value: t.Code(), Label: text.Plain(t.Name())})
	}
	return all
}

// checkLocale rejects unknown languages.
func (h Has) checkLocale(value string) error {
	if _, ok := h.Locales.ByCode(value); ok || value == Auto {
		return nil
	}
	return words.BadSetting(speak, value)
}

// ChannelLocale returns the language of posts in a channel: the one set there, or else its
// home's.
func (s *Settings) ChannelLocale(ctx context.Context, ch bot.ChannelID) (*text.Locale, error) {
	if !s.has.Locales.Several() {
		return nil, nil
	}
	code, err := s.HouseRule(ctx, ch, speak)
	if err != nil {
		return nil, err
	}
	if t, ok := s.has.Locales.ByCode(code); ok {
		return t, nil
	}
	_, locale, err := s.homeOf(ctx, ch)
	t, _ := s.has.Locales.Match(locale)
	return t, err
}

// PersonLocale returns the language of replies to a person: the one they chose, or else the one
// that the platform knows or knew at their last request, or else that of the channel. If
// who is "", it is the channel's. With an error, it returns the best of what could be
// looked up.
func (s *Settings) PersonLocale(ctx context.Context, who game.PlayerID, locale string, ch bot.ChannelID) (*text.Locale, error) {
	if !s.has.Locales.Several() {
		return nil, nil
	}
	var failed error
	if who != "" {
		own, err := s.Of(ctx, who)
		if t, ok := s.has.Locales.ByCode(own.Speak); ok {
			return t, err
		}
		failed = err
	}
	if who != "" && locale == "" {
		seen, err := s.localeOf(ctx, who)
		locale, failed = seen, errors.Join(failed, err)
	}
	if t, ok := s.has.Locales.Match(locale); ok {
		return t, failed
	}
	t, err := s.ChannelLocale(ctx, ch)
	return t, errors.Join(failed, err)
}

// KeepLocale stores the sender's language for later private messages, on platforms that
// tell it only with requests.
func (s *Settings) KeepLocale(ctx context.Context, req bot.Request) error {
	if req.Locale == "" || !s.has.Locales.Several() {
		return nil
	}
	before, err := s.localeOf(ctx, req.User.ID)
	if err != nil {
		return err
	}
	t, ok := s.has.Locales.Match(req.Locale)
	switch {
	case ok && t.Code() != before:
		return s.locales.Put(ctx, shelf.Person(req.User.ID), t.Code())
	case !ok && before != "":
		return s.locales.Drop(ctx, shelf.Person(req.User.ID))
	}
	return nil
}

// localeOf returns the language that KeepLocale stored for a person, or "".
func (s *Settings) localeOf(ctx context.Context, who game.PlayerID) (code string, err error) {
	code, _, err = s.locales.Get(ctx, shelf.Person(who))
	return code, err
}
