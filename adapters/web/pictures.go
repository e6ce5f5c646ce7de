package web

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/rackmate/rackmate/bot"
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

func storePicture(p bot.Picture) *storedPicture {
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
