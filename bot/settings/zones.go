package settings

import "strings"

// zones lists the most likely time zone for locales, as "pt-BR" or "pt".
var zones = map[string]string{
	"en": "America/New_York", "en-GB": "Europe/London", "en-IE": "Europe/Dublin", "en-AU": "Australia/Sydney", "en-NZ": "Pacific/Auckland", "en-CA": "America/Toronto", "en-IN": "Asia/Kolkata",
	"de": "Europe/Berlin", "de-AT": "Europe/Vienna", "de-CH": "Europe/Zurich", "fr": "Europe/Paris", "fr-CA": "America/Toronto",
	"es": "Europe/Madrid", "es-419": "America/Mexico_City", "es-MX": "America/Mexico_City", "pt": "Europe/Lisbon", "pt-BR": "America/Sao_Paulo",
	"nl": "Europe/Amsterdam", "pl": "Europe/Warsaw", "it": "Europe/Rome", "da": "Europe/Copenhagen", "no": "Europe/Oslo", "sv": "Europe/Stockholm", "fi": "Europe/Helsinki",
	"cs": "Europe/Prague", "hu": "Europe/Budapest", "hr": "Europe/Zagreb", "ro": "Europe/Bucharest", "bg": "Europe/Sofia", "el": "Europe/Athens", "lt": "Europe/Vilnius",
	"tr": "Europe/Istanbul", "uk": "Europe/Kyiv", "ru": "Europe/Moscow", "hi": "Asia/Kolkata", "id": "Asia/Jakarta", "th": "Asia/Bangkok", "vi": "Asia/Ho_Chi_Minh",
	"ja": "Asia/Tokyo", "ko": "Asia/Seoul", "zh": "Asia/Shanghai", "zh-TW": "Asia/Taipei",
}

// GuessZone returns the most likely time zone of people who read a locale, the first of several
// that are known, or "" if none is.
func GuessZone(locales ...string) string {
	for _, l := range locales {
		l, _, _ = strings.Cut(l, ",") // of a list, as in the header Accept-Language
		l = strings.ReplaceAll(l, "_", "-")
		language, _, _ := strings.Cut(l, "-")
		for _, name := range []string{l, language} {
			if zone := zones[name]; zone != "" {
				return zone
			}
		}
	}
	return ""
}
