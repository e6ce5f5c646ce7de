package bot

import "github.com/rackmate/rackmate/bot/text"

// This file translates what the host says: replies into the person's language, posts into the
// place's.

// In returns the reply in a locale.
func (r Reply) In(to *text.Locale) Reply {
	r.Text = r.Text.In(to)
	r.Picture = r.Picture.In(to)
	r.Buttons, r.Menus = buttonsIn(to, r.Buttons), menusIn(to, r.Menus)
	r.Files = FilesIn(to, r.Files)
	return r
}

// FilesIn returns files in a locale.
func FilesIn(to *text.Locale, fs []File) []File {
	var all []File
	for _, f := range fs {
		f.Alt = f.Alt.In(to)
		if f.Text != nil {
			f.Data, f.Text = []byte(f.Text.In(to).String()), nil
		}
		all = append(all, f)
	}
	return all
}

// In returns the post in a locale.
func (m Message) In(to *text.Locale) Message {
	for _, t := range []*text.Text{&m.Text, &m.Whole, &m.Line, &m.Title, &m.Result} {
		*t = t.In(to)
	}
	m.Picture = m.Picture.In(to)
	m.Buttons, m.Menus = buttonsIn(to, m.Buttons), menusIn(to, m.Menus)
	return m
}

// In returns the picture with its words in a locale, or nil if p is nil.
func (p *Picture) In(to *text.Locale) *Picture {
	switch {
	case p == nil:
		return nil
	case p.draws != nil:
		drawn := p.draws(to)
		return &drawn
	}
	spoken := *p
	spoken.Alt = p.Alt.In(to)
	return &spoken
}

func buttonsIn(to *text.Locale, bs []Button) []Button {
	var all []Button
	for _, b := range bs {
		b.Label = b.Label.In(to).Shorten(maxLabel)
		all = append(all, b)
	}
	return all
}

func menusIn(to *text.Locale, ms []Menu) []Menu {
	var all []Menu
	for _, m := range ms {
		m.Label, m.Choices = m.Label.In(to).Shorten(MaxChoice), ChoicesIn(to, m.Choices)
		all = append(all, m)
	}
	return all
}

// ChoicesIn returns choices in a locale.
func ChoicesIn(to *text.Locale, cs []Choice) []Choice {
	var all []Choice
	for _, c := range cs {
		c.Label = c.Label.In(to).Shorten(MaxChoice)
		all = append(all, c)
	}
	return all
}
