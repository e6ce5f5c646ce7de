package slack_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestPlainMessageIntents checks what messages in plain words mean.
func TestPlainMessageIntents(t *testing.T) {
	w := newWorld(t, slacktest.Options{}, func(c *slack.Config) { c.Locales = locales() })
	for message, want := range map[string]string{
		"hello there":            "greets",
		"Hi!":                    "greets",
		"hey :wave:":             "greets",
		"good morning Rackmate":  "greets",
		"thanks!":                "thanks",
		"Thank you very much.":   "thanks",
		"thx :tada:":             "thanks",
		"help":                   "help",
		"Help me, please":        "help",
		"what can I do?":         "help",
		"What can you do?":       "help",
		"how does this work?":    "help",
		"new game":               "new game",
		"New":                    "new game",
		"let's play!":            "new game",
		"Let’s play a game":      "new game",
		"play again":             "new game",
		"another game please":    "new game",
		"my games":               "games",
		"whose turn is it?":      "games",
		"my rack":                "rack",
		"Rack please":            "rack",
		"what are my tiles?":     "rack",
		"play":                   "rack",
		"show me the board":      "board picture",
		"what's the score?":      "board picture",
		"pass":                   "pass",
		"skip my turn":           "pass",
		"swap":                   "exchange",
		"swap tiles":             "exchange",
		"swap Q":                 "exchange Q",
		"swap Q, E and V":        "exchange Q E V",
		"swap the QVV":           "exchange QVV",
		"exchange tiles":         "exchange",
		"i play horn at 8h":      "play horn 8h",
		"play the word horn 8h":  "play horn 8h",
		"put horn at 8H!":        "play horn 8h",
		"play nicely":            "play nicely",
		"swap seats with me":     "",
		"put the kettle on":      "",
		"this is fun":            "",
		"what a nice day":        "",
		"new robots:beginner":    "",
		"hello is anybody there": "greets",
		"hi, what can I do?":     "help",
		"thanks for the game":    "thanks",
		"thanks, my rack please": "rack",
		"danke schön":            "thanks",
		"Guten Morgen":           "greets",
		"neues Spiel":            "new game",
		"tausche Q und E":        "exchange Q E",
		"merci beaucoup":         "thanks",
		"nouvelle partie":        "new game",
		"¿qué puedo hacer?":      "help",
		"mis fichas":             "rack",
		"dziękuję":               "thanks",
		"bom dia":                "greets",
		"wat kan ik doen?":       "help",
	} {
		if got := w.adapter.Intended(message); got != want {
			t.Errorf("%q means %q, want %q", message, got, want)
		}
	}
}

// TestPhrasesDontCollide checks that each phrase of each language means its intent.
func TestPhrasesDontCollide(t *testing.T) {
	w := newWorld(t, slacktest.Options{}, func(c *slack.Config) { c.Locales = locales() })
	for _, said := range w.adapter.Misunderstood() {
		t.Error(said)
	}
}

// TestPlainWordsAreAnswered checks the answers to plain words in direct messages, before and during a
// game.
func TestPlainWordsAreAnswered(t *testing.T) {
	w := newWorldOf(t, gametest.Part(t, "en"), slacktest.Options{})
	gametest.Must(t, w.s.OpenMessages(ann))
	w.await("a greeting", func() bool { return len(w.s.Direct(ann)) == 1 })
	ask := func(line string) slacktest.Message {
		t.Helper()
		had := len(w.s.Private(ann))
		gametest.Must(t, w.s.Say(ann, "D"+ann, "", line))
		return w.answer(ann, had)
	}
	for _, c := range []struct{ line, says, buttons string }{
		{"hello there", "Hi! Here you can play", "Play a robot, Help"},
		{"thanks!", "You're welcome!", ""},
		{"new game", "Play me here", "Play a robot, Help"},
		{"my rack", "We aren't playing here yet", "Play a robot, Help"},
		{"swap Q", "We aren't playing here yet", "Play a robot, Help"},
		{"this is fun", "Sorry, I don't understand that", "Play a robot, Help"},
		{"what can I do?", "What you can do now", "New, Play a robot, Games, Stats, Settings"},
	} {
		got := ask(c.line)
		if !strings.Contains(got.Said(), c.says) || strings.Join(slacktest.Labels(got.Blocks), ", ") != c.buttons {
			t.Errorf("%q is answered %s with %v", c.line, got.Said(), slacktest.Labels(got.Blocks))
		}
		if strings.Contains(got.Said(), "`/") && c.line != "new game" {
			t.Errorf("%q teaches slashes: %s", c.line, got.Said())
		}
	}
	gametest.Must(t, w.s.Press(ann, ask("hi"), "Play a robot", nil))
	w.form(ann, "Play")
	for _, c := range []struct{ line, says string }{
		{"hello there", "We're playing a game here"},
		{"let's play", "We're playing a game here"},
		{"my tiles", "Your rack"},
		{"what's the score?", "tiles in the bag"},
		{"I don't know what to do", "Sorry, I don't understand that"},
	} {
		if got := ask(c.line); !strings.Contains(got.Said(), c.says) {
			t.Errorf("in a game %q is answered %s", c.line, got.Said())
		}
	}
	if strings.Contains(w.log.String(), "response_url") {
		t.Error("a response_url was tried, and messages have none")
	}
	if kept, err := w.adapter.Kept(t.Context(), "slack:"+slacktest.Team+"/"+ann); err != nil || kept["Slack: has opened the home page"] != false {
		t.Errorf("the host keeps %v (%v)", kept, err)
	}
}

// TestNoTypingHintsWithoutMessages checks that an app that can't see what people type to it teaches no typing in
// direct messages.
func TestNoTypingHintsWithoutMessages(t *testing.T) {
	w := newWorld(t, slacktest.Options{}, func(c *slack.Config) { c.Minimal = true })
	gametest.Must(t, w.s.OpenMessages(ann))
	w.await("a greeting", func() bool { return len(w.s.Direct(ann)) == 1 })
	greeting := w.s.Direct(ann)[0]
	if strings.Contains(greeting.Said(), "Type") {
		t.Errorf("the greeting is %s", greeting.Said())
	}
	gametest.Must(t, w.s.Press(ann, greeting, "Play Beginner (robot)", nil))
	w.form(ann, "Play")
	w.await("her turn, since the robot may begin", func() bool { return strings.Contains(said(w.s.Direct(ann)), "it's your turn") })
	had := len(w.s.Private(ann))
	gametest.Must(t, w.s.Slash(ann, "D"+ann, "/rackmate", "help"))
	if got := w.answer(ann, had); !strings.Contains(got.Said(), "`/rackmate play") {
		t.Errorf("help is %s", got.Said())
	}
}
