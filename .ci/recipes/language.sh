# A language to speak: a file in data/sentences, which has as much as there is.
# tests: ./data/sentences
# tests: ./bot/features -run Catalogues|Sentences|Language|Transcripts
# tests: ./adapters/discord ./adapters/slack -run Commands|Manifest
# tests: ./cmd/internal/lists -run Language
change() {
	cat >data/sentences/da.json <<'JSON'
{
 "name": "Dansk",
 "sentences": {
  "/pass": "/pas",
  "{who} passes.": "{who} melder pas.",
  "{n, plural, one {# day} other {# days}}": "{n, plural, one {# dag} other {# dage}}"
 }
}
JSON
}
taken() { go run ./cmd/rackmate language list >/dev/null && ! grep -q '"da"' data/sentences/lacks.json; } # it isn't complete, and may lack what it likes
