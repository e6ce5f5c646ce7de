#!/usr/bin/env bash
# usage: image.sh OUT.tar [smoke]
#
# Builds an image for amd64 and arm64 as an OCI archive, for "docker load", "podman
# load" or "skopeo copy oci-archive:OUT.tar ...". Docker's older store holds one
# architecture of an image: it takes that of this computer, or RACKMATE_ARCH. It needs
# Go, tar and this computer's CA certificates, and no network but the Go module proxy. There is
# nothing in the image but the program: no shell, no libc. It runs as user 65532,
# keeps everything in /data, and listens on port 8080:
#
#     docker run -e RACKMATE_HOST=play.example.org -v rackmate:/data -p 127.0.0.1:8080:8080 rackmate
#
# With "smoke" what was built is tried in a folder of its own, as that user: needs root.
set -euo pipefail
out=$(realpath -m "${1:?usage: image.sh OUT.tar [smoke]}")
cd "$(dirname "$0")/../.."
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
certs=/etc/ssl/certs/ca-certificates.crt
[ -f "$certs" ] || { echo "$certs is missing: install ca-certificates" >&2; exit 1; }
user=65532
own=${RACKMATE_ARCH:-$(go env GOHOSTARCH)}
blobs=$work/image/blobs/sha256; mkdir -p "$blobs"

# keep FILE: makes it a blob, and prints its digest.
keep() { local sum; sum=$(sha256sum "$1" | cut -d' ' -f1); mv "$1" "$blobs/$sum"; echo "$sum"; }
size() { stat -c %s "$blobs/$1"; }

manifests=
for arch in amd64 arm64; do
	root=$work/$arch; mkdir -p "$root"/{data,tmp,etc/ssl/certs}
	CGO_ENABLED=0 GOOS=linux GOARCH=$arch go build -trimpath -buildvcs=auto -ldflags='-s -w' -o "$root/rackmate" ./cmd/rackmate
	cp "$certs" "$root/etc/ssl/certs/"
	echo "rackmate:x:$user:$user::/data:/none" >"$root/etc/passwd"
	chmod 0755 "$root" "$root"/etc{,/ssl,/ssl/certs} "$root/rackmate"; chmod 0644 "$root"/etc/{passwd,ssl/certs/*}
	chmod 0700 "$root/data"; chmod 1777 "$root/tmp"
	flags=(--sort=name --mtime=@0 --numeric-owner --format=ustar -C "$root")
	tar "${flags[@]}" --owner=0 --group=0 -cf "$work/layer.tar" rackmate etc tmp
	tar "${flags[@]}" --owner=$user --group=$user -rf "$work/layer.tar" data
	diff=$(sha256sum "$work/layer.tar" | cut -d' ' -f1)
	gzip -n -9 "$work/layer.tar"; layer=$(keep "$work/layer.tar.gz")
	cat >"$work/config" <<JSON
{"architecture":"$arch","os":"linux","created":"1970-01-01T00:00:00Z","config":{"User":"$user:$user","Entrypoint":["/rackmate"],"Cmd":["serve"],"WorkingDir":"/data","Volumes":{"/data":{}},"ExposedPorts":{"8080/tcp":{}},"StopSignal":"SIGTERM","Env":["RACKMATE_LISTEN=:8080","RACKMATE_DATA=/data/rackmate.db"],"Healthcheck":{"Test":["CMD","/rackmate","health","--live"],"Interval":30000000000,"Timeout":5000000000,"StartPeriod":10000000000,"Retries":3},"Labels":{"org.opencontainers.image.title":"Rackmate","org.opencontainers.image.licenses":"MIT"}},"rootfs":{"type":"layers","diff_ids":["sha256:$diff"]}}
JSON
	config=$(keep "$work/config")
	cat >"$work/manifest" <<JSON
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:$config","size":$(size "$config")},"layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip","digest":"sha256:$layer","size":$(size "$layer")}]}
JSON
	manifest=$(keep "$work/manifest")
	[ $arch != "$own" ] || printf '[{"Config":"blobs/sha256/%s","RepoTags":["rackmate:latest"],"Layers":["blobs/sha256/%s"]}]\n' "$config" "$layer" >"$work/image/manifest.json"
	manifests+=${manifests:+,}"{\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\",\"digest\":\"sha256:$manifest\",\"size\":$(size "$manifest"),\"platform\":{\"architecture\":\"$arch\",\"os\":\"linux\"}}"
	echo "$arch: program $(stat -c %s "$root/rackmate") bytes, beside it $(($(du -sb "$root" | cut -f1) - $(stat -c %s "$root/rackmate"))), compressed $(size "$layer")"
done
printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[%s]}\n' "$manifests" >"$work/index"
index=$(keep "$work/index")
printf '{"schemaVersion":2,"manifests":[{"mediaType":"application/vnd.oci.image.index.v1+json","digest":"sha256:%s","size":%s,"annotations":{"io.containerd.image.name":"docker.io/library/rackmate:latest","org.opencontainers.image.ref.name":"latest"}}]}\n' "$index" "$(size "$index")" >"$work/image/index.json"
printf '{"imageLayoutVersion":"1.0.0"}\n' >"$work/image/oci-layout"
[ -f "$work/image/manifest.json" ] || { echo "there is no image for RACKMATE_ARCH=$own" >&2; exit 1; }
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work/image" -cf "$out" oci-layout index.json manifest.json blobs
echo "$out: $(stat -c %s "$out") bytes"

[ "${2:-}" = smoke ] || exit 0
# What is in the archive, found the way a runtime does, run as the image's user.
cd "$work"; mkdir tried; tar -xf "$out" -C tried
blob() { cat "tried/blobs/sha256/$1"; }
digests() { grep -o 'sha256:[0-9a-f]*' | cut -d: -f2; }
case $(uname -m) in x86_64) nth=1 ;; aarch64) nth=2 ;; *) echo "no image for this machine" >&2; exit 1 ;; esac
manifest=$(blob "$(digests <tried/index.json | head -1)" | digests | sed -n ${nth}p)
mkdir root; blob "$(blob "$manifest" | digests | sed -n 2p)" | tar -xz --same-owner -p -C root
program() { env -i PATH="$PATH" RACKMATE_LISTEN=127.0.0.1:18089 RACKMATE_DATA=/data/rackmate.db chroot --userspec=$user:$user root /rackmate "$@"; }
program version
program serve 2>log & host=$!
for _ in $(seq 100); do program health --live >/dev/null 2>&1 && break; sleep 0.1; done
program health
[ "$(stat -c '%u %a' root/data/rackmate.db)" = "$user 600" ] || { echo "the data belongs to another" >&2; exit 1; }
pid=$(pgrep -P $host -f '/rackmate serve' || echo $host)
kill -TERM "$pid"; wait $host || { cat log >&2; exit 1; }
echo "the image runs, says that it is well, and stops"
