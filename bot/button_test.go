package bot_test

import (
	"bytes"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A pressed button returns the arguments that were encoded in it.
func TestButtonReturnsItsArguments(t *testing.T) {
	for _, args := range []map[string]string{
		{}, {"word": "HORN", "at": "8D"}, {"name": "Ann & Bob; 100% + more"}, {"name": "L·L ŁÓDŹ"}, {"a": "1", "b": ""}, {"line": "two\nlines"}, {"url": "a=b:c"},
	} {
		id := bot.ButtonID(12, 34, "play", args)
		req, ok := bot.Request{ID: "press", Channel: "test:den"}.Press(id)
		if !ok || req.Table != 12 || req.Number != 34 || req.Command != "play" || !maps.Equal(req.Args, args) || req.ID != "press" || req.Channel != "test:den" {
			t.Errorf("%s is read as %+v, %t", id, req, ok)
		}
	}
	for _, id := range []string{"", "1:2:3:play", "2:12:34:play:", "1:x:34:play:", "1:12:-1:play:", "1:12:x:play:", "1:-1:3:play:", "1:12:34:play:a=%zz", "hello"} {
		if req, ok := (bot.Request{}).Press(id); ok {
			t.Errorf("%q is a button: %+v", id, req)
		}
	}
}

// A menu's choice fills the argument that its ID leaves empty.
func TestMenuChoiceFillsArgument(t *testing.T) {
	req, ok := bot.Request{}.Choose(bot.ButtonID(0, 0, "settings", map[string]string{"for": "me", "ping": ""}), []string{"dm"})
	if !ok || req.Args["ping"] != "dm" || req.Args["for"] != "me" {
		t.Errorf("a choice is read as %+v, %t", req, ok)
	}
	if req, _ := (bot.Request{}).Choose(bot.ButtonID(0, 0, "settings", map[string]string{"lock": ""}), []string{"pace", "late"}); req.Args["lock"] != "pace late" {
		t.Errorf("two choices are read as %+v", req)
	}
	for _, id := range []string{"hello", bot.ButtonID(0, 0, "settings", map[string]string{"for": "me"})} {
		if _, ok := (bot.Request{}).Choose(id, []string{"dm"}); ok {
			t.Errorf("%q is a menu", id)
		}
	}
}

// The mark on a button distinguishes one store's buttons from another's.
func TestButtonMarkNamesStore(t *testing.T) {
	id := bot.ButtonID(1, 2, "rack", nil)
	for _, c := range []struct {
		mark bot.Mark
		id   string
		rest string
		ours bool
	}{
		{"abcd", bot.Mark("abcd").On(id), id, true},
		{"abcd", bot.Mark("efgh").On(id), id, false},
		{"abcd", id, id, true}, // made before there were marks
		{"", bot.Mark("").On(id), id, true},
		{"abcd", bot.Mark("abcd").On("form"), "form", true},
	} {
		if rest, ours := c.mark.Off(c.id); rest != c.rest || ours != c.ours {
			t.Errorf("%s takes %s for %s, %t", c.mark, c.id, rest, ours)
		}
	}
}

// Replies and posts are translated with all their parts.
func TestRepliesAndPostsAreTranslated(t *testing.T) {
	de := german(t)
	long := text.Say("Take it back")
	buttons := []bot.Button{{ID: "b", Label: text.Say("Play")}, {ID: "c", Label: long}}
	menus := []bot.Menu{{ID: "m", Label: text.Say("Which word?"), Choices: []bot.Choice{{Value: "1", Label: text.Say("Club")}}}}
	drawn := bot.LazyPicture(func(to *text.Locale) bot.Picture {
		return bot.Picture{Alt: text.Say("The board").In(to), PNG: []byte("drawn in " + to.Code())}
	})
	r := bot.Reply{
		Text: text.Say("Which word?"), Picture: drawn, Buttons: buttons, Menus: menus,
		Files: []bot.File{{Name: "rules", Text: text.Say("The board")}, {Name: "board.png", Alt: text.Say("The board"), Data: []byte("png")}},
	}.In(de)
	if r.Text.String() != "Welches Wort?" || r.Picture.Alt.String() != "Das Brett" || string(r.Picture.PNG) != "drawn in de" {
		t.Errorf("an answer is %s with %s", r.Text, r.Picture.Alt)
	}
	if got := r.Buttons[0].Label.String(); got != "Legen" || r.Buttons[1].Label.Len() > 30 || buttons[0].Label.String() != "Play" {
		t.Errorf("its buttons are %s and %s", got, r.Buttons[1].Label)
	}
	if m := r.Menus[0]; m.Label.String() != "Welches Wort?" || m.Choices[0].Label.String() != "Verein" {
		t.Errorf("its menu is %s: %s", m.Label, m.Choices[0].Label)
	}
	if f := r.Files; string(f[0].Data) != "Das Brett" || f[0].Text != nil || string(f[1].Data) != "png" || f[1].Alt.String() != "Das Brett" {
		t.Errorf("its files are %v", f)
	}
	said := text.Say("The board")
	m := bot.Message{Text: said, Whole: said, Line: said, Result: said, Picture: &bot.Picture{Alt: said, PNG: []byte("png")}, Buttons: buttons, Menus: menus}.In(de)
	for _, got := range []text.Text{m.Text, m.Whole, m.Line, m.Result, m.Picture.Alt} {
		if got.String() != "Das Brett" {
			t.Errorf("a post says %s", got)
		}
	}
	if !bytes.Equal(m.Picture.PNG, []byte("png")) || (bot.Message{}).In(de).Picture != nil || said.String() != "The board" {
		t.Error("a post's picture has become another")
	}
}

func TestErrorTexts(t *testing.T) {
	cause := errors.New("the channel is gone")
	post := &bot.PostError{Permanent: true, Err: cause}
	for got, want := range map[string]string{
		post.Error(): "post message: the channel is gone",
		(&bot.PageError{Text: text.Say("Which word?")}).Error():  "Which word?",
		(&bot.BusyError{Text: text.Say("Take it back")}).Error(): "Take it back",
	} {
		if got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	if !errors.Is(post, cause) {
		t.Error("what a post failed of is lost")
	}
	if !strings.Contains(bot.UnknownCommand(strings.Repeat("x", 99)).String(), "…") {
		t.Error("a long command is told whole")
	}
}
