package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// A diagnosis is the result of one check: what was found, or what to do.
type diagnosis struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	Says  string `json:"says"`
}

// A doctor checks a newly configured host from outside, without changing anything.
type doctor struct {
	conf   *serveConfig
	to     string // member of the Slack workspace to send a test picture; "" for none
	now    func() time.Time
	client *http.Client // for requests to the host's own address

	found []diagnosis
}

// doctorCommand returns the command that checks the configuration.
func doctorCommand() *cobra.Command {
	var conf serveConfig
	var asJSON bool
	var to string
	s := conf.settings("doctor")
	c := s.addReader(&cobra.Command{
		Use: "doctor [--json] [--to MEMBER] [SETTING]...", Short: "checks what you have set up, and says what to do",
		Long:    "checks the settings, word lists, data, clock, ports, name and certificate, and with their tokens Discord and Slack. A line for each: ok and what there is, or bad and what to do. It changes nothing. The exit status is 1 if something is bad.",
		Example: "rackmate doctor --config rackmate.toml\nrackmate doctor --to U0123ABCD",
	}, func(c *cobra.Command, err error) error {
		d := doctor{conf: &conf, to: to, now: time.Now, client: &http.Client{Timeout: doctorTime}}
		if err != nil {
			d.tell("settings", "", err)
		} else {
			d.examine(c.Context())
		}
		return d.print(cli.StdOf(c), asJSON)
	})
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	c.Flags().StringVar(&to, "to", "", "a `MEMBER` of the Slack workspace, such as U0123ABCD, who gets a message with a picture")
	return c
}

// doctorTime is the time limit of one check.
const doctorTime = 20 * time.Second

// tell records the result of a check. An error says what to do.
func (d *doctor) tell(check, said string, err error) {
	if err != nil {
		said = err.Error()
	}
	if errors.As(err, new(*net.OpError)) && (strings.HasPrefix(check, discord.Platform) || strings.HasPrefix(check, slack.Platform)) {
		said += ". Can this computer reach it, or the proxy that HTTPS_PROXY names?"
	}
	d.found = append(d.found, diagnosis{check, err == nil, said})
}

// print writes the results.
func (d *doctor) print(std cli.Std, asJSON bool) error {
	var failed error
	for _, f := range d.found {
		word := "ok"
		if !f.OK {
			word, failed = "bad", cli.ErrFailed
		}
		if !asJSON {
			fmt.Fprintf(std.Out, "%s %s: %s\n", word, f.Check, f.Says)
		}
	}
	if asJSON {
		out := json.NewEncoder(std.Out)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		if err := out.Encode(d.found); err != nil {
			return err
		}
	}
	return failed
}

// examine runs all checks.
func (d *doctor) examine(ctx context.Context) {
	c := d.conf
	if err := c.check(); err != nil {
		d.tell("settings", "", err)
	} else {
		d.tell("settings", "\"rackmate config\" prints them", nil)
	}
	if _, err := c.hostConfig(slog.New(slog.DiscardHandler)); err != nil {
		d.tell("word lists", "", err)
	} else {
		d.tell("word lists", fmt.Sprintf("those that come along, and %d of yours", len(c.lexicons)), nil)
	}
	d.examineData(ctx)
	d.examinePort("port", c.listen, "--listen")
	if c.metrics != "" {
		d.examinePort("metrics", c.metrics, "--metrics")
	}
	d.examineName(ctx)
	if c.discord.token != "" {
		d.examineDiscord(ctx)
	}
	if c.slack.configured() {
		d.examineSlack(ctx)
	}
}

// examineData checks the data file, or the database and the rights of its role.
func (d *doctor) examineData(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	if isURL(d.conf.data) {
		version, now, err := postgres.Diagnose(ctx, d.conf.data)
		d.tell("data", "PostgreSQL "+version+" at "+shownData(d.conf.data), err)
		if !now.IsZero() {
			d.tell("clock", "as the database's", clockOff(d.now(), now, "the database"))
		}
		return
	}
	said, err := d.examineFile(ctx)
	d.tell("data", said, err)
	if free, known := diskSpace(filepath.Dir(d.conf.data)); known {
		said, err = fmt.Sprintf("%d MB are free", free>>20), nil
		if free < scarce {
			err = fmt.Errorf("only %d MB are free on the disk of %s: make room for at least %d", free>>20, d.conf.data, scarce>>20)
		}
		d.tell("disk", said, err)
	}
}

// examineFile checks the data file. It also succeeds if a host has the file open, or if it doesn't
// exist yet.
func (d *doctor) examineFile(ctx context.Context) (said string, err error) {
	file := d.conf.data
	if isServed(ctx, file) {
		return "a host runs on " + file + ": \"rackmate health\" asks it", nil
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		trial, err := os.CreateTemp(filepath.Dir(file), ".rackmate-doctor-*")
		if err != nil {
			return "", fmt.Errorf("%s can't be created: %w. Create its folder, owned by the user who runs the host", file, errors.Unwrap(err))
		}
		trial.Close()
		return file + " isn't there yet: the host makes it", os.Remove(trial.Name())
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s isn't a file: name one with --data", file)
	}
	s, err := soundFile(ctx, file)
	if err == nil && s.Last.After(d.now().Add(time.Hour)) {
		err = fmt.Errorf("the latest game in %s was at %s, later than this computer's time: set its clock", file, s.Last.UTC().Format(time.RFC3339))
	}
	if in := new(bolt.InUseError); errors.As(err, &in) {
		return "a program has " + file + " open", nil
	}
	return fmt.Sprintf("%s is sound, %s", file, summary(s)), err
}

// examinePort checks that the host can listen on an address, unless it already does.
func (d *doctor) examinePort(check, address, option string) {
	l, err := listen(address, option)
	if err == nil {
		l.Close()
		d.tell(check, address+" is free", nil)
		return
	}
	if url, e := localURL(address, "/healthz"); e == nil {
		if resp, e := d.client.Get(url); e == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				d.tell(check, "a host answers at "+address, nil)
				return
			}
		}
	}
	d.tell(check, "", err)
}

// examineName checks the host's public name and certificate the way a browser would.
func (d *doctor) examineName(ctx context.Context) {
	address := string(d.conf.url)
	if hosts := d.conf.web.hosts; address == "" && len(hosts) > 0 && hosts[0] != "*" {
		address = "https://" + hosts[0]
	}
	if address == "" {
		return
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/healthz", nil)
	if err != nil {
		d.tell("name", "", err)
		return
	}
	resp, err := d.client.Do(req)
	if err != nil {
		d.tell("name", "", nameTrouble(address, err))
		return
	}
	defer resp.Body.Close()
	said := address + " answers"
	if resp.TLS != nil && len(resp.TLS.PeerCertificates) > 0 {
		said += ", with a certificate until " + resp.TLS.PeerCertificates[0].NotAfter.UTC().Format(time.DateOnly)
	}
	if resp.StatusCode != http.StatusOK {
		said += fmt.Sprintf("; it says %s, as a proxy does while the host doesn't run", resp.Status)
	}
	d.tell("name", said, nil)
}

// nameTrouble returns an error that says what to do about an address that doesn't answer.
func nameTrouble(address string, err error) error {
	var dns *net.DNSError
	var expired x509.CertificateInvalidError
	var other x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var plain tls.RecordHeaderError
	switch {
	case errors.As(err, &dns):
		return fmt.Errorf("the name in %s has no address: add a DNS record for it", address)
	case errors.As(err, &expired) && expired.Reason == x509.Expired:
		return fmt.Errorf("the certificate of %s has expired, or this computer's clock is wrong: renew it", address)
	case errors.As(err, &other):
		return fmt.Errorf("the certificate of %s is for another name: get one for this name", address)
	case errors.As(err, &unknown):
		return fmt.Errorf("browsers don't trust the certificate of %s: get one from Let's Encrypt, for instance", address)
	case errors.As(err, &plain), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return fmt.Errorf("%s answers without TLS: put a web server with a certificate before the host", address)
	}
	return fmt.Errorf("%s doesn't answer: %w. Does the web server before the host run, and does a firewall let it through?", address, errors.Unwrap(err))
}

// examineDiscord checks the token and the clock with Discord.
func (d *doctor) examineDiscord(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	c := &d.conf.discord
	a, err := discord.New(discord.Config{Token: c.token, PublicKey: c.publicKey, API: c.api, Now: d.now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		d.tell("discord token", "", err)
		return
	}
	a.Diagnose(ctx, d.tell)
	d.examineClock(ctx, "Discord", c.api, "https://discord.com")
}

// examineSlack checks the tokens and the clock with Slack.
func (d *doctor) examineSlack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	s := d.conf.slack.secrets
	kept := memory.New()
	s.API, s.Prefix, s.Now, s.Log, s.Notes = d.conf.slack.api, d.conf.slack.prefix, d.now, slog.New(slog.DiscardHandler), kept.Notes(slack.Platform)
	a, err := slack.New(s)
	if err != nil {
		d.tell("slack token", "", err)
		return
	}
	a.Diagnose(ctx, d.to, d.tell)
	d.examineClock(ctx, "Slack", d.conf.slack.api, "https://slack.com")
}

// examineClock compares this computer's clock with that of a platform's server. It skips an
// unreachable server, which another check reports.
func (d *doctor) examineClock(ctx context.Context, whose, api, usual string) {
	if api == "" {
		api = usual
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, api, nil)
	if err != nil {
		return
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return
	}
	resp.Body.Close()
	if at, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		d.tell("clock", "as "+whose+"'s", clockOff(d.now(), at, whose))
	}
}

// mostOff is the clock error beyond which signatures and deadlines suffer.
const mostOff = time.Minute

// clockOff returns an error if this computer's clock is off by too much.
func clockOff(here, there time.Time, whose string) error {
	if off := here.Sub(there).Round(time.Second); off.Abs() > mostOff {
		way := "ahead of"
		if off < 0 {
			way = "behind"
		}
		return fmt.Errorf("this computer's clock is %s %s that of %s: turn on NTP (timedatectl set-ntp true)", off.Abs(), way, whose)
	}
	return nil
}
