package imaging

import (
	"bytes"

	"github.com/rackmate/rackmate/imaging/compose"
)

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

// TrainCode finds the code for some views.
func (r *Renderer) TrainCode(views []View) (*compose.Code, error) {
	var all [][]compose.Band
	for i := range views {
		f := r.frame() // kept by its bands
		if err := r.compose(f, &views[i], views[i].plan(1)); err != nil {
			return nil, err
		}
		all = append(all, f.bands)
	}
	return compose.Train(all)
}

// CodedPNG draws a view as PNG does, in another code.
func (r *Renderer) CodedPNG(v View, code *compose.Code) ([]byte, error) {
	other := r.fresh()
	other.code = code
	return other.PNG(v)
}
