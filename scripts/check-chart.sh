#!/usr/bin/env bash
# Checks the Helm chart with Helm itself, which it builds from its Go module into a cache: `helm lint`, and the rendered
# objects with the default values, an ingress, and a Job for each run.
set -euo pipefail
version=3.18.6
folder=${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/helm-$version
if [ ! -x "$folder/helm" ]; then
  mkdir -p "$folder"
  CGO_ENABLED=0 GOFLAGS=-mod=mod GOBIN=$folder go install "helm.sh/helm/v3/cmd/helm@v$version"
fi
chart=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/deploy/chart
for options in '' '--set ingress.enabled=true' '--set kubernetesJobs.enabled=true'; do
  # shellcheck disable=SC2086 # several options
  "$folder/helm" lint --strict $options "$chart"
  # shellcheck disable=SC2086
  "$folder/helm" template release $options "$chart" | grep '^kind:' | sort | uniq -c
done
