// Package moderation lets people report and block each other, and lets moderators mute, ban
// and remove messages. /reports shows the reports, the bans and the log of actions.
//
// All of it works on a platform of our own ([bot.Steward]). On other platforms, moderators
// use the platform's own tools; here people can block and report, and the server's managers
// are notified of reports and can read them.
//
// # What is kept
//
// When a person is erased, their blocks, mutes and places in others' blocks are deleted,
// and so is what they wrote that reports quote. Reports and the log of moderators' actions
// stay, since others need them, and name a former player. Bans of networks and invitations
// stay too; they name no one.
package moderation
