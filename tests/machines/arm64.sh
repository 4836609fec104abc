#!/usr/bin/env bash
# Do the solvers come to the same on arm64 as here? Debian's Python for arm64 and the wheels of
# requirements.lock run under QEMU; some minutes the first time, as all kernels are compiled there.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${XDG_CACHE_HOME:-$HOME/.cache}/antdoku/arm64
root=$folder/root wheels=$folder/wheels
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)

skip() { echo "arm64: skipped: $1"; exit 0; }
[ -n "$qemu" ] || skip 'there is no qemu-aarch64: the package qemu-user has it'
command -v apt-get dpkg >/dev/null || skip 'apt-get and dpkg bring Python for arm64: a Debian is needed'
[ -x .venv/bin/uv ] || skip 'uv brings the wheels for arm64: make setup found none'

# Of apt, settings and lists of its own: the packages of this machine stay as they are.
mkdir -p "$folder"/apt/archives/partial "$root"
export APT_CONFIG=$folder/apt.conf
cat >"$APT_CONFIG" <<END
APT::Architecture "arm64"; APT::Architectures "arm64"; APT::Install-Recommends "false";
Dir::State "$folder/apt"; Dir::State::status "/dev/null"; Dir::Cache "$folder/apt"; Debug::NoLocking "true";
END
{ apt-get -qq update && apt-get -qq -y --download-only install python3 libstdc++6; } 2>"$folder/log" ||
  skip "no packages of Debian for arm64, see $folder/log"
for package in "$folder"/apt/archives/*.deb; do dpkg -x "$package" "$root"; done
python=$(echo "$root"/usr/bin/python3.[0-9]*[0-9])
awk '/^[a-z].*==/ {is_core = /^(attrs|click|llvmlite|numba|numpy|pebble|psutil|pyyaml|rich)==/} is_core' \
  requirements.lock >"$folder/core.lock"
.venv/bin/uv pip install --quiet --no-deps --require-hashes --target "$wheels" -r "$folder/core.lock" \
  --python-platform aarch64-manylinux_2_28 --python-version "${python##*python}" 2>"$folder/log" ||
  skip "no wheels for arm64, see $folder/log"

echo 'Comparing what solvers come to here and on arm64'
.venv/bin/python tests/machines/outcomes.py >"$folder/here.txt"
PYTHONPATH=$PWD/src:$wheels XDG_CACHE_HOME=$folder \
  "$qemu" -L "$root" "$python" tests/machines/outcomes.py >"$folder/there.txt"
diff "$folder/here.txt" "$folder/there.txt"
echo "arm64: $(wc -l <"$folder/here.txt") outcomes are the same to the bit"
