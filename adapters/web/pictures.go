package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// A storedPicture is the part of a picture that is stored with its line: its text, and its
// size for the page's layout. The host draws it again for each browser. Without a size,
// only the text is shown.
type storedPicture struct {
	Alt    string `json:"alt"`
	Width  int    `json:"width,omitempty"`
	Height int    `json:"height,omitempty"`
}

// A picture holds a picture's address and description.
type picture struct {
	Src    string `json:"src,omitempty"`  // "" if there is only the text
	Dark   string `json:"dark,omitempty"` // for a dark screen, if the page can choose
	Alt    string `json:"alt"`
	Width  int    `json:"width"` // pixels; 0 if unknown
	Height int    `json:"height"`
}

func stored(p bot.Picture) *storedPicture {
	if p.PNG == nil {
		return &storedPicture{p.Alt.String(), p.Size.X, p.Size.Y}
	}
	w, h := pictureSize(p.PNG)
	return &storedPicture{p.Alt.String(), w, h}
}

// pictureSize returns a PNG's size in pixels, or 0 if b isn't a PNG. It reads only the
// header, where the size is always at the same place.
func pictureSize(b []byte) (width, height int) {
	if len(b) < 24 || string(b[12:16]) != "IHDR" {
		return 0, 0
	}
	return int(binary.BigEndian.Uint32(b[16:])), int(binary.BigEndian.Uint32(b[20:]))
}

// picture returns the picture of the line with number n in a stream, or nil.
func (l storedLine) picture(s stream, n uint64) *picture {
	p := l.Picture
	if p == nil {
		return nil
	}
	shown := &picture{Alt: p.Alt, Width: p.Width, Height: p.Height}
	if p.Width > 0 {
		shown.Src = "/pictures/" + string(s) + "/" + l.pictureFile(n)
		shown.Dark = shown.Src + "?dark"
	}
	return shown
}

// pictureFile returns the file name of the picture of line n. Browsers cache it forever, so
// the name includes the time, in case the room is set up again with the same numbers.
func (l storedLine) pictureFile(n uint64) string {
	return fmt.Sprintf("%d-%d.png", n, l.At.UnixMilli())
}

// inline returns a picture as a data URL, since private answers aren't stored.
func inline(p *bot.Picture) *picture {
	if p == nil {
		return nil
	}
	if len(p.PNG) == 0 {
		return &picture{Alt: p.Alt.String()}
	}
	w, h := pictureSize(p.PNG)
	const kind = "data:image/png;base64,"
	src := make([]byte, 0, len(kind)+base64.StdEncoding.EncodedLen(len(p.PNG)))
	src = base64.StdEncoding.AppendEncode(append(src, kind...), p.PNG)
	return &picture{Src: string(src), Alt: p.Alt.String(), Width: w, Height: h}
}

// servePicture serves the picture of a line to people who may read its stream, with "?dark"
// for a dark screen.
func (bd *board) servePicture(w http.ResponseWriter, req *http.Request) {
	who, err := bd.visitors.visitor(req)
	if err != nil {
		bd.answers.Fail(w, req, err)
		return
	}
	b, err := bd.draw(req.Context(), who, req.PathValue("stream"), req.PathValue("file"), req.URL.Query().Has("dark"))
	if err != nil {
		bd.answers.Fail(w, req, err)
		return
	}
	sum := sha256.Sum256(b)
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:9])+`"`)
	h.Set("Cache-Control", "private, max-age=31536000, immutable")
	http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(b))
}

// draw returns the picture of a line, drawn by the host, if the person may read it.
func (bd *board) draw(ctx context.Context, who person, id, file string, dark bool) ([]byte, error) {
	s, err := bd.streams.find(ctx, who, id)
	if err != nil {
		return nil, err
	}
	number, _, _ := strings.Cut(file, "-")
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return nil, pages.ErrNoPicture
	}
	var l storedLine
	found, err := notes.Read(ctx, bd.notes, string(s.log()), notes.EntryKey(n), &l)
	if err != nil {
		return nil, err
	}
	if !found || l.Picture == nil || l.pictureFile(n) != file {
		return nil, pages.ErrNoPicture
	}
	p := bot.Posted{Channel: s.channelID(), Table: l.Table, Number: l.Events, Kind: l.Kind}
	if l.About != "" {
		p.Channel, p.To = l.About.channelID(), who.player()
	}
	drawn, err := bd.host.Picture(ctx, p, dark)
	if errors.Is(err, bot.ErrNoPicture) || err == nil && len(drawn.PNG) == 0 {
		return nil, pages.ErrNoPicture
	}
	if err != nil {
		return nil, err
	}
	return drawn.PNG, nil
}
