package imaging

import "bytes"

// PlainPNG draws a view as PNG does, by way of its pixels.
func (r *Renderer) PlainPNG(v View) ([]byte, error) {
	f := r.frame()
	defer r.frames.Put(f)
	if err := r.compose(f, &v, v.plan(1)); err != nil {
		return nil, err
	}
	b, err := f.plain.Encode(f.bands, r.plte)
	return bytes.Clone(b), err
}
