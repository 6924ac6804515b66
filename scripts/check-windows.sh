#!/usr/bin/env bash
# Runs the Windows executable of a release under Wine 10: scripts/check-windows.sh RELEASE_DIRECTORY.
# Needs root and debootstrap: Wine of Debian 13 is installed into a directory of its own, once, which takes minutes.
set -euo pipefail
release=$(realpath "${1:?directory of a release}")
system="${XDG_CACHE_HOME:-$HOME/.cache}/terrane-servers/wine"
if [ ! -e "$system/installed" ]; then
  rm -rf "$system"
  mkdir -p "$system"
  debootstrap --variant=minbase --include=wine64,wine trixie "$system/root" >&2
  touch "$system/installed"
fi
root=$system/root
rm -rf "$root/check" "$root/wine-home"
mkdir -p "$root/check" "$root/wine-home"
trap 'rm -rf "$root/check" "$root/wine-home"' EXIT

# Runs a program of Windows in the project; its standard output is a file, as Node cannot open pipes that Wine inherits.
windows() {
  unshare --mount --fork bash -c '
    root=$1; shift
    mount --bind /proc "$root/proc"
    mount --bind /dev "$root/dev"
    exec chroot "$root" /usr/bin/env -i HOME=/wine-home WINEPREFIX=/wine-home/prefix WINEDEBUG=-all \
      PATH=/usr/bin:/bin CHECKPOINT_DISABLE=1 WINEPATH=Z:\\check\\bin \
      sh -c "cd /check/project && exec timeout 120 wine \"\$@\"" wine "$@"' windows "$root" "$@" >"$root/check/output" 2>"$root/check/errors" </dev/null || {
    status=$?
    cat "$root/check/output" "$root/check/errors" >&2
    return "$status"
  }
  cat "$root/check/output"
}

mkdir -p "$root/check/project/child" "$root/check/bin"
cat >"$root/check/project/main.tf" <<'END'
resource "terraform_data" "a" {
    input = abspath(path.root)
}
module "child" {
  source = "./child"
}
resource "random_pet" "name" {}
resource "local_file" "file" {
  filename = "${path.module}/name.txt"
  content  = random_pet.name.id
}
output "root" { value = terraform_data.a.output }
END
echo 'output "a" { value = basename(path.module) }' >"$root/check/project/child/main.tf"
windows wineboot --init >/dev/null
began=$(date +%s%N)
python3 -m zipfile -e "$release"/terrane_*_windows_amd64.zip "$root/check/bin"
terrane() { windows 'Z:\check\bin\terrane.exe' "$@"; }
terrane init -input=false -no-color >/dev/null
terrane apply -auto-approve -no-color
echo "From the archive to the first apply under Wine: $((($(date +%s%N) - began) / 1000000)) ms."
terrane version | grep '^on windows_amd64'
terrane fmt | tr -d '\r' | grep -x main.tf
grep -q '^  input = abspath' "$root/check/project/main.tf"
terrane validate -no-color | grep 'configuration is valid'
terrane output -raw root | grep -x 'Z:/check/project'
terrane plan -detailed-exitcode -no-color | grep 'No changes'
terrane show -json | python3 -m json.tool >/dev/null
terrane destroy -auto-approve -no-color | grep 'Destroy complete'
test ! -e "$root/check/project/name.txt"
echo 'The executable works under Wine.'
