# A language's tiles: one file in data/languages. Its name is a sentence, which the
# catalogues may lack.
# tests: ./data/... ./game/language ./imaging
# tests: ./bot/lexicons ./bot/features -run Language|Lexicon|Catalogues|Sentences|Transcripts
# tests: ./cmd/rackmate -run Language
sed 's/"code": "da"/"code": "fo"/; s/"name": "Danish"/"name": "Faroese"/; s/"native": "dansk"/"native": "føroyskt"/; s/"tiles": "danish"/"tiles": "faroese"/' data/languages/da.json >data/languages/fo.json
go run ./cmd/rackmate language check data/languages/fo.json
go test ./bot/features -run TestCatalogues -update >/dev/null
