package bot

// This file puts what the host says into the language of those who read it: an
// answer into the person's, a post into the place's.

// In is the answer in a tongue.
func (r Reply) In(to *Tongue) Reply {
	r.Text = r.Text.In(to)
	r.Picture = pictureIn(to, r.Picture)
	r.Buttons, r.Menus = buttonsIn(to, r.Buttons), menusIn(to, r.Menus)
	var files []File
	for _, f := range r.Files {
		f.Alt = f.Alt.In(to)
		files = append(files, f)
	}
	r.Files = files
	return r
}

// In is the post in a tongue.
func (m Message) In(to *Tongue) Message {
	for _, t := range []*Text{&m.Text, &m.Whole, &m.Line, &m.Ticker} {
		*t = t.In(to)
	}
	m.Picture = pictureIn(to, m.Picture)
	m.Buttons, m.Menus = buttonsIn(to, m.Buttons), menusIn(to, m.Menus)
	return m
}

func pictureIn(to *Tongue, p *Picture) *Picture {
	if p == nil {
		return nil
	}
	spoken := *p
	spoken.Alt = p.Alt.In(to)
	return &spoken
}

func buttonsIn(to *Tongue, bs []Button) []Button {
	var all []Button
	for _, b := range bs {
		b.Label = b.Label.In(to).Shorten(MaxLabel)
		all = append(all, b)
	}
	return all
}

func menusIn(to *Tongue, ms []Menu) []Menu {
	var all []Menu
	for _, m := range ms {
		m.Label, m.Choices = m.Label.In(to).Shorten(MaxChoice), ChoicesIn(to, m.Choices)
		all = append(all, m)
	}
	return all
}

// ChoicesIn are choices in a tongue.
func ChoicesIn(to *Tongue, cs []Choice) []Choice {
	var all []Choice
	for _, c := range cs {
		c.Label = c.Label.In(to).Shorten(MaxChoice)
		all = append(all, c)
	}
	return all
}
