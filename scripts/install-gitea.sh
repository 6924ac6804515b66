#!/usr/bin/env bash
# Builds Gitea from its Go module into a cache of its own, for tests of the run server with version control. The module
# has no scripts for browsers, which the tests do not need. Running it again is free. Prints where it is.
set -euo pipefail
version=1.26.0
folder=${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/gitea-$version
if [ ! -x "$folder/gitea" ]; then
  export GOFLAGS=-mod=mod CGO_ENABLED=0
  module=$(go mod download -json "code.gitea.io/gitea@v$version" |
    node -p 'JSON.parse(require("fs").readFileSync(0)).Dir')
  mkdir -p "$folder"
  work=$(mktemp -d "$folder/build.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  cp -r "$module" "$work/source"
  chmod -R u+w "$work/source"
  (cd "$work/source" && go build -trimpath -ldflags "-s -w -X main.Version=$version" -o "$work/gitea" .)
  for static in templates options public; do
    rm -rf "${folder:?}/$static"
    mv "$work/source/$static" "$folder/$static"
  done
  mv "$work/gitea" "$folder/gitea"
fi
echo "$folder"
