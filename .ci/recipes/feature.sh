# A feature that stands in a module of its own, in a program that "rackmate build" makes.

taken() {
	go run ./cmd/rackmate build --source . --with example.org/rackmate-dice=.ci/outside/feature --output with-dice
	./with-dice version | grep -q ', with dice$'
	./with-dice commands discord | grep -q '"roll"'
	rm with-dice
}
