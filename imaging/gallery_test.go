package imaging_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rackmate/rackmate/imaging"
)

var gallery = flag.String("gallery", "", "write pictures of every kind to this directory")

func TestGallery(t *testing.T) {
	if *gallery == "" {
		t.Skip("for looking at: go test ./imaging -run Gallery -gallery DIR")
	}
	if err := os.MkdirAll(*gallery, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, theme := range imaging.Themes() {
		r := renderer(t, theme)
		save := func(name string, png []byte, err error) {
			if err != nil {
				t.Fatal(name, err)
			}
			if err := os.WriteFile(filepath.Join(*gallery, name+"-"+theme.String()+".png"), png, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for name, v := range kinds(t) {
			png, err := r.PNG(v)
			save(name, png, err)
		}
		for name, rack := range map[string]string{"rack": "AQUEN?Z", "rack-short": "AQU", "rack-empty": ""} {
			png, err := r.Rack(rackCard(t, rack))
			save(name, png, err)
		}
	}
}

func rackCard(t testing.TB, letters string) imaging.RackCard {
	t.Helper()
	set := standard().Tiles
	rack, err := set.Parse(letters)
	if err != nil {
		t.Fatal(err)
	}
	return imaging.RackCard{Tiles: set, Rack: rack, Caption: "Your score is 208", Note: "30 unseen"}
}
