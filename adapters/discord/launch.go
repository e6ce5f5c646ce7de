package discord

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// This file opens the Activity: by its entry point, by a button under a board or a rack,
// and by a link. Discord passes no information from a button to the frame, so the table is
// stored until the frame requests it.

// launchShelf stores, by channel, the latest launch of an Activity.
const launchShelf = "launches"

// A launch is the state of the Activity in a channel since it was last opened there.
type launch struct {
	V        int       `json:"v"`
	Instance string    `json:"instance,omitempty"` // Discord's id of the instance, if known
	At       time.Time `json:"at"`
	// Targets holds the table that each user wants to open, because they pressed Play
	// under it.
	Targets map[snowflake]launchTarget `json:"meant,omitempty"`
}

// A launchTarget is the table that a user wants to open.
type launchTarget struct {
	Table bot.TableID `json:"table"`
	At    time.Time   `json:"at"`
}

// targetLife limits the time between a user's press of the button and the opening of the
// frame.
const targetLife = 5 * time.Minute

// launchLife limits how long the latest launch in a channel is kept.
const launchLife = 24 * time.Hour

// launches stores the launches of all channels.
type launches struct{ *common }

// setTarget records which table a user wants to open; 0 means the channel's own.
func (l launches) setTarget(ctx context.Context, channel, who snowflake, table bot.TableID) error {
	return l.change(ctx, channel, func(now *launch) {
		for id, m := range now.Targets {
			if age := l.Now().Sub(m.At); id == who || age < 0 || age >= targetLife {
				delete(now.Targets, id)
			}
		}
		if now.At = l.Now(); table != 0 {
			if now.Targets == nil {
				now.Targets = map[snowflake]launchTarget{}
			}
			now.Targets[who] = launchTarget{table, now.At}
		}
	})
}

// recordInstance records Discord's id of the instance opened in a channel.
func (l launches) recordInstance(ctx context.Context, channel snowflake, instance string) error {
	return l.change(ctx, channel, func(now *launch) { now.Instance, now.At = instance, l.Now() })
}

func (l launches) change(ctx context.Context, channel snowflake, fn func(*launch)) error {
	return l.Notes.Change(ctx, func(rows bot.Rows) error {
		var now launch
		if _, err := notes.Get(rows, launchShelf, string(channel), &now); err != nil {
			return err
		}
		fn(&now)
		now.V = 1
		return notes.Put(rows, launchShelf, string(channel), now)
	})
}

// removeOld deletes launches older than launchLife.
func (l launches) removeOld(ctx context.Context) error {
	over := func(at time.Time) bool { return l.Now().Sub(at) >= launchLife }
	return notes.ReadEachOf(ctx, l.Notes, launchShelf, "", func(channel string, known launch) error {
		if !over(known.At) {
			return nil
		}
		return l.Notes.Change(ctx, func(rows bot.Rows) error {
			var now launch
			if had, err := notes.Get(rows, launchShelf, channel, &now); err != nil || !had || !over(now.At) {
				return err
			}
			return rows.Put(launchShelf, channel, nil)
		})
	})
}

// find returns the launch in a channel, or the zero launch if there is none.
func (l launches) find(ctx context.Context, channel snowflake) (known launch, err error) {
	_, err = notes.Read(ctx, l.Notes, launchShelf, string(channel), &known)
	return known, err
}

// tableFor returns the table that a user who enters in a channel wants to open, or 0 if they
// didn't choose one.
func (l launches) tableFor(ctx context.Context, channel, who snowflake) (bot.TableID, error) {
	known, err := l.find(ctx, channel)
	m, said := known.Targets[who]
	if age := l.Now().Sub(m.At); err != nil || !said || age < 0 || age >= targetLife {
		return 0, err
	}
	return m.Table, nil
}

// forget removes a user's choices from all channels.
func (l launches) forget(ctx context.Context, who snowflake) error {
	return notes.ReadEachOf(ctx, l.Notes, launchShelf, "", func(channel string, known launch) error {
		if _, said := known.Targets[who]; !said {
			return nil
		}
		return l.change(ctx, snowflake(channel), func(now *launch) { delete(now.Targets, who) })
	})
}

// launch opens the frame for a user who chose the entry point.
func (in *inbox) launch(ctx context.Context, i *interaction, first responder) error {
	if !in.hasActivity() {
		return first(ctx, in.immediate(ctx, i, in.refusal(ctx, i, text.Say("The board isn't turned on here. Whoever runs this host can turn it on. Meanwhile, {board} shows the game.", text.Code("/board"))), false))
	}
	in.recordUse(context.WithoutCancel(ctx), i)
	err := in.openFrame(ctx, i, 0, first)
	if isLastingRefusal(err) {
		in.Log.Error("Discord doesn't open the Activity; check in the developer portal that Activities are on, under Activities, Settings", "error", err)
		return first(ctx, in.immediate(ctx, i, in.refusal(ctx, i, text.Say("Discord can't open the board here. {board} shows the game.", text.Code("/board"))), false))
	}
	return err
}

// openFrame makes Discord open the frame at a table for the author of an interaction; 0
// means the channel's own.
func (in *inbox) openFrame(ctx context.Context, i *interaction, table bot.TableID, first responder) error {
	id, _ := userID(i.author().ID)
	if err := in.launches.setTarget(context.WithoutCancel(ctx), i.Channel, id, table); err != nil {
		in.Log.Error("can't record the table for an Activity; it opens at the channel's", "channel", i.Channel, "error", err)
	}
	return first(ctx, response{Type: launchActivity})
}

// launchInstance extracts the instance that a launch opened or joined from its answer.
func launchInstance(answer []byte) string {
	var said struct {
		Resource struct {
			Instance struct {
				ID string `json:"id"`
			} `json:"activity_instance"`
		} `json:"resource"`
	}
	if json.Unmarshal(answer, &said) != nil || !isInstance(said.Resource.Instance.ID) {
		return ""
	}
	return said.Resource.Instance.ID
}

// frontLink returns a link that opens the Activity at a table, by the key of the table's page.
// While the application is unknown, it returns "". See [bot.Platform].
func (a *activity) frontLink(key string) string {
	app := a.app.Load()
	if app == nil || !a.hasActivity() {
		return ""
	}
	return "https://discord.com/activities/" + string(app.ID) + "?" + url.Values{"custom_id": {key}}.Encode()
}

// maxLinkText is the longest title or description of a link, in characters.
const maxLinkText = 100

// Share creates a link with a picture for a user, with their own token; see [bot.Activity].
// Discord keeps it for 30 days.
func (a *activity) Share(ctx context.Context, access string, s bot.SharedPicture) (link string, err error) {
	app := a.app.Load()
	if app == nil || !a.hasActivity() || !isAccess(access) {
		return "", bot.ErrNotPresent
	}
	picture, err := padToLinkShape(s.PNG)
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(map[string]string{
		"custom_id": s.Custom, "title": cut(s.Title, maxLinkText), "description": cut(s.Description, maxLinkText),
		"image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture),
	})
	if err != nil {
		return "", err
	}
	var made struct {
		Link string `json:"link_id"`
	}
	if err := a.client.open(ctx, "POST", "/applications/"+string(app.ID)+"/quick-links/", access, jsonBody(body), &made); err != nil {
		return "", asNotPresent(err)
	}
	if made.Link == "" {
		return "", errors.New("share a link: Discord gave it no id")
	}
	return made.Link, nil
}
