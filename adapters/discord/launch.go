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

// This file is how the Activity is opened: by its entry point, by a button under a board
// or a rack, and by a link. Discord takes nothing along that a button says, so the table
// is noted until the frame asks for it.

// launchShelf has, by channel, the launch of an Activity there.
const launchShelf = "launches"

// A launch is what is known of the Activity in a channel since somebody opened it there.
type launch struct {
	V        int       `json:"v"`
	Instance string    `json:"instance,omitempty"` // what Discord calls it, where it said so
	At       time.Time `json:"at"`
	// Meant are the tables under which people pressed Play, by who did.
	Meant map[snowflake]meant `json:"meant,omitempty"`
}

// A meant is the table that somebody means.
type meant struct {
	Table bot.TableID `json:"table"`
	At    time.Time   `json:"at"`
}

// meantLife is how long somebody may take from the button to the frame.
const meantLife = 5 * time.Minute

// launchLife is how long the latest launch in a channel is known.
const launchLife = 24 * time.Hour

// launches are those of all channels.
type launches struct{ *common }

// mean notes which table somebody means, 0 for the channel's own.
func (l launches) mean(ctx context.Context, channel, who snowflake, table bot.TableID) error {
	return l.change(ctx, channel, func(now *launch) {
		for id, m := range now.Meant {
			if age := l.Now().Sub(m.At); id == who || age < 0 || age >= meantLife {
				delete(now.Meant, id)
			}
		}
		if now.At = l.Now(); table != 0 {
			if now.Meant == nil {
				now.Meant = map[snowflake]meant{}
			}
			now.Meant[who] = meant{table, now.At}
		}
	})
}

// began notes what Discord calls the instance that it has opened in a channel.
func (l launches) began(ctx context.Context, channel snowflake, instance string) error {
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

// letGo forgets the launches that are long over.
func (l launches) letGo(ctx context.Context) error {
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

// of is the launch in a channel, the zero launch where there was none.
func (l launches) of(ctx context.Context, channel snowflake) (known launch, err error) {
	_, err = notes.Read(ctx, l.Notes, launchShelf, string(channel), &known)
	return known, err
}

// meantBy is the table that somebody means who enters in a channel now, 0 where they
// didn't say.
func (l launches) meantBy(ctx context.Context, channel, who snowflake) (bot.TableID, error) {
	known, err := l.of(ctx, channel)
	m, said := known.Meant[who]
	if age := l.Now().Sub(m.At); err != nil || !said || age < 0 || age >= meantLife {
		return 0, err
	}
	return m.Table, nil
}

// forget removes from all channels what somebody meant.
func (l launches) forget(ctx context.Context, who snowflake) error {
	return notes.ReadEachOf(ctx, l.Notes, launchShelf, "", func(channel string, known launch) error {
		if _, said := known.Meant[who]; !said {
			return nil
		}
		return l.change(ctx, snowflake(channel), func(now *launch) { delete(now.Meant, who) })
	})
}

// launch opens the frame for somebody who used the entry point.
func (in *inbox) launch(ctx context.Context, i *interaction, first responder) error {
	if !in.hasActivity() {
		return first(ctx, in.immediate(ctx, i, in.refusal(ctx, i, text.Say("The board isn't turned on here. Whoever runs this host can turn it on. Meanwhile, {board} shows the game.", text.Code("/board"))), false))
	}
	in.arrive(context.WithoutCancel(ctx), i)
	err := in.openFrame(ctx, i, 0, first)
	if refusedForGood(err) {
		in.Log.Error("Discord doesn't open the Activity; in the developer portal look whether Activities are on, under Activities, Settings", "error", err)
		return first(ctx, in.immediate(ctx, i, in.refusal(ctx, i, text.Say("Discord can't open the board here. {board} shows the game.", text.Code("/board"))), false))
	}
	return err
}

// openFrame has Discord open the frame for whoever made an interaction, at a table; 0 is
// the channel's own.
func (in *inbox) openFrame(ctx context.Context, i *interaction, table bot.TableID, first responder) error {
	id, _ := userID(i.who().ID)
	if err := in.launches.mean(context.WithoutCancel(ctx), i.Channel, id, table); err != nil {
		in.Log.Error("can't note which table is meant; the Activity opens at the channel's", "channel", i.Channel, "error", err)
	}
	return first(ctx, response{Type: launchActivity})
}

// launchedBy reads from the answer to a launch which instance it opened, or joined.
func launchedBy(answer []byte) string {
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

// Front is a link that opens the Activity at a table, by the key of the table's page; ""
// while it isn't known which application this is. See [bot.Platform].
func (a *activity) front(key string) string {
	app := a.app.Load()
	if app == nil || !a.hasActivity() {
		return ""
	}
	return "https://discord.com/activities/" + string(app.ID) + "?" + url.Values{"custom_id": {key}}.Encode()
}

// maxLinkText is how much the title and the description of a link say.
const maxLinkText = 100

// Share makes a link with a picture for somebody, by their own token; see [bot.Activity].
// Discord keeps it for 30 days.
func (a *activity) Share(ctx context.Context, access string, s bot.Shared) (link string, err error) {
	app := a.app.Load()
	if app == nil || !a.hasActivity() || !isAccess(access) {
		return "", bot.ErrNotPresent
	}
	picture, err := inLinkShape(s.PNG)
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
		return "", notPresent(err)
	}
	if made.Link == "" {
		return "", errors.New("share a link: Discord gave it no id")
	}
	return made.Link, nil
}
