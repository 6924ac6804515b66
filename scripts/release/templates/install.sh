#!/bin/sh
# Installs Terrane @VERSION@: downloads the archive for this machine, verifies its checksum and unpacks it.
#
#   TERRANE_INSTALL_DIR   directory that gets bin/terrane and share/ (default: ~/.local)
#   TERRANE_DOWNLOAD_URL  address of the files of the release, for mirrors
set -eu

main() {
  version=@VERSION@
  address=${TERRANE_DOWNLOAD_URL:-@DOWNLOAD@}
  target=${TERRANE_INSTALL_DIR:-${HOME:?Set HOME or TERRANE_INSTALL_DIR.}/.local}
  case $target in
    /*) ;;
    *) target=$PWD/$target ;;
  esac

  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "there is no executable for $(uname -s). On Windows, use install.ps1; elsewhere, use npm." ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) processor=amd64 linker=/lib64/ld-linux-x86-64.so.2 ;;
    aarch64 | arm64) processor=arm64 linker=/lib/ld-linux-aarch64.so.1 ;;
    *) fail "there is no executable for $(uname -m). Use npm: npm install --global terrane" ;;
  esac
  if [ "$system" = linux ] && [ ! -e "$linker" ]; then
    fail "the executable needs glibc, which this system lacks. Use npm: npm install --global terrane"
  fi

  archive=terrane_${version}_${system}_${processor}.tar.gz
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  echo "Downloading $archive"
  download "$address/SHA256SUMS" "$work/SHA256SUMS"
  download "$address/$archive" "$work/$archive"

  expected=$(awk -v name="$archive" '$2 == name { print $1 }' "$work/SHA256SUMS")
  [ -n "$expected" ] || fail "SHA256SUMS does not list $archive. Nothing was installed."
  actual=$(digest "$work/$archive")
  if [ "$expected" != "$actual" ]; then
    fail "the checksum of $archive is $actual instead of $expected. Nothing was installed."
  fi

  mkdir "$work/files"
  tar -xzf "$work/$archive" -C "$work/files"
  # Whether the program runs here does not depend on the configuration of the user.
  if ! message=$(TF_CLI_CONFIG_FILE=/dev/null "$work/files/terrane" version 2>&1); then
    case $message in
      *libatomic*) message="$message. On Debian and Ubuntu, install libatomic1; on Fedora, libatomic" ;;
    esac
    fail "the executable does not run here: $message. Nothing was installed."
  fi
  place "$work/files/terrane" "$target/bin/terrane" 755
  place "$work/files/completions/terrane.bash" "$target/share/bash-completion/completions/terrane" 644
  place "$work/files/completions/_terrane" "$target/share/zsh/site-functions/_terrane" 644
  place "$work/files/completions/terrane.fish" "$target/share/fish/vendor_completions.d/terrane.fish" 644
  place "$work/files/THIRD-PARTY-NOTICES.txt" "$target/share/doc/terrane/THIRD-PARTY-NOTICES.txt" 644
  for page in "$work"/files/man/man1/*.1; do
    place "$page" "$target/share/man/man1/${page##*/}" 644
  done

  echo "Installed Terrane $version as $target/bin/terrane"
  case :${PATH:-}: in
    *:"$target/bin":*) ;;
    *) echo "Add $target/bin to PATH to run it as \"terrane\"." ;;
  esac
}

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

download() {
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --show-error --location --output "$2" "$1" || fail "$1 cannot be downloaded."
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1" || fail "$1 cannot be downloaded."
  else
    fail "neither curl nor wget is installed."
  fi
}

digest() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    fail "neither sha256sum nor shasum is installed, so the archive cannot be verified."
  fi
}

# Replaces a file at once, so that a running program keeps its own.
place() {
  mkdir -p "${2%/*}"
  cp "$1" "$2.new"
  chmod "$3" "$2.new"
  mv -f "$2.new" "$2"
}

# Called last: a script that was downloaded in part does nothing.
main "$@"
