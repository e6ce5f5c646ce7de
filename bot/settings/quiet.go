package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// This file computes quiet hours and times of day in a person's own time zone, including
// days with clock changes.

// A daySpan is a span of a day, in minutes from midnight by local time. It may include
// midnight; if both ends are equal, it is empty.
type daySpan struct{ from, to int }

const minutesOfDay = 24 * 60

// parseDaySpan parses "22-8" or "22:30-7:15".
func parseDaySpan(text string) (daySpan, bool) {
	from, to, ok := strings.Cut(strings.ReplaceAll(text, " ", ""), "-")
	f, ok1 := parseTimeOfDay(from)
	t, ok2 := parseTimeOfDay(to)
	return daySpan{f, t}, ok && ok1 && ok2 && f != t
}

// parseTimeOfDay parses "8", "8:30" or "24" into minutes.
func parseTimeOfDay(text string) (int, bool) {
	hour, minute, has := strings.Cut(text, ":")
	h, err1 := strconv.Atoi(hour)
	m, err2 := 0, error(nil)
	if has {
		m, err2 = strconv.Atoi(minute)
	}
	if err1 != nil || err2 != nil || h < 0 || m < 0 || m > 59 || h*60+m > minutesOfDay {
		return 0, false
	}
	return (h*60 + m) % minutesOfDay, true
}

// String formats the span like "22:00-8:00".
func (s daySpan) String() string {
	at := func(m int) string { return fmt.Sprintf("%d:%02d", m/60, m%60) }
	return at(s.from) + "-" + at(s.to)
}

// has reports whether the local time in a zone is within the span.
func (s daySpan) has(at time.Time, zone *time.Location) bool {
	local := at.In(zone)
	m := local.Hour()*60 + local.Minute()
	if s.from <= s.to {
		return m >= s.from && m < s.to
	}
	return m >= s.from || m < s.to
}

// End returns the first time, not before at, outside the span.
func (s daySpan) End(at time.Time, zone *time.Location) time.Time {
	return s.edge(at, zone, time.Minute)
}

// Begin returns the last minute, not after at, outside the span.
func (s daySpan) Begin(at time.Time, zone *time.Location) time.Time {
	return s.edge(at, zone, -time.Minute)
}

// edge leaves the span minute by minute, since local time may jump.
func (s daySpan) edge(at time.Time, zone *time.Location, step time.Duration) time.Time {
	if !s.has(at, zone) {
		return at
	}
	at = at.Truncate(time.Minute)
	for range 3 * minutesOfDay {
		if !s.has(at, zone) {
			break
		}
		at = at.Add(step)
	}
	return at.UTC()
}

// nextTimeOfDay returns the first time after at when the local time is one of the given
// times of day, in minutes. If the clocks skip that time, it returns the time of the jump.
func nextTimeOfDay(at time.Time, zone *time.Location, minutes ...int) time.Time {
	local := at.In(zone)
	var next time.Time
	for day := range 3 {
		for _, m := range minutes {
			t := time.Date(local.Year(), local.Month(), local.Day()+day, m/60, m%60, 0, 0, zone)
			if t.After(at) && (next.IsZero() || t.Before(next)) {
				next = t
			}
		}
	}
	return next.UTC()
}

// someZones returns the time zones suggested for completion. Any other zone of the IANA
// database is accepted too.
func someZones() []string {
	return strings.Fields(`Europe/London Europe/Dublin Europe/Lisbon Europe/Paris Europe/Madrid Europe/Berlin Europe/Amsterdam Europe/Rome
		Europe/Zurich Europe/Vienna Europe/Warsaw Europe/Stockholm Europe/Athens Europe/Helsinki Europe/Kyiv Europe/Istanbul
		America/New_York America/Chicago America/Denver America/Phoenix America/Los_Angeles America/Anchorage Pacific/Honolulu
		America/Toronto America/Vancouver America/Halifax America/St_Johns America/Mexico_City America/Bogota America/Lima
		America/Sao_Paulo America/Argentina/Buenos_Aires America/Santiago Africa/Lagos Africa/Cairo Africa/Johannesburg Africa/Nairobi
		Asia/Jerusalem Asia/Dubai Asia/Karachi Asia/Kolkata Asia/Dhaka Asia/Bangkok Asia/Singapore Asia/Manila Asia/Hong_Kong
		Asia/Shanghai Asia/Seoul Asia/Tokyo Australia/Perth Australia/Adelaide Australia/Brisbane Australia/Sydney Pacific/Auckland UTC`)
}

// ZoneNamed returns a time zone of the IANA database.
func ZoneNamed(name string) (*time.Location, bool) {
	if name == "" || name == "Local" {
		return nil, false
	}
	for _, z := range someZones() {
		if strings.EqualFold(z, name) {
			name = z
		}
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil
}

// Zone is the setting of a place's or a person's time zone, and noZone its value if no one
// has set it.
const (
	Zone   = "zone"
	noZone = "none"
)

// ZoneSetting returns the setting of the time zone.
func ZoneSetting() Setting {
	return Setting{
		Option: bot.Option{Name: Zone, Help: "Your time zone, like Europe/Berlin", Kind: bot.Pick},
		Own:    true, Default: ConstantDefault(noZone),
		Complete: func(Has, bot.Request) (all []bot.Choice) {
			for _, z := range someZones() {
				all = append(all, bot.Choice{Value: z, Label: text.Plain(z)})
			}
			return all
		},
		Check: func(_ Has, value string) error {
			if value == noZone {
				return nil
			}
			return checkZone(value)
		},
	}
}

func checkZone(name string) error {
	if _, ok := ZoneNamed(name); !ok {
		return words.Refusing("I don't know the time zone {typed}. Try one like {settings} or {other}.", text.Code(text.Shorten(name, bot.MaxName)), text.Code("/settings zone:Europe/Berlin"), text.Code("/settings zone:America/New_York"))
	}
	return nil
}
