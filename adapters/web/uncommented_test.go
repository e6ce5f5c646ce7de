package web

import "testing"

// Browsers get no comments that have lines of their own, and every line where it was.
func TestUncommented(t *testing.T) {
	for _, c := range []struct{ name, written, sent string }{
		{"lines", "// one\na(); // two\n\t// three\nb();", "\na(); // two\n\nb();"},
		{"over several lines", "/* one\n * two **/ \na { }\n  /**/\n", "\n\na { }\n\n"},
		{"with something behind it", "/* one\n two */ a();\n// three", "/* one\n two */ a();\n"},
		{"open to the end", "a();\n/* one\n", "a();\n/* one\n"},
	} {
		if got := string(uncommented("static/x.js", []byte(c.written))); got != c.sent {
			t.Errorf("%s: sent %q, want %q", c.name, got, c.sent)
		}
	}
	if page := "// one\n"; string(uncommented("static/x.html", []byte(page))) != page {
		t.Error("a page that isn't a script loses a line")
	}
}
