package imaging

import (
	"bytes"
	"image"
)

// PlainPNG draws a view as PNG does, by way of its pixels.
func (r *Renderer) PlainPNG(v View) ([]byte, error) {
	f := r.frames.Get().(*frame)
	defer r.frames.Put(f)
	n := v.Equipment.Layout.Size()
	if err := r.compose(f, &v, image.Rect(0, 0, n, n), maxCell, 1); err != nil {
		return nil, err
	}
	b, err := f.plain.Encode(f.bands, r.plte)
	return bytes.Clone(b), err
}
