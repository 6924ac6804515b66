#!/usr/bin/env bash
# Installs the server that answers as Google Cloud Storage does, which tests of the gcs backend ask, into a cache of its
# own. It is a program in Go, and is built here.
set -euo pipefail
cache="${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/fake-gcs"
[ -x "$cache/fake-gcs-server" ] && exit 0
mkdir -p "$cache"
GOBIN="$cache" go install github.com/fsouza/fake-gcs-server@v1.56.1
