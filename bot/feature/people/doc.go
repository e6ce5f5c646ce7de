// Package people manages people's settings, their linked accounts and their data, and ends
// games and seats when a channel or a member is gone.
package people
