#!/usr/bin/env bash
# Builds Open Policy Agent from its Go module into a cache of its own, for the tests of policy checkers. Running it again
# is free. Prints where it is.
set -euo pipefail
version=0.70.0
folder=${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/opa-$version
if [ ! -x "$folder/opa" ]; then
  export GOFLAGS=-mod=mod CGO_ENABLED=0
  mkdir -p "$folder"
  work=$(mktemp -d "$folder/build.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  (
    cd "$work"
    go mod init example.com/opa
    go get "github.com/open-policy-agent/opa@v$version"
    go build -trimpath -ldflags '-s -w' -o opa github.com/open-policy-agent/opa
  ) >&2
  mv "$work/opa" "$folder/opa"
fi
echo "$folder"
