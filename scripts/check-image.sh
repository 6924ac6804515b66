#!/usr/bin/env bash
# Builds the Debian image of a release without a Docker daemon and runs it: scripts/check-image.sh RELEASE_DIRECTORY.
# Needs root, buildah and debootstrap. The base image is made from Debian's packages.
set -euo pipefail
release=$(realpath "${1:?directory of a release}")
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
work=$(mktemp -d)
image=localhost/terrane-image-check
base=docker.io/library/debian:12-slim
containers=()
clean() {
  for container in "${containers[@]}"; do buildah rm "$container" >/dev/null || true; done
  buildah rmi --force "$image" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean EXIT

if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  debootstrap --variant=minbase bookworm "$work/base" >/dev/null
  container=$(buildah from scratch)
  containers+=("$container")
  mounted=$(buildah mount "$container")
  cp -a "$work/base/." "$mounted/"
  # The packages come from where this machine gets its own.
  cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d "$mounted/etc/apt/"
  buildah umount "$container" >/dev/null
  buildah commit --quiet "$container" "$base" >/dev/null
fi
buildah bud --pull-never --quiet --file "$release/docker/Dockerfile.slim" --tag "$image" "$release"

container=$(buildah from --pull-never "$image")
containers+=("$container")
printf 'resource "terraform_data" "a" {\n  input = 1\n}\n' >"$work/main.tf"
buildah copy --quiet "$container" "$work/main.tf" /workspace/main.tf >/dev/null
buildah run "$container" -- sh -ec '
  [ "$(id -u)" = 1000 ]
  git --version
  ssh -V
  [ -s /etc/ssl/certs/ca-certificates.crt ]
  terrane version
  terrane init >/dev/null
  terrane apply -auto-approve -no-color
  [ "$(stat -c %a terraform.tfstate)" = 600 ]
  terrane plan -detailed-exitcode -no-color'
echo 'The image works.'
