package pages

import "testing"

// Comments on lines of their own aren't sent to browsers, and every line keeps its number.
func TestUncommented(t *testing.T) {
	for _, c := range []struct{ name, written, sent string }{
		{"lines", "// one\na(); // two\n\t// three\nb();", "\na(); // two\n\nb();"},
		{"over several lines", "/* one\n * two **/ \na { }\n  /**/\n", "\n\na { }\n\n"},
		{"with something behind it", "/* one\n two */ a();\n// three", "/* one\ntwo */ a();\n"},
		{"types", "\tfor (const [a, b] of /** @type {[string, number][]} */ (all)) go(/** @type {A} */(b));", "for (const [a, b] of (all)) go((b));"},
		{"open to the end", "a();\n/* one\n", "a();\n/* one\n"},
	} {
		if got := string(stripComments("static/x.js", []byte(c.written))); got != c.sent {
			t.Errorf("%s: sent %q, want %q", c.name, got, c.sent)
		}
	}
	if page := "// one\n"; string(stripComments("static/x.html", []byte(page))) != page {
		t.Error("a page that isn't a script loses a line")
	}
}
