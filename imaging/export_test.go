package imaging

import (
	"github.com/rackmate/rackmate/imaging/compose"
)

// TrainCode returns the code for some views.
func (r *Renderer) TrainCode(views []View) (*compose.Code, error) {
	var all [][]compose.Band
	for i := range views {
		f := r.frame() // its bands refer to it
		if err := r.compose(f, &views[i], views[i].plan(1)); err != nil {
			return nil, err
		}
		all = append(all, f.bands)
	}
	return compose.Train(all)
}

// CodedPNG draws a view like PNG with another code.
func (r *Renderer) CodedPNG(v View, code *compose.Code) ([]byte, error) {
	other := r.fresh()
	other.code = code
	return other.PNG(v)
}

const MaxAlt = maxAlt
