#!/usr/bin/env bash
# ARCHITECTURE (as Debian calls it) FOLDER PACKAGE...: unpacks Debian packages of another architecture, and all that
# they depend on, into FOLDER/root. apt keeps its lists, what it downloads and its notion of what is installed (nothing)
# in FOLDER, so that the machine stays as it was; nobody has to be root.
set -euo pipefail

architecture=$1 folder=$2
packages=("${@:3}")
wanted="$architecture ${packages[*]}"
[[ ! -f $folder/unpacked || $(<"$folder/unpacked") != "$wanted" ]] || exit 0

rm -rf "$folder"
mkdir -p "$folder"/{state/lists/partial,cache/archives/partial,root}
: >"$folder/state/status"
cat >"$folder/apt.conf" <<END
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Dir::State "$folder/state";
Dir::State::status "$folder/state/status";
Dir::Cache "$folder/cache";
END
export APT_CONFIG=$folder/apt.conf
apt-get -qq update
apt-get -qq -y --download-only install "${packages[@]}"
for package in "$folder"/cache/archives/*.deb; do dpkg -x "$package" "$folder/root"; done
rm -rf "$folder/cache" "$folder/state"

# Links from the root of a system lead into this one. What Debian chooses among several by links that only an
# installation makes: the reference BLAS and LAPACK.
cd "$folder/root"
find . -type l -lname '/*' -printf '%P\t%l\n' | while IFS=$'\t' read -r link target; do
  up=$(dirname "$link" | sed 's|[^/][^/]*|..|g')
  ln -sfn "$up$target" "$link"
done
for library in usr/lib/*/{blas/libblas,lapack/liblapack}.so{,.3}; do
  ln -sfn "$(basename "$(dirname "$library")")/$(basename "$library")" "${library%/*/*}/$(basename "$library")"
done
printf '%s' "$wanted" >"$folder/unpacked"
