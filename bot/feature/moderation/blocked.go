package moderation

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// blockedKind is the kind of the posts that tell managers where the bot may not post.
const blockedKind = "blocked"

// tellBlocked tells the managers of a home that posts are refused in one of its channels.
func (f *Feature) tellBlocked(ctx context.Context, post bot.Post) error {
	home, err := f.settings.HomeOf(ctx, post.Channel)
	if err != nil || home == "" {
		return err
	}
	all, err := moderatedPlace{home: home}.activeManagers(ctx, f, post.Channel)
	if err != nil {
		return err
	}
	var posts []bot.Post
	for _, r := range all {
		posts = append(posts, bot.Post{For: game.PlayerID(r.key), Kind: blockedKind, At: f.desk.Now().UTC()})
	}
	if len(posts) == 0 {
		return nil
	}
	return feature.Once(ctx, f.desk, post.Channel, fmt.Sprint("blocked:", post.ID), func(r *feature.Room) { r.Post(posts...) })
}

// blockedMessage writes the direct message that tells a manager what keeps the bot from posting. It
// isn't needed if that has been fixed.
func (f *Feature) blockedMessage(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	why := feature.Obstacle(ctx, f.desk, post.Channel)
	if why == nil {
		return m, feature.ErrNothingToTell
	}
	m.To, m.Text = &bot.User{ID: post.For}, text.Sentences(text.Say("A game is waiting."), why)
	return m, nil
}
