module example.org/rackmate-dice

go 1.26.0

require github.com/rackmate/rackmate v0.0.0

require (
	github.com/agnivade/levenshtein v1.2.2 // indirect
	github.com/fogleman/gg v1.3.0 // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	golang.org/x/image v0.47.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/rackmate/rackmate => ../../..
