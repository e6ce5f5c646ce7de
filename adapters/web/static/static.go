// Package static holds the front end: scripts, styles, fonts and icons.
package static

import "embed"

// Files holds the files that browsers load.
//
//go:embed *.js *.css *.svg *.png *.woff2 *.webmanifest
var Files embed.FS
