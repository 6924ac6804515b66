#!/usr/bin/env bash
# Installs a release with brew or asdf, which must be on PATH, and prints the time to the first apply:
# scripts/time-installation.sh homebrew|asdf RELEASE_DIRECTORY. The files are served on this machine.
set -euo pipefail
method=${1:?homebrew or asdf}
release=$(realpath "${2:?directory of a release}")
work=$(mktemp -d)
clean() {
  kill "$server" 2>/dev/null || true
  rm -rf "$work"
}
(cd "$release" && exec python3 -u -m http.server --bind 127.0.0.1 0) >"$work/server" 2>/dev/null &
server=$!
trap clean EXIT
until address=$(grep -o 'http://127[^/]*' "$work/server"); do sleep 0.1; done
mkdir "$work/project"
printf 'resource "terraform_data" "a" {}\n' >"$work/project/main.tf"
cd "$work/project"
export CHECKPOINT_DISABLE=1
version=$(sed -n 's/^  version "\(.*\)"$/\1/p' "$release/terrane.rb")
git_commit() {
  git -C "$1" add --all
  git -C "$1" -c user.name=a -c user.email=a@example.com commit --quiet --message=a
}
report() {
  echo "$method: $((($(date +%s%N) - began) / 1000000)) ms to the first applied plan"
}

case $method in
  homebrew)
    export HOMEBREW_NO_AUTO_UPDATE=1 HOMEBREW_NO_ANALYTICS=1 HOMEBREW_NO_INSTALL_FROM_API=1 HOMEBREW_NO_ENV_HINTS=1
    began=$(date +%s%N)
    git init --quiet "$work/tap"
    mkdir "$work/tap/Formula"
    sed "s|https\?://[^\"]*/releases/download/v$version/|$address/|" "$release/terrane.rb" >"$work/tap/Formula/terrane.rb"
    git_commit "$work/tap"
    brew tap local/terrane "$work/tap"
    brew install local/terrane/terrane
    "$(brew --prefix)/bin/terrane" apply -auto-approve
    report
    test -e "$(brew --prefix)/share/man/man1/terrane-plan.1"
    test -e "$(brew --prefix)/etc/bash_completion.d/terrane"
    brew uninstall terrane
    brew untap local/terrane
    ;;
  asdf)
    began=$(date +%s%N)
    git init --quiet "$work/plugin"
    cp -r "$release/asdf/." "$work/plugin"
    git_commit "$work/plugin"
    export TERRANE_DOWNLOAD_URL=$address
    asdf plugin add terrane "$work/plugin"
    asdf install terrane "$version"
    echo "terrane $version" >.tool-versions
    asdf exec terrane apply -auto-approve
    report
    asdf uninstall terrane "$version"
    asdf plugin remove terrane
    ;;
  *) echo "There is no method \"$method\"; use homebrew or asdf." >&2; exit 2 ;;
esac
echo "$method works."
