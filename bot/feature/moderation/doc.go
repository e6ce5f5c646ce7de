// Package moderation lets people report and block each other, and lets moderators mute,
// ban and remove messages. One list has the reports, the bans and what was done.
//
// On a platform of our own ([bot.Steward]) all of it works. Elsewhere moderators
// have their platform's own tools: there people can block and report, and the
// server's managers are notified of reports and read them.
//
// # What is kept
//
// When somebody asks to be forgotten, their blocks go, and they go from the blocks of
// others; so does what muted them, and what they wrote that stands in reports.
// Reports and the log of what keepers did stay, for others need them, and tell of a
// former player. So do bars of networks and of invitations, which name nobody.
package moderation
