package slack

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
)

// uploadTime is the time limit for an upload, after which the text is sent without the
// picture.
const uploadTime = 15 * time.Second

var errNotThere = errors.New("an uploaded file has not arrived")

// uploadPicture uploads a picture, and waits as long as it usually takes until it can be shown;
// see retryUntilReady. Without a picture, or if Slack refuses it, it returns "". It uploads a
// picture once for the same use, such as a retried post. Another use gets a file of its
// own, which is deleted with it.
func (g *gallery) uploadPicture(ctx context.Context, h home, use string, p *bot.Picture) (file string) {
	if p == nil || len(p.PNG) == 0 {
		return ""
	}
	key := fmt.Sprintf("%s %s %x", h, use, sha256.Sum256(append([]byte(p.Alt.String()+"\n"), p.PNG...)))
	if file, ok := g.files.get(key); ok {
		return file
	}
	if !g.accepts(h, uploaded) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	file, err := g.upload(ctx, h, upload{name: "rackmate.png", alt: p.Alt.String(), data: p.PNG})
	if err == nil && g.sleep(ctx, g.ready.usualWait()) != nil {
		err = errNotThere
	}
	if err != nil {
		g.recordFailedUpload(h, err)
		return ""
	}
	g.files.add(key, file)
	return file
}

// recordFailedUpload records that a picture couldn't be uploaded.
func (g *gallery) recordFailedUpload(h home, err error) {
	if isAnswer(err) && !isTransient(err) {
		g.refuse(h, uploaded, err)
		return
	}
	g.Log.Warn("can't upload a picture; posting the text without it", "home", h, "error", err)
}

// An upload is a file to upload.
type upload struct {
	name, alt string
	data      []byte
	channel   string // to share it in; "" for none
}

// upload uploads a file in Slack's two steps, and returns its id. It isn't ready yet: see
// retryUntilReady. https://docs.slack.dev/messaging/working-with-files#upload
func (g *gallery) upload(ctx context.Context, h home, u upload) (id string, err error) {
	err = g.web.call(ctx, h, func(api *slack.Client) error {
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

// retryUntilReady sends something that shows a file until Slack accepts it. Slack processes a
// file after the upload, and refuses blocks that show it earlier. Without the scope to
// query files (files:read), there is no other sign.
func (g *gallery) retryUntilReady(ctx context.Context, file string, send func() error) error {
	for tries := 0; ; tries++ {
		err := send()
		if file == "" || isURL(file) {
			return err
		}
		if err == nil && tries == 0 {
			g.ready.shortenWait()
		}
		if !refusesFile(err) || tries == mostTries {
			return err
		}
		if tries == 0 {
			g.ready.lengthenWait()
		}
		if g.sleep(ctx, firstWait<<tries) != nil {
			return err
		}
	}
}

// refusesFile reports whether Slack refused something that shows a file, perhaps because
// the file isn't ready.
func refusesFile(err error) bool {
	var answer answerRefused
	return isError(err, "invalid_blocks", "invalid_arguments") || errors.As(err, &answer) && answer != http.StatusNotFound
}

const (
	firstWait = 1200 * time.Millisecond
	leastWait = 300 * time.Millisecond
	mostTries = 3 // to show a file, after the first try
)

// A delay learns how long files take until they can be shown.
type delay struct {
	mu sync.Mutex
	d  time.Duration
}

// usualWait returns how long to wait before a file is shown.
func (x *delay) usualWait() time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	return cmp.Or(x.d, firstWait)
}

// shortenWait records that a file was ready after the usual wait, and shortens the wait a
// little.
func (x *delay) shortenWait() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.d = max(cmp.Or(x.d, firstWait)*31/32, leastWait)
}

// lengthenWait records that a file wasn't ready. Each such try costs a call, so it doubles the
// wait.
func (x *delay) lengthenWait() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.d = min(2*cmp.Or(x.d, firstWait), 2*firstWait)
}

// deletePicture deletes a file that no post shows any more.
func (g *gallery) deletePicture(ctx context.Context, h home, file string) {
	g.files.forget(file)
	err := g.web.call(ctx, h, func(api *slack.Client) error { return api.DeleteFileContext(ctx, file) })
	if err != nil && !isError(err, "file_not_found", "file_deleted") {
		g.Log.Info("can't delete a picture", "home", h, "file", file, "error", err)
	}
}

// answersShelf stores, by player, the files of the pictures of their latest answers.
const answersShelf = "answers"

// mostAnswers is the number of a person's answers that keep their pictures.
const mostAnswers = 3

// answerPicture uploads the picture of an answer, and deletes an earlier answer's.
func (g *gallery) answerPicture(ctx context.Context, who member, p *bot.Picture) string {
	file := g.uploadPicture(ctx, who.home, "answer "+who.id, p)
	if file == "" {
		return ""
	}
	defer g.answers.Lock(string(who.player()))()
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
		g.Log.Error("can't record an answer's picture", "user", who.id, "error", err)
		return file
	}
	for _, f := range old {
		g.deletePicture(ctx, who.home, f)
	}
	return file
}

// answersOf returns the files of a person's answers, latest last.
func (g *gallery) answersOf(ctx context.Context, who member) ([]string, error) {
	b, err := g.Notes.Get(ctx, answersShelf, string(who.player()))
	return strings.Fields(string(b)), err
}
