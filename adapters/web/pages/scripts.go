package pages

import (
	"regexp"
	"slices"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/adapters/web/static"
)

// imported matches the imports of a script.
var imported = regexp.MustCompile(`(?m)^(?:import\b[^"\n]*|\} from )"\./([^"]+)"`)

// modules returns a script and all scripts it imports, as names of files in static.
func modules(script string) []string {
	all := []string{script}
	for i := 0; i < len(all); i++ {
		b, err := static.Files.ReadFile(all[i])
		if err != nil {
			continue // a test makes sure that no import is missing
		}
		for _, m := range imported.FindAllStringSubmatch(string(b), -1) {
			if !slices.Contains(all, m[1]) {
				all = append(all, m[1])
			}
		}
	}
	return all
}

// preload makes the browser load modules at once instead of one after another.
func preload(modules []string, kept bool, how ...g.Node) g.Node {
	return g.Map(modules, func(file string) g.Node {
		return html.Link(html.Rel("modulepreload"), html.Href(staticPath(kept)+file), g.Group(how))
	})
}
