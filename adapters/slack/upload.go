package slack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
)

// uploadTime is how long a picture may take to arrive, after which the words
// go without it.
const uploadTime = 15 * time.Second

var errNotThere = errors.New("an uploaded file has not arrived")

// picture uploads a picture, and waits until it can be shown. It returns ""
// where there is none, or it can't be had. For the
// same use, such as a post that is tried again, it is uploaded once; another
// use has a file of its own, for each is deleted when its time is over.
func (g *gallery) picture(ctx context.Context, h home, use string, p *bot.Picture) (file string) {
	return g.once(ctx, h, use, p, func(ctx context.Context, u uploading) (string, error) {
		file, err := g.upload(ctx, h, u)
		if err == nil {
			err = g.awaitPicture(ctx, h, file)
		}
		return file, err
	})
}

// share is picture, where Slack shows none in posts: the file is posted by itself.
func (g *gallery) share(ctx context.Context, at place, use string, p *bot.Picture) (file string) {
	return g.once(ctx, at.home, "shared "+use, p, func(ctx context.Context, u uploading) (string, error) {
		u.channel, u.thread = at.channel, at.thread
		file, err := g.upload(ctx, at.home, u)
		return sharedMark + file, err
	})
}

func (g *gallery) once(ctx context.Context, h home, use string, p *bot.Picture, upload func(context.Context, uploading) (string, error)) (file string) {
	if p == nil || len(p.PNG) == 0 {
		return ""
	}
	key := fmt.Sprintf("%s %s %x", h, use, sha256.Sum256(append([]byte(p.Alt.String()+"\n"), p.PNG...)))
	if file, ok := g.files.get(key); ok {
		return file
	}
	if _, barred := g.barred.get(string(h)); barred {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	file, err := upload(ctx, uploading{name: "rackmate.png", alt: p.Alt.String(), data: p.PNG})
	if err != nil {
		g.Log.Warn("can't upload a picture; the words go without it", "home", h, "error", err)
		if answered(err) && !passes(err) {
			g.barred.add(string(h), "")
		}
		return ""
	}
	g.files.add(key, file)
	return file
}

// An uploading is a file on its way.
type uploading struct {
	name, alt string
	data      []byte
	channel   string // to be shared in, or none
	thread    string // of it
}

// upload sends a file in Slack's two steps, and returns its id. It is not there
// yet: see awaitPicture. https://docs.slack.dev/messaging/working-with-files#upload
func (g *gallery) upload(ctx context.Context, h home, u uploading) (id string, err error) {
	err = g.web.call(ctx, h, func(api *slack.Client) error {
		to, err := api.GetUploadURLExternalContext(ctx, slack.GetUploadURLExternalParameters{FileName: u.name, FileSize: len(u.data), AltTxt: cut(u.alt, 1000)})
		if err != nil {
			return fmt.Errorf("begin an upload: %w", err)
		}
		id = to.FileID
		if err := api.UploadToURL(ctx, slack.UploadToURLParameters{UploadURL: to.UploadURL, Filename: u.name, Reader: bytes.NewReader(u.data)}); err != nil {
			return fmt.Errorf("upload: %w", err)
		}
		_, err = api.CompleteUploadExternalContext(ctx, slack.CompleteUploadExternalParameters{Files: []slack.FileSummary{{ID: id, Title: u.name}}, Channel: u.channel, ThreadTimestamp: u.thread})
		if err != nil {
			return fmt.Errorf("finish an upload: %w", err)
		}
		return nil
	})
	return id, err
}

// awaitPicture waits until a picture can be shown. Slack looks at a file after the
// upload has been finished, and refuses blocks with it before
// (invalid_blocks): it is ready when it has a type. It is asked when pictures
// have been ready of late, so that once is enough.
func (g *gallery) awaitPicture(ctx context.Context, h home, file string) error {
	if _, blind := g.blind.get(string(h)); blind {
		return g.awaitBlindly(ctx)
	}
	waited, first := time.Duration(0), g.ready.usual()
	if first > 0 && !g.wait(ctx, first) {
		return errNotThere
	}
	waited = first
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		var info *slack.File
		err := g.web.call(ctx, h, func(api *slack.Client) (err error) {
			info, _, _, err = api.GetFileInfoContext(ctx, file, 0, 0)
			return err
		})
		switch {
		case err == nil && info.Mimetype != "":
			g.ready.note(waited, first)
			return nil
		case isError(err, "missing_scope"):
			g.blind.add(string(h), "")
			return g.awaitBlindly(ctx)
		case err != nil && !isError(err, "file_not_found") && retryAfter(err) == 0:
			return fmt.Errorf("look at an upload: %w", err)
		}
		pause := max(wait, retryAfter(err))
		if waited += pause; waited > uploadTime || !g.wait(ctx, pause) {
			return errNotThere
		}
	}
}

// awaitBlindly waits as long as a file usually takes, where the app has no leave to look
// (files:read): whether it is there is seen when it is shown.
func (g *gallery) awaitBlindly(ctx context.Context) error {
	if !g.wait(ctx, blindWait) {
		return errNotThere
	}
	return nil
}

const (
	blindWait  = 1200 * time.Millisecond
	blindTries = 3 // to show a file, after the first
)

// comes waits for a file that Slack refused to show, where it may not be there yet. It
// reports false where waiting longer is no use.
func (g *gallery) comes(ctx context.Context, h home, file string, tries int) bool {
	_, blind := g.blind.get(string(h))
	return blind && !byURL(file) && !isShared(file) && tries < blindTries && g.wait(ctx, blindWait<<tries)
}

// A delay learns how long something takes.
type delay struct {
	mu sync.Mutex
	d  time.Duration
}

// mostUsual is how long the first look waits at most: people wait too.
const mostUsual = time.Second

// usual is how long to wait before the first look.
func (x *delay) usual() time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.d
}

// note says how long it took, when the first look came after a time. A little
// less is tried when the first look was enough.
func (x *delay) note(took, first time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if took == first {
		x.d = first * 15 / 16
	} else {
		x.d = min(took, mostUsual)
	}
}

// deletePicture deletes a file that no post shows any more.
func (g *gallery) deletePicture(ctx context.Context, h home, file string) {
	g.files.forget(file)
	file = strings.TrimPrefix(file, sharedMark)
	err := g.web.call(ctx, h, func(api *slack.Client) error { return api.DeleteFileContext(ctx, file) })
	if err != nil && !isError(err, "file_not_found", "file_deleted") {
		g.Log.Info("can't delete a picture", "home", h, "file", file, "error", err)
	}
}

// answersShelf, of Slack's notes, has by player the files of the pictures of
// their latest answers.
const answersShelf = "answers"

// mostAnswers is how many of somebody's answers keep their pictures.
const mostAnswers = 3

// answerPicture uploads the picture of an answer, and deletes that of an earlier
// one.
func (g *gallery) answerPicture(ctx context.Context, who member, p *bot.Picture) string {
	file := g.picture(ctx, who.home, "answer "+who.id, p)
	if file == "" {
		return ""
	}
	defer g.answers.lock(string(who.player()))()
	var old []string
	if err := g.Notes.Change(context.WithoutCancel(ctx), func(rows bot.Rows) error {
		b, err := rows.Get(answersShelf, string(who.player()))
		files := strings.Fields(string(b))
		if old = nil; err != nil || slices.Contains(files, file) {
			return err
		}
		files = append(files, file)
		n := max(len(files)-mostAnswers, 0)
		old = files[:n]
		return rows.Put(answersShelf, string(who.player()), []byte(strings.Join(files[n:], " ")))
	}); err != nil {
		g.Log.Error("can't note the picture of an answer", "user", who.id, "error", err)
		return file
	}
	for _, f := range old {
		g.deletePicture(ctx, who.home, f)
	}
	return file
}

// answersOf are the files of somebody's answers, the latest last.
func (g *gallery) answersOf(ctx context.Context, who member) ([]string, error) {
	b, err := g.Notes.Get(ctx, answersShelf, string(who.player()))
	return strings.Fields(string(b)), err
}
