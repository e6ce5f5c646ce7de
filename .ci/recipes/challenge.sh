# A challenge rule: a value in the table of game/rules.go, and its name in the page of
# the log and in what /help says.
# tests: ./game ./game/record
# tests: ./bot/features -run Challenge|Catalogues|Sentences|Transcripts|Formats|Commands
# tests: ./adapters/discord ./adapters/slack -run Commands|Manifest
change() {
	perl -0pi -e 's/(\tTenPoint  = [^\n]*\n)/$1\t\/\/ TwentyPoint gives twice as many.\n\tTwentyPoint = ChallengeRule{Name: "20-point", Bonus: 20}\n/; s/(FivePoint, TenPoint,)( Triple)/$1 TwentyPoint,$2/' game/rules.go
	gofmt -w game/rules.go
	sed -i 's/`10-point` or `triple`/`10-point`, `20-point` or `triple`/' data/formats/log.md
}
taken() { grep -q 20-point bot/feature/play/testdata/help.txt; }
