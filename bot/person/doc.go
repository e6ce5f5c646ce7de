// Package person is what several features need to know of somebody: how they
// want to be told of their turns and when not, whether they are away, and who
// they are on other surfaces.
package person
