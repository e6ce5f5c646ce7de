#!/usr/bin/env bash
# usage: release.sh FOLDER VERSION
#
# Builds the archives of a release into FOLDER, which it makes: for Linux, macOS and
# Windows, with the manual page, shell completion and the licences of what is in it, the
# checksums, and the list of modules (CycloneDX). It needs Go, tar and zip, and no network but the Go module proxy.
# RACKMATE_TARGETS="linux/amd64" builds some alone.
#
# Goreleaser would be one more program to get for these few lines, and .ci/run couldn't try a
# release without it. Ko can't give the image a folder /data of its user and a health check.
set -euo pipefail
out=$(realpath -m "${1:?usage: release.sh FOLDER VERSION}") version=${2:?usage: release.sh FOLDER VERSION}
cd "$(dirname "$0")/../.."
mkdir -p "$out"; work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
build() { CGO_ENABLED=0 GOOS=$1 GOARCH=$2 go build -trimpath -buildvcs=auto -ldflags='-s -w' -o "$3" ./cmd/rackmate; }

build "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)" "$work/here"
# A version is made when all sentences are in all languages that say they have them.
"$work/here" language check || [ "$version" = check ] || { echo "translate these first: see data/sentences/README.md" >&2; exit 1; }
mkdir "$work/extra"
"$work/here" man >"$work/extra/rackmate.1"
for shell in bash zsh fish; do "$work/here" completion $shell >"$work/extra/rackmate.$shell"; done
cp LICENSE README.md "$work/extra/"
# What others' licences ask for: their texts, and where the embedded files come from.
{
	cat data/SOURCES.md
	printf '\n== Go\n\n'; cat "$(go env GOROOT)/LICENSE"
	for target in linux darwin windows; do
		GOOS=$target go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' ./cmd/rackmate
	done | sort -u | while read -r path dir; do
		printf '\n== %s\n\n' "$path"; find "$dir" -maxdepth 1 -type f \( -iname 'licen[sc]e*' -o -iname 'copying*' \) -exec cat {} +
	done
} >"$work/extra/THIRD-PARTY-LICENSES.md"
"$work/here" sbom >"$out/rackmate-$version.cdx.json"

for target in ${RACKMATE_TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}; do
	os=${target%/*} arch=${target#*/} name=rackmate-$version-${target%/*}-${target#*/}
	mkdir "$work/$name"; cp "$work"/extra/* "$work/$name/"
	[ "$os" != linux ] || cp .github/deploy/rackmate.service "$work/$name/"
	if [ "$os" = windows ]; then
		build "$os" "$arch" "$work/$name/rackmate.exe"
		(cd "$work" && rm -f "$out/$name.zip" && zip -qrX "$out/$name.zip" "$name")
	else
		build "$os" "$arch" "$work/$name/rackmate"
		tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work" -cf - "$name" | gzip -n -9 >"$out/$name.tar.gz"
	fi
done
cd "$out"; sha256sum rackmate-"$version"* >SHA256SUMS
ls -l
