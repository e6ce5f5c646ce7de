package slack

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/slack-go/slack"
)

// Diagnose checks the settings with Slack: the bot's token and scopes, the socket, and if
// to is a member (U0123ABCD), whether a message with a picture reaches their direct
// messages. It calls tell for each check, with the finding or with an error that says what
// to do.
func (a *Adapter) Diagnose(ctx context.Context, to string, tell func(check, said string, err error)) {
	if a.BotToken == "" {
		tell("slack token", "many workspaces: each brings its own token when it installs the app", nil)
	} else {
		api := a.web.newClient(a.BotToken)
		t, err := api.AuthTestContext(ctx)
		if err != nil {
			tell("slack token", "", explainToken("SLACK_BOT_TOKEN", err))
			return
		}
		tell("slack token", fmt.Sprintf("%s in %s", t.User, t.Team), nil)
		tell("slack scopes", "all that the app asks for", missingScopes(t.Header))
		if to != "" {
			tell("slack picture", "sent to "+to+": look at it there", a.sendTrial(ctx, api, homeOf(t.EnterpriseID, t.TeamID, t.TeamID == "" || t.TeamID == t.EnterpriseID), to))
		}
	}
	if a.AppToken == "" {
		tell("slack socket", "no SLACK_APP_TOKEN: Slack posts to the host over HTTP", nil)
		return
	}
	_, _, err := a.web.newClient(a.BotToken).StartSocketModeContext(ctx)
	if errors.Is(err, slack.ErrInvalidConfiguration) {
		err = errors.New("SLACK_APP_TOKEN isn't an app token: it must begin with xapp-")
	}
	tell("slack socket", "Slack offers a connection", explainToken("SLACK_APP_TOKEN", err))
}

// sendTrial sends a member a message with a picture.
func (a *Adapter) sendTrial(ctx context.Context, api *slack.Client, h home, to string) error {
	if !strings.HasPrefix(to, "U") && !strings.HasPrefix(to, "W") {
		return fmt.Errorf("--to can't be %q: it is the id of a member, such as U0123ABCD: on Slack, Profile, the three dots, Copy member ID", to)
	}
	a.tokens.setOwnHome(h)
	channel, _, _, err := api.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{to}})
	if err != nil {
		return fmt.Errorf("open direct messages with %s: %w", to, explainToken("SLACK_BOT_TOKEN", err))
	}
	file, err := a.pictures.upload(ctx, h, upload{name: "rackmate.png", alt: "Rackmate", data: welcomePNG})
	if err != nil {
		return explainToken("SLACK_BOT_TOKEN", err)
	}
	return a.pictures.retryUntilReady(ctx, file, func() error {
		_, _, err := api.PostMessageContext(ctx, channel.ID, slack.MsgOptionText("A trial by rackmate doctor.", false),
			slack.MsgOptionBlocks(&slack.ImageBlock{Type: slack.MBTImage, SlackFile: &slack.SlackFileObject{ID: file}, AltText: "Tiles that spell RACKMATE"}))
		return err
	})
}
