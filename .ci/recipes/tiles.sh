# A language's tiles: one file in data/languages. Its name is a sentence, which the
# catalogues may lack.
# tests: ./data ./game/language ./imaging ./bot/lexicons
# tests: ./bot/features -run Language|Lexicon|Catalogues|Sentences|Transcripts
# tests: ./cmd/internal/lists -run Language
change() {
	sed 's/"code": "da"/"code": "fo"/; s/"name": "Danish"/"name": "Faroese"/; s/"native": "dansk"/"native": "føroyskt"/; s/"tiles": "danish"/"tiles": "faroese"/' data/languages/da.json >data/languages/fo.json
}
taken() { go run ./cmd/rackmate language check data/languages/fo.json; }
