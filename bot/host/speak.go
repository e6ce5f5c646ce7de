package host

import "github.com/rackmate/rackmate/bot"

// This file puts what the host says into the language of those who read it, at
// its door: an answer in the person's, a post in the place's.

// replyIn is an answer in a tongue.
func replyIn(to *bot.Tongue, r bot.Reply) bot.Reply {
	r.Text = r.Text.In(to)
	r.Picture = pictureIn(to, r.Picture)
	r.Buttons, r.Menus = buttonsIn(to, r.Buttons), menusIn(to, r.Menus)
	var files []bot.File
	for _, f := range r.Files {
		f.Alt = f.Alt.In(to)
		files = append(files, f)
	}
	r.Files = files
	return r
}

// messageIn is a post in a tongue.
func messageIn(to *bot.Tongue, m bot.Message) bot.Message {
	for _, t := range []*bot.Text{&m.Text, &m.Whole, &m.Line, &m.Ticker} {
		*t = t.In(to)
	}
	m.Picture = pictureIn(to, m.Picture)
	m.Buttons, m.Menus = buttonsIn(to, m.Buttons), menusIn(to, m.Menus)
	return m
}

func pictureIn(to *bot.Tongue, p *bot.Picture) *bot.Picture {
	if p == nil {
		return nil
	}
	return &bot.Picture{Alt: p.Alt.In(to), PNG: p.PNG}
}

func buttonsIn(to *bot.Tongue, bs []bot.Button) []bot.Button {
	var all []bot.Button
	for _, b := range bs {
		b.Label = b.Label.In(to).Shorten(bot.MaxLabel)
		all = append(all, b)
	}
	return all
}

func menusIn(to *bot.Tongue, ms []bot.Menu) []bot.Menu {
	var all []bot.Menu
	for _, m := range ms {
		m.Label, m.Choices = m.Label.In(to).Shorten(bot.MaxChoice), choicesIn(to, m.Choices)
		all = append(all, m)
	}
	return all
}

func choicesIn(to *bot.Tongue, cs []bot.Choice) []bot.Choice {
	var all []bot.Choice
	for _, c := range cs {
		c.Label = c.Label.In(to).Shorten(bot.MaxChoice)
		all = append(all, c)
	}
	return all
}
