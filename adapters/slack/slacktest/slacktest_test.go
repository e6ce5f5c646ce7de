package slacktest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
)

// Example posts as an app would, and reads what users see.
func Example() {
	s := slacktest.New(slacktest.Options{})
	defer s.Close()
	app := slack.New(slacktest.BotToken, slack.OptionAPIURL(s.URL+"/api/"))
	if _, _, err := app.PostMessage("C0GAMES", slack.MsgOptionText("Good morning!", false)); err != nil {
		fmt.Println(err)
	}
	for _, m := range s.Messages("C0GAMES") {
		fmt.Println(m.Text)
	}
	fmt.Println(len(s.Complaints()), "complaints")
	// Output:
	// Good morning!
	// 0 complaints
}

// newApp returns a stand-in and a slack-go client for it.
func newApp(t *testing.T, o slacktest.Options) (*slacktest.Slack, *slack.Client) {
	s := slacktest.New(o)
	t.Cleanup(s.Close)
	return s, slack.New(slacktest.BotToken, slack.OptionAPIURL(s.URL+"/api/"), slack.OptionAppLevelToken(slacktest.AppToken))
}

func code(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func section(words string) slack.Block {
	return slack.NewSectionBlock(slack.NewTextBlockObject(slack.MarkdownType, words, false, false), nil, nil)
}

func pressable(label, value string) slack.Block {
	return slack.NewActionBlock("row", slack.NewButtonBlockElement("press:1", value, slack.NewTextBlockObject(slack.PlainTextType, label, false, false)))
}

func TestMessages(t *testing.T) {
	s, app := newApp(t, slacktest.Options{Scopes: []string{"chat:write", "channels:history"}})
	_, root, err := app.PostMessage("C0GAMES", slack.MsgOptionText("a board", false), slack.MsgOptionBlocks(section("a *board*"), pressable("Join", "x")),
		slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "post", EventPayload: map[string]any{"key": "k"}}))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := app.PostMessage("C0GAMES", slack.MsgOptionText("below", false), slack.MsgOptionTS(root)); err != nil {
		t.Fatal(err)
	}
	if got := s.Messages("C0GAMES"); len(got) != 2 || got[0].Said() != "a *board*\nJoin\n" || got[1].Thread != root || !slices.Equal(slacktest.Labels(got[0].Blocks), []string{"Join"}) {
		t.Errorf("the messages are %+v", got)
	}
	if _, _, _, err := app.UpdateMessage("C0GAMES", root, slack.MsgOptionText("a line", false)); err != nil {
		t.Error(err)
	}
	page, err := app.GetConversationHistory(&slack.GetConversationHistoryParameters{ChannelID: "C0GAMES", IncludeAllMetadata: true})
	if err != nil || len(page.Messages) != 1 || page.Messages[0].Text != "a line" || page.Messages[0].Metadata.EventPayload["key"] != "k" {
		t.Errorf("the history is %+v (%v)", page, err)
	}
	if below, _, _, err := app.GetConversationReplies(&slack.GetConversationRepliesParameters{ChannelID: "C0GAMES", Timestamp: root}); err != nil || len(below) != 1 {
		t.Errorf("the thread is %+v (%v)", below, err)
	}
	if link, err := app.GetPermalink(&slack.PermalinkParameters{Channel: "C0GAMES", Ts: root}); err != nil || !strings.Contains(link, "C0GAMES") {
		t.Errorf("the link is %s (%v)", link, err)
	}
	if _, err := app.PostEphemeral("C0GAMES", "U0ANN", slack.MsgOptionText("for you", false)); err != nil || len(s.Private("U0ANN")) != 1 || len(s.Private("U0BOB")) != 0 {
		t.Errorf("Ann alone sees %+v (%v)", s.Private("U0ANN"), err)
	}
	if _, _, err := app.DeleteMessage("C0GAMES", root); err != nil || len(s.Messages("C0GAMES")) != 1 {
		t.Errorf("deleted: %v", err)
	}
	for what, err := range map[string]error{
		"message_not_found":   second(app.DeleteMessage("C0GAMES", "1.0")),
		"channel_not_found":   second(app.PostMessage("C0NONE", slack.MsgOptionText("x", false))),
		"no_text":             second(app.PostMessage("C0GAMES", slack.MsgOptionText("", false))),
		"user_not_in_channel": first(app.PostEphemeral("C0GAMES", "U0NOBODY", slack.MsgOptionText("x", false))),
	} {
		if code(err) != what {
			t.Errorf("%v, want %s", err, what)
		}
	}
	s.Leave("C0TALK")
	if err := second(app.PostMessage("C0TALK", slack.MsgOptionText("x", false))); code(err) != "not_in_channel" {
		t.Errorf("%v where the app isn't", err)
	}
	s.Invite("C0TALK")
	s.Archive("C0TALK")
	if err := second(app.PostMessage("C0TALK", slack.MsgOptionText("x", false))); code(err) != "is_archived" {
		t.Errorf("%v in an archive", err)
	}
}

func first[A any](_ A, err error) error          { return err }
func second[A, B any](_ A, _ B, err error) error { return err }

// TestInvalidBlocksAreRefused checks that invalid blocks are refused and recorded as complaints.
func TestInvalidBlocksAreRefused(t *testing.T) {
	plain := func(s string) *slack.TextBlockObject {
		return slack.NewTextBlockObject(slack.PlainTextType, s, false, false)
	}
	for what, blocks := range map[string][]slack.Block{
		"characters":        {section(strings.Repeat("x", 3001))},
		"calls everybody":   {section("<!channel> hello")},
		"there twice":       {slack.NewActionBlock("a", slack.NewButtonBlockElement("b", "1", plain("A")), slack.NewButtonBlockElement("b", "2", plain("B")))},
		"no such block":     {slack.NewRichTextBlock("x")},
		"there is no file":  {slack.NewImageBlockSlackFile(&slack.SlackFileObject{ID: "F0NONE"}, "alt", "", nil)},
		"has no alt_text":   {slack.NewImageBlock("https://example.org/x.png", "", "", nil)},
		"51 blocks":         slices.Repeat([]slack.Block{slack.NewDividerBlock()}, 51),
		"26 elements":       {slack.NewActionBlock("", slices.Repeat([]slack.BlockElement{slack.NewButtonBlockElement("", "1", plain("A"))}, 26)...)},
		"0 options":         {slack.NewActionBlock("", slack.NewCheckboxGroupsBlockElement("c"))},
		"is longer than":    {slack.NewActionBlock("", slack.NewButtonBlockElement("b", strings.Repeat("v", 2001), plain("A")))},
		"0 characters":      {slack.NewHeaderBlock(plain(""))},
		"has the style":     {slack.NewActionBlock("", slack.NewButtonBlockElement("b", "1", plain("A")).WithStyle("loud"))},
		"no \"datepicker\"": {slack.NewActionBlock("", slack.NewDatePickerBlockElement("d"))},
	} {
		s, app := newApp(t, slacktest.Options{})
		if err := second(app.PostMessage("C0GAMES", slack.MsgOptionText("x", false), slack.MsgOptionBlocks(blocks...))); err == nil {
			t.Errorf("%s: it is posted", what)
		}
		if all := strings.Join(s.Complaints(), "\n"); !strings.Contains(all, what) {
			t.Errorf("%s: it complains of %q", what, all)
		}
	}
}

func TestFiles(t *testing.T) {
	s, app := newApp(t, slacktest.Options{Looks: 2, Scopes: []string{"chat:write", "files:read", "files:write"}})
	upload := func(channel string) string {
		t.Helper()
		to, err := app.GetUploadURLExternalContext(context.Background(), slack.GetUploadURLExternalParameters{FileName: "x.png", FileSize: 3})
		if err != nil {
			t.Fatal(err)
		}
		if err := app.UploadToURL(context.Background(), slack.UploadToURLParameters{UploadURL: to.UploadURL, Filename: "x.png", Reader: strings.NewReader("png")}); err != nil {
			t.Fatal(err)
		}
		if _, err := app.CompleteUploadExternalContext(context.Background(), slack.CompleteUploadExternalParameters{Files: []slack.FileSummary{{ID: to.FileID, Title: "x"}}, Channel: channel}); err != nil {
			t.Fatal(err)
		}
		return to.FileID
	}
	shared := upload("C0GAMES")
	if all := s.Messages("C0GAMES"); len(all) != 1 || all[0].File != shared {
		t.Errorf("shared as %+v", all)
	}
	alone := upload("")
	show := func(id string) error {
		return second(app.PostMessage("C0GAMES", slack.MsgOptionText("x", false), slack.MsgOptionBlocks(slack.NewImageBlockSlackFile(&slack.SlackFileObject{ID: id}, "alt", "", nil))))
	}
	if info, _, _, err := app.GetFileInfo(alone, 0, 0); err != nil || info.Mimetype != "" {
		t.Errorf("the file is %+v (%v)", info, err)
	}
	if err := show(alone); code(err) != "invalid_blocks" {
		t.Errorf("%v for a file that isn't there yet", err)
	}
	if err := show(alone); err != nil || !s.Messages("C0GAMES")[1].Shows() {
		t.Errorf("shown: %v", err)
	}
	s.RefuseFiles()
	if err := show(alone); code(err) != "invalid_blocks" {
		t.Errorf("%v where files aren't shown", err)
	}
	if err := app.DeleteFile(shared); err != nil || s.Files() != 1 || len(s.Messages("C0GAMES")) != 1 {
		t.Errorf("deleted: %v", err)
	}
	if err := app.DeleteFile("F0NONE"); code(err) != "file_not_found" {
		t.Error(err)
	}
}

func TestPeople(t *testing.T) {
	s, app := newApp(t, slacktest.Options{Locale: "de-DE"})
	s.Reads("U0ANN", "pt-BR")
	s.Deactivate("U0BOB")
	s.Invent("U9NEW", "C0GAMES")
	s.Group("S0TEAM", "U0ANN", "U9NEW")
	ann, err := app.GetUserInfo("U0ANN")
	if err != nil || ann.Locale != "pt-BR" || !ann.IsAdmin || ann.Profile.DisplayName != "Ann" {
		t.Errorf("Ann is %+v (%v)", ann, err)
	}
	if bob, err := app.GetUserInfo("U0BOB"); err != nil || !bob.Deleted {
		t.Errorf("Bob is %+v (%v)", bob, err)
	}
	if _, err := app.GetUserInfo("U0NOBODY"); code(err) != "user_not_found" {
		t.Error(err)
	}
	if ids, err := app.GetUserGroupMembers("S0TEAM"); err != nil || len(ids) != 2 {
		t.Errorf("the group is %v (%v)", ids, err)
	}
	if team, err := app.GetTeamInfo(); err != nil || team.ID != slacktest.Team {
		t.Errorf("the team is %+v (%v)", team, err)
	}
	if who, err := app.AuthTest(); err != nil || who.UserID != slacktest.BotUser {
		t.Errorf("the app is %+v (%v)", who, err)
	}
	s.OpenDirect("U0ANN")
	direct, _, _, err := app.OpenConversation(&slack.OpenConversationParameters{Users: []string{"U0ANN"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := second(app.PostMessage(direct.ID, slack.MsgOptionText("for Ann", false))); err != nil || len(s.Direct("U0ANN")) != 1 {
		t.Error(err)
	}
	if got, err := slack.GetOAuthV2Response(http.DefaultClient, "id", "secret", "code", "", slack.OAuthOptionAPIURL(s.URL+"/api/")); err != nil || got.AccessToken == "" {
		t.Errorf("%+v, %v", got, err)
	}
	s.Revoke(slacktest.BotToken)
	if _, err := app.AuthTest(); code(err) != "invalid_auth" {
		t.Error(err)
	}
}

func TestFaultsAndTiers(t *testing.T) {
	clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s, app := newApp(t, slacktest.Options{Tiers: true, Scopes: []string{"chat:write"}, Now: func() time.Time { return clock }})
	post := func() error { return second(app.PostMessage("C0GAMES", slack.MsgOptionText("x", false))) }
	s.Fail("chat.postMessage", slacktest.Fault{Error: "internal_error"}, slacktest.Fault{RetryAfter: time.Minute}, slacktest.Fault{Lost: true})
	if err := post(); code(err) != "internal_error" {
		t.Error(err)
	}
	if err := post(); !strings.Contains(code(err), "rate limit") {
		t.Error(err)
	}
	if err := post(); err == nil || len(s.Messages("C0GAMES")) != 1 {
		t.Errorf("the answer comes: %v", err)
	}
	s.Refuse("fatal_error", "chat.postMessage")
	for range 3 {
		if err := post(); code(err) != "fatal_error" {
			t.Error(err)
		}
	}
	s.Refuse("", "chat.postMessage")
	if err := post(); err != nil || s.Calls("chat.postMessage") != 7 || s.Requests()["chat.postMessage"] != 7 {
		t.Errorf("%v after %d calls", err, s.Calls("chat.postMessage"))
	}
	if _, err := app.GetUserInfo("U0ANN"); code(err) != "missing_scope" {
		t.Error(err)
	}
	ts := s.Messages("C0GAMES")[0].TS
	edit := func() error {
		_, _, _, err := app.UpdateMessage("C0GAMES", ts, slack.MsgOptionText("y", false))
		return err
	}
	for n := range slacktest.Methods()["chat.update"].Tier {
		if err := edit(); err != nil {
			t.Fatalf("edit %d: %v", n, err)
		}
	}
	if err := edit(); !strings.Contains(code(err), "rate limit") || s.Limited()["chat.update"] != 1 {
		t.Errorf("%v, %v", err, s.Limited())
	}
	clock = clock.Add(time.Minute)
	if err := edit(); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

// TestSocketMode lets users type, press and fill in forms over Socket Mode.
func TestSocketMode(t *testing.T) {
	s, app := newApp(t, slacktest.Options{})
	client := socketmode.New(app, socketmode.OptionLog(log.New(io.Discard, "", 0)))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- client.RunContext(ctx) }()
	heard := make(chan string, 100)
	form := slack.ModalViewRequest{Type: slack.VTModal, Title: slack.NewTextBlockObject("plain_text", "Play", false, false), Submit: slack.NewTextBlockObject("plain_text", "Go", false, false),
		CallbackID: "form", Blocks: slack.Blocks{BlockSet: []slack.Block{pressable("Inside", "in"),
			slack.NewInputBlock("word", slack.NewTextBlockObject("plain_text", "Word", false, false), nil, slack.NewPlainTextInputBlockElement(nil, "word"))}}}
	go func() {
		for e := range client.Events {
			if e.Request == nil || e.Request.EnvelopeID == "" {
				continue
			}
			var payload any
			what := e.Request.Type
			switch d := e.Data.(type) {
			case slack.SlashCommand:
				what = d.Command + " " + d.Text
				var answer bytes.Buffer
				_ = json.NewEncoder(&answer).Encode(map[string]any{"text": "All right."})
				if resp, err := http.Post(d.ResponseURL, "application/json", &answer); err != nil || resp.StatusCode != http.StatusOK {
					t.Errorf("the response_url: %v", err)
				}
				if _, err := app.OpenView(d.TriggerID, form); err != nil {
					t.Error(err)
				}
			case slack.InteractionCallback:
				what = string(d.Type)
				if d.Type == slack.InteractionTypeViewSubmission {
					payload = map[string]any{"response_action": "errors", "errors": map[string]string{"word": "no"}}
				}
			}
			_ = client.Ack(*e.Request, payload)
			heard <- what
		}
	}()
	if !s.Await(func() bool { return s.Connected() == 1 }) {
		t.Fatal("no connection")
	}
	said := func(want string, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if got := <-heard; got != want {
			t.Errorf("it hears %q, want %q", got, want)
		}
	}
	said("/rackmate rack", s.Slash("U0ANN", "C0GAMES", "/rackmate", "rack"))
	if all := s.Private("U0ANN"); len(all) != 1 || all[0].Text != "All right." {
		t.Errorf("Ann is answered %+v", all)
	}
	v, ok := s.Top("U0ANN")
	if !ok || v.Title != "Play" || !strings.Contains(v.Text(), "Word") {
		t.Fatalf("the form is %+v", v)
	}
	mistakes, err := s.Submit(v, map[string]any{"word": "horn"})
	if said("view_submission", err); mistakes["word"] != "no" {
		t.Errorf("the mistakes are %v", mistakes)
	}
	said("block_actions", s.PressIn(v, "Inside", nil))
	if err := second(app.PostMessage("C0GAMES", slack.MsgOptionText("x", false), slack.MsgOptionBlocks(pressable("Join", "x")))); err != nil {
		t.Fatal(err)
	}
	m := s.Messages("C0GAMES")[0]
	said("block_actions", s.Press("U0BOB", m, "Join", nil))
	if err := s.Press("U0BOB", m, "Nothing", nil); err == nil {
		t.Error("a button is pressed that isn't there")
	}
	said("message_action", s.Shortcut("U0BOB", m))
	said("shortcut", s.GlobalShortcut("U0BOB"))
	for _, err := range []error{s.OpenHome("U0ANN"), s.Mention("U0ANN", "C0GAMES", "", "hello")} {
		said("events_api", err)
	}
	if _, err := app.PublishViewContext(context.Background(), slack.PublishViewContextRequest{UserID: "U0ANN", View: slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: []slack.Block{section("Home")}}}}); err != nil {
		t.Error(err)
	}
	if v, ok := s.Home("U0ANN"); !ok || v.Text() != "Home\n" {
		t.Errorf("Ann's page is %+v", v)
	}
	s.Refresh()
	if !s.Await(func() bool { return s.Connections() == 2 }) {
		t.Error("it doesn't connect anew")
	}
	cancel()
	<-ended
	s.Disconnect()
	if err := s.Slash("U0ANN", "C0GAMES", "/rackmate", "rack"); s.Await(func() bool { return s.Connected() == 0 }) && err == nil {
		err = s.Slash("U0ANN", "C0GAMES", "/rackmate", "rack")
		if err == nil {
			t.Error("an app that isn't connected hears")
		}
	}
}

// TestHTTP does the same over signed HTTP requests.
func TestHTTP(t *testing.T) {
	s, _ := newApp(t, slacktest.Options{})
	var paths []string
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		verifier, err := slack.NewSecretsVerifier(r.Header, slacktest.Secret)
		if err == nil {
			_, _ = io.Copy(&verifier, r.Body)
			err = verifier.Ensure()
		}
		if err != nil {
			t.Error(err)
		}
		paths = append(paths, r.URL.Path)
	}))
	defer app.Close()
	s.CallHTTP(app.URL)
	for _, err := range []error{s.Slash("U0ANN", "C0GAMES", "/rackmate", "rack"), s.OpenHome("U0ANN"), s.GlobalShortcut("U0ANN")} {
		if err != nil {
			t.Error(err)
		}
	}
	if want := []string{"/slack/commands", "/slack/events", "/slack/interactivity"}; !slices.Equal(paths, want) {
		t.Errorf("it calls %q", paths)
	}
}
