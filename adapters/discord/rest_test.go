package discord_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
)

func TestAnswerWithoutApplicationIsExplained(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }))
	defer server.Close()
	a, err := discord.New(discord.Config{Token: "token", API: server.URL, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Invite(context.Background()); err == nil || !strings.Contains(err.Error(), "the id is missing") || strings.Contains(err.Error(), "%!") {
		t.Errorf("an answer without an id: %v", err)
	}
}
