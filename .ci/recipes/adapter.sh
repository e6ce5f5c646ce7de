# A platform: a folder in adapters with the four methods and the suite of platforms, a line
# in mayImport, and its settings in cmd/rackmate. The adapter is the suite's own toy.
# tests: ./adapters/toy
# tests: ./cmd/rackmate -run Imports|Exported|Settings|Config|Secrets|Tools
change() {
	mkdir adapters/toy
	local toy=adapters/platformtest/toy_test.go
	{
		sed '/^\/\/ openToy /,$d; s/^package .*/\/\/ Package toy is a chat in this process.\npackage toy/; /"testing"/d' $toy
		cat <<'GO'
// New makes an adapter of a chat that nobody has used.
func New(h bot.Host) bot.Adapter { return &toy{chat: new(chat), host: h} }
GO
	} >adapters/toy/toy.go
	{
		printf 'package toy\n\nimport (\n"strings"\n"testing"\n\n"github.com/rackmate/rackmate/adapters/platformtest"\n"github.com/rackmate/rackmate/bot"\n)\n\n'
		sed '1,/^\/\/ openToy /d; /^func TestToy/,$d' $toy | sed 's/\bOpen\b/platformtest.Open/; s/\bPlace\b/platformtest.Place/g; s/\bSeen\b/platformtest.Seen/g'
		printf 'func TestPlatform(t *testing.T) { platformtest.Run(t, openToy("")) }\n'
	} >adapters/toy/toy_test.go
	gofmt -w adapters/toy
	sed -i 's|^\t"adapters/terminal": .*|&\n\t"adapters/toy": {"bot"},|' cmd/rackmate/house_test.go
	gofmt -w cmd/rackmate/house_test.go
	sed -i 's/\[\]platform{&c.web, &c.discord, &c.slack}/[]platform{\&c.web, \&c.discord, \&c.slack, new(toyConfig)}/' cmd/rackmate/platform.go
	cat >cmd/rackmate/toy.go <<'GO'
package main

import (
	"github.com/rackmate/rackmate/adapters/toy"
	"github.com/rackmate/rackmate/bot"
)

// toyConfig is what the operator says of the toy.
type toyConfig struct{ wanted bool }

// settings adds the toy's settings.
func (c *toyConfig) settings(s *settings) {
	s.flags.BoolVar(&c.wanted, "toy", false, "serve a chat in this process")
}

// open makes the toy's adapter, nil where nobody asks for it.
func (c *toyConfig) open(x platformEnv) (bot.Adapter, error) {
	if !c.wanted {
		return nil, nil
	}
	return toy.New(x.host), nil
}
GO
}
