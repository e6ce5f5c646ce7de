package features

import (
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/feature/analysis"
	"github.com/rackmate/rackmate/bot/feature/competition"
	"github.com/rackmate/rackmate/bot/feature/daily"
	"github.com/rackmate/rackmate/bot/feature/ladder"
	"github.com/rackmate/rackmate/bot/feature/moderation"
	"github.com/rackmate/rackmate/bot/feature/notify"
	"github.com/rackmate/rackmate/bot/feature/pace"
	"github.com/rackmate/rackmate/bot/feature/people"
	"github.com/rackmate/rackmate/bot/feature/play"
	"github.com/rackmate/rackmate/bot/feature/robots"
	"github.com/rackmate/rackmate/bot/feature/study"
	"github.com/rackmate/rackmate/bot/feature/variants"
	"github.com/rackmate/rackmate/bot/feature/webpage"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
)

// All creates a host's features: the features in this repository, connected to each other, and the
// features of registered modules.
func All(h feature.Registry) []feature.Feature {
	list := shippedFeatures(h)
	for _, m := range feature.Modules() {
		list = append(list, m.New(h.Open(m.ID)))
	}
	return list
}

func shippedFeatures(h feature.Registry) []feature.Feature {
	means, settings, open := h.Resources(), h.Settings(), h.Open
	desk, own := open("play")
	play := play.New(desk, own, h, means, settings)
	desk, own = open("robots")
	robots := robots.New(desk, own, means, robots.Others{Waiting: h.CountDue, Charge: h.Charge})
	desk, own = open("pace")
	pace := pace.New(desk, own, settings.Of, h.MarkSeen)
	desk, own = open("notify")
	notify := notify.New(desk, own, notify.Others{
		Home:      settings.HomeOf,
		Wishes:    settings.Wishes,
		StopRacks: settings.StopRacks,
		Away:      pace,
		Moved:     h.Moved,
		Board:     h.Board,
	})
	desk, own = open("web page")
	webpage := webpage.New(desk, own, webpage.Others{
		URL:    means.URL,
		Locale: settings.ChannelLocale,
		Files:  exportedFiles,
		Review: robots.Judge,
		Try:    robots.Try,
		Replay: play.Replay,
		Beside: settings.RunningInThreads,
		Watch:  h.Watch,
	})
	notify.Front = webpage.Front
	desk, own = open("people")
	people := people.New(desk, own, people.Others{
		Settings:     settings,
		Archive:      h,
		URL:          means.URL,
		Contact:      means.Contact,
		ClearRefusal: notify.ClearRefusal,
		Front:        webpage.Front,
		Invited:      play.Invited,

		RefreshCards:     notify.RefreshCards,
		RefreshOverviews: play.RefreshOverviews,
		PinOverview:      play.PinOverview,
	})
	play.OfferSetup = people.OfferSetup
	desk, own = open("ladder")
	ladder := ladder.New(desk, own, settings)
	play.Ladder = ladder
	desk, own = open("moderation")
	moderation := moderation.New(desk, own, settings)
	desk, own = open("competition")
	competition := competition.New(desk, own, competition.Others{
		URL:      means.URL,
		Settings: settings,
		Read:     h.Read,
		Rating:   ladder.Rating,
		Page:     webpage.Path,
		Files:    exportedFiles,
	})
	ladder.Named, ladder.Page = h.TablesNaming, webpage.Path
	ladder.Unrated = competition.PlayedOn
	play.Listed = competition.Lists
	desk, own = open("daily")
	daily := daily.New(desk, own, means, settings)
	ladder.Boards, ladder.Zone = daily.DaysPlayed, daily.ZoneOf
	people.ChooseZone = daily.ChooseZone
	play.Daily = daily.IsPosted
	people.Schedules = append(people.Schedules, daily.Schedule, ladder.Schedule)
	desk, _ = open("study")
	study := study.New(desk, settings, daily.Guard.Letters)
	desk, _ = open("analysis")
	analysis := analysis.New(desk, means, daily.Guard.Letters, h.RunningTables, daily.Guard.Board)
	desk, _ = open("variants")
	return []feature.Feature{
		play.Hooks(),
		variants.DoubleBag(desk),
		variants.Duplicate(desk, play.Play, h.HasNews),
		variants.Junior(),
		variants.JuniorStarter(desk, play.Play, means.Common),
		variants.Large(), variants.Solitaire(), variants.Unscrabble(desk),
		ladder.Hooks(),
		pace.Hooks(),
		notify.Hooks(),
		webpage.Hooks(),
		people.Hooks(),
		study.Hooks(),
		robots.Hooks(),
		moderation.Hooks(),
		competition.Hooks(),
		daily.Hooks(),
		analysis.Hooks(),
	}
}

var exportedFiles = play.ExportedFiles

// bare returns a host that has only its features.
var bare = sync.OnceValue(func() *host.Host { return host.New(host.Config{Features: All, Order: Order()}) })

// Export returns a finished game as files: the moves as GCG, or as /history lists them if GCG can't
// express the variant; the whole game with the proof of its draws for "rackmate verify"; and what
// the variant adds. It returns [record.ErrNotOver] if the game isn't over, or an error that
// describes what is wrong with the log.
func Export(id bot.TableID, events []game.Event) ([]bot.File, error) {
	t, err := bare().Variants().Replay("", id, events)
	if err != nil {
		return nil, err
	}
	files, err := play.ExportedFiles(t)
	return bot.FilesIn(nil, files), err
}

// Order returns the order in which help lists the commands, and the options to which several
// features add. Commands that aren't listed here come last.
func Order() host.Order {
	return host.Order{
		Commands: []string{
			"play",
			"try",
			"exchange",
			"draw",
			"submit",
			"cover",
			"remove",
			"pass",
			"challenge",
			"rack",
			"board",
			"daily",
			"unseen",
			"note",
			"hint",
			"check",
			"anagram",
			"hooks",
			"pattern",
			"new",
			"join",
			"leave",
			"vote",
			"start",
			"resign",
			"end",
			"claim",
			"wait",
			"adopt",
			"history",
			"replay",
			"review",
			"export",
			"rematch",
			"plan",
			"games",
			"stats",
			"top",
			"league",
			"tournament",
			"club",
			"roster",
			"link",
			"data",
			"privacy",
			"away",
			"nudge",
			"words",
			"settings",
			"unseat",
			"report",
			"block",
			"invite",
			"unsay",
			"mute",
			"ban",
			"reports",
			"help",
		},
		Options: map[string][]string{
			"new": {
				"opponents", "robots", "rules", "variant", "challenge", "lexicon", "language", "seats", "clock", "order", "out", "joining", "dictionary", "hints", "rated",
				"pace", "bank", "weekend", "late", "thread",
			},
			"settings": {
				"ping", "quiet", "zone", "dm", "game", "for",
				"rules", "challenge", "lexicon", "language", "speak", "pace", "bank", "weekend", "late", "games", "board", "theme", "overview", "abandoned", "away", "invites", "daily",
			},
		},
		Settings: []string{"rules", "challenge", "lexicon", "language", "speak", "zone", "pace", "bank", "weekend", "late", "games", "board", "theme", "overview", "abandoned", "away", "invites"},
	}
}

// Commands lists every command in the order of the help.
func Commands() bot.Commands { return bare().Commands() }
