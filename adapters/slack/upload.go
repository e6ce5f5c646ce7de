package slack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
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
// where there is none, or it can't be had: the words say what is on it. For the
// same use, such as a post that is tried again, it is uploaded once; another
// use has a file of its own, for each is deleted when its time is over.
func (a *Adapter) picture(ctx context.Context, h home, use string, p *bot.Picture) (file string) {
	if p == nil || len(p.PNG) == 0 {
		return ""
	}
	key := fmt.Sprintf("%s %s %x", h, use, sha256.Sum256(append([]byte(p.Alt.String()+"\n"), p.PNG...)))
	if file, ok := a.files.get(key); ok {
		return file
	}
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	file, err := a.upload(ctx, h, uploading{name: "rackmate.png", alt: p.Alt.String(), data: p.PNG})
	if err == nil {
		err = a.awaitPicture(ctx, h, file)
	}
	if err != nil {
		a.Log.Warn("can't upload a picture; the words go without it", "home", h, "error", err)
		return ""
	}
	a.files.add(key, file)
	return file
}

// An uploading is a file on its way.
type uploading struct {
	name, alt string
	data      []byte
	channel   string // to be shared in, or none
}

// upload sends a file in Slack's two steps, and returns its id. It is not there
// yet: see awaitPicture. https://docs.slack.dev/messaging/working-with-files#upload
func (a *Adapter) upload(ctx context.Context, h home, u uploading) (id string, err error) {
	err = a.call(ctx, h, func(api *slack.Client) error {
		to, err := api.GetUploadURLExternalContext(ctx, slack.GetUploadURLExternalParameters{FileName: u.name, FileSize: len(u.data), AltTxt: cut(u.alt, 1000)})
		if err != nil {
			return fmt.Errorf("begin an upload: %w", err)
		}
		id = to.FileID
		if err := api.UploadToURL(ctx, slack.UploadToURLParameters{UploadURL: to.UploadURL, Filename: u.name, Reader: bytes.NewReader(u.data)}); err != nil {
			return fmt.Errorf("upload: %w", err)
		}
		_, err = api.CompleteUploadExternalContext(ctx, slack.CompleteUploadExternalParameters{Files: []slack.FileSummary{{ID: id, Title: u.name}}, Channel: u.channel})
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
func (a *Adapter) awaitPicture(ctx context.Context, h home, file string) error {
	waited, first := time.Duration(0), a.readyAfter.usual()
	if first > 0 && !a.wait(ctx, first) {
		return errNotThere
	}
	waited = first
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		var info *slack.File
		err := a.call(ctx, h, func(api *slack.Client) (err error) {
			info, _, _, err = api.GetFileInfoContext(ctx, file, 0, 0)
			return err
		})
		switch {
		case err == nil && info.Mimetype != "":
			a.readyAfter.note(waited, first)
			return nil
		case err != nil && !isError(err, "file_not_found") && retryAfter(err) == 0:
			return fmt.Errorf("look at an upload: %w", err)
		}
		pause := max(wait, retryAfter(err))
		if waited += pause; waited > uploadTime || !a.wait(ctx, pause) {
			return errNotThere
		}
	}
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
func (a *Adapter) deletePicture(ctx context.Context, h home, file string) {
	a.files.forget(file)
	err := a.call(ctx, h, func(api *slack.Client) error { return api.DeleteFileContext(ctx, file) })
	if err != nil && !isError(err, "file_not_found", "file_deleted") {
		a.Log.Info("can't delete a picture", "home", h, "file", file, "error", err)
	}
}
