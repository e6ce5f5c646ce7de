# A theme: a line at the end of the table of imaging/theme.go, and its colours.
# tests: ./imaging
# tests: ./bot/features -run Catalogues|Sentences|Transcripts|Settings|Themes|Help
# tests: ./adapters/discord ./adapters/slack -run Commands|Manifest
change() {
	perl -0pi -e 's/(\t\{"cb", [^\n]*\n)/$1\t{"sepia", "Sepia", sepiaColours},\n/; s/(\tsafeColours = )/\tsepiaColours = lightColours\n$1/' imaging/theme.go
	gofmt -w imaging/theme.go
}
