package main

import (
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/imaging"
)

// check rejects settings that no host can run with, before anything is opened. Both config and
// serve use it.
func (c *serveConfig) check() error {
	if c.theme != "" {
		if _, err := imaging.ParseTheme(c.theme); err != nil {
			return cli.UsageError(err.Error())
		}
	}
	if c.logFormat != "text" && c.logFormat != "json" {
		return cli.UsageError(fmt.Sprintf("--log can't be %q: choose text or json", c.logFormat))
	}
	if c.connections < 1 {
		return cli.UsageError(fmt.Sprintf("--connections can't be %d: a host needs at least 1", c.connections))
	}
	if err := checkAddress("--listen", c.listen); err != nil {
		return err
	}
	if c.metrics != "" {
		if err := checkAddress("--metrics", c.metrics); err != nil {
			return err
		}
	}
	if err := c.backups.check(); err != nil {
		return err
	}
	if err := c.web.check(); err != nil {
		return err
	}
	if c.url == "" && len(c.web.hosts) == 0 && forOthers(c.listen) {
		return errNoHostName
	}
	return c.checkFiles()
}

// checkFiles rejects languages and word lists that can't be read.
func (c *serveConfig) checkFiles() error {
	_, err := cli.OpenLanguages(c.speaks)
	if err == nil && len(c.lexicons) > 0 {
		_, _, err = cli.OpenLexicons(c.lexicons)
	}
	if err != nil {
		return cli.UsageError(err.Error())
	}
	return nil
}

// checkAddress rejects an invalid address to listen on.
func checkAddress(option, address string) error {
	_, port, err := net.SplitHostPort(address)
	if n, e := strconv.Atoi(port); err != nil || e != nil || n < 0 || n >= 1<<16 {
		return cli.UsageError(fmt.Sprintf("%s can't be %q: write an address and a port, such as 127.0.0.1:8080, or :8080 for all of this computer's addresses", option, address))
	}
	return nil
}

// forOthers reports whether other computers can certainly reach an address. It returns false for a
// host name, which is resolved only when the host listens.
func forOthers(address string) bool {
	host, _, _ := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return host == "" || ip != nil && !ip.IsLoopback()
}

// hostName matches the name of a computer.
var hostName = regexp.MustCompile(`^[\pL\pN_]([\pL\pN_-]*[\pL\pN_])?(\.[\pL\pN_]([\pL\pN_-]*[\pL\pN_])?)*$`)

// check rejects invalid settings of the room.
func (c *webConfig) check() error {
	for _, name := range c.hosts {
		if name != "*" && !hostName.MatchString(name) && net.ParseIP(strings.Trim(name, "[]")) == nil {
			return cli.UsageError(fmt.Sprintf("--host can't be %q: write a name as browsers do, such as play.example.org, without https:// and without a port", name))
		}
	}
	if !slices.Contains([]string{"on", "off"}, c.push) {
		return cli.UsageError(fmt.Sprintf("--push can't be %q: choose on or off", c.push))
	}
	switch door := web.Door(c.door); {
	case door == "":
	case !slices.Contains(web.Doors, door):
		return cli.UsageError(fmt.Sprintf("--door can't be %q: choose one of %s", c.door, strings.Join(doors(), ", ")))
	case door == web.DoorPassword && len([]rune(c.password)) < web.MinPassword:
		return cli.UsageError(fmt.Sprintf("--door password needs a password of at least %d characters: put it into ROOM_PASSWORD, or its file's path into ROOM_PASSWORD_FILE", web.MinPassword))
	}
	services, err := c.services()
	if err == nil && c.door == string(web.DoorSignIn) && len(services) == 0 {
		return cli.UsageError("--door oidc needs a service to sign in with: --oidc-issuer with OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET, or SLACK_SIGN_IN_ID and SLACK_SIGN_IN_SECRET")
	}
	return err
}
