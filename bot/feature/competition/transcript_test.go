package competition_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot/features/featuretest"
)

func TestTranscripts(t *testing.T) { featuretest.Transcripts(t) }
