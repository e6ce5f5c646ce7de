package discordtest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
)

// A to redirects discordgo's requests to a stand-in, because discordgo's addresses are
// fixed at its start.
type to struct{ at *url.URL }

func (t to) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host = t.at.Scheme, t.at.Host
	req.URL.Path = strings.Replace(req.URL.Path, "/api/v9/", "/api/v10/", 1)
	return http.DefaultTransport.RoundTrip(req)
}

// TestDiscordgoRunsAgainstStandIn runs discordgo's own client and gateway against the stand-in: it
// connects, registers a command, answers it at once and later, handles buttons and forms,
// posts, edits and deletes, and reconnects.
func TestDiscordgoRunsAgainstStandIn(t *testing.T) {
	discordgo.APIVersion = "10" // version of the gateway when dialling
	d := discordtest.New(t)
	club := d.Guild("club")
	general, ann := club.Channel("general"), d.User("Ann")
	at, err := url.Parse(d.URL)
	if err != nil {
		t.Fatal(err)
	}
	s, err := discordgo.New("Bot " + discordtest.Token)
	if err != nil {
		t.Fatal(err)
	}
	s.Client = &http.Client{Transport: to{at}, Timeout: 20 * time.Second}
	s.Identify.Intents = discordgo.IntentsGuilds
	respond := func(i *discordgo.Interaction, kind discordgo.InteractionResponseType, data *discordgo.InteractionResponseData) {
		if err := s.InteractionRespond(i, &discordgo.InteractionResponse{Type: kind, Data: data}); err != nil {
			t.Errorf("respond to %v: %v", i.Type, err)
		}
	}
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.InteractionCreate) {
		switch e.Type {
		case discordgo.InteractionApplicationCommand:
			if len(e.ApplicationCommandData().Options) > 0 {
				respond(e.Interaction, discordgo.InteractionResponseDeferredChannelMessageWithSource, &discordgo.InteractionResponseData{Flags: discordgo.MessageFlagsEphemeral})
				content := "Later"
				if _, err := s.InteractionResponseEdit(e.Interaction, &discordgo.WebhookEdit{Content: &content}); err != nil {
					t.Errorf("edit: %v", err)
				}
				return
			}
			respond(e.Interaction, discordgo.InteractionResponseChannelMessageWithSource, &discordgo.InteractionResponseData{
				Content: "Pong",
				Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
					discordgo.Button{Label: "Again", CustomID: "again", Style: discordgo.PrimaryButton},
				}}},
			})
		case discordgo.InteractionMessageComponent:
			respond(e.Interaction, discordgo.InteractionResponseUpdateMessage, &discordgo.InteractionResponseData{Content: "Pong again"})
		case discordgo.InteractionApplicationCommandAutocomplete:
			respond(e.Interaction, discordgo.InteractionApplicationCommandAutocompleteResult, &discordgo.InteractionResponseData{
				Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "One", Value: "1"}},
			})
		}
	})
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	d.Gateway.Connected(1, 1, 0)
	if _, err := s.ApplicationCommandBulkOverwrite(discordtest.ApplicationID, "", []*discordgo.ApplicationCommand{{
		Name: "ping", Description: "Says pong",
		Options: []*discordgo.ApplicationCommandOption{{Type: discordgo.ApplicationCommandOptionString, Name: "when", Description: "When", Autocomplete: true}},
	}}); err != nil {
		t.Fatal(err)
	}

	pong := ann.Gives(general, "ping").Answer()
	if pong.Content != "Pong" || pong.Private() {
		t.Errorf("told %q", pong.Content)
	}
	if got := ann.Presses(pong, "Again").Answer(); got.Content != "Pong again" {
		t.Errorf("told %q when pressing", got.Content)
	}
	if got := ann.Gives(general, "ping", "when", "later").Answer(); got.Content != "Later" || !got.Private() {
		t.Errorf("told %q later", got.Content)
	}
	if got := ann.Types(general, "ping", "when", "when", ""); len(got) != 1 || got[0].Value != "1" {
		t.Errorf("offered %v", got)
	}

	m, err := s.ChannelMessageSend(general.ID, "Hello <@"+ann.ID+">")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChannelMessageEdit(general.ID, m.ID, "Bye"); err != nil {
		t.Error(err)
	}
	said := general.Posts(2)[1]
	if said.Content != "Bye" || len(said.Pings) != 1 || said.Edited != 1 {
		t.Errorf("posted %q, edited %d times, pinging %v", said.Content, said.Edited, said.Pings)
	}
	if err := s.ChannelMessageDelete(general.ID, m.ID); err != nil {
		t.Error(err)
	}
	dm, err := s.UserChannelCreate(ann.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChannelFileSend(dm.ID, "rack.txt", strings.NewReader("A B C")); err != nil {
		t.Error(err)
	}
	if got := ann.DM().Posts(1)[0]; len(got.Files) != 1 || got.Files[0].Name != "rack.txt" {
		t.Errorf("%d files in the direct message", len(got.Files))
	}
	if _, err := s.MessageThreadStart(general.ID, pong.ID, "Talk", 60); err != nil {
		t.Error(err)
	}

	d.Gateway.Drop()
	d.Gateway.Connected(1, 1, 1)
	if got := ann.Gives(general, "ping").Answer(); got.Content != "Pong" {
		t.Errorf("told %q after the connection was gone", got.Content)
	}
	general.Grant(0)
	if _, err := s.ChannelMessageSend(general.ID, "Hello"); err == nil {
		t.Error("posted where the bot may not")
	}
}
