package host

import "github.com/rackmate/rackmate/lexicon"

// Offered are the word lists that a new table can name, by language.
func (h *Host) Offered() []*lexicon.Lexicon {
	if len(h.Languages) == 0 {
		return h.ListsIn(nil)
	}
	var all []*lexicon.Lexicon
	for _, l := range h.Languages {
		all = append(all, h.ListsIn(l)...)
	}
	return all
}
