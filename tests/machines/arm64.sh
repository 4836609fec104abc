#!/usr/bin/env bash
# Compare the results of the solvers on arm64 with the results on this machine. Debian's Python for
# arm64 and the wheels of requirements.lock run under QEMU. The first time takes some minutes,
# because all kernels are compiled.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${XDG_CACHE_HOME:-$HOME/.cache}/antdoku/arm64
root=$folder/root wheels=$folder/wheels
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)

skip() { echo "arm64: skipped: $1"; exit 0; }
[ -n "$qemu" ] || skip 'qemu-aarch64 is missing: install the package qemu-user'
command -v apt-get dpkg >/dev/null || skip 'Python for arm64 comes from apt-get and dpkg, which are missing'
[ -x .venv/bin/uv ] || skip 'the wheels for arm64 come from uv, which make setup did not find'

# apt gets separate settings and lists, so the packages of this machine do not change.
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

echo 'Comparing results here and on arm64'
.venv/bin/python tests/machines/outcomes.py >"$folder/here.txt"
PYTHONPATH=$PWD/src:$wheels XDG_CACHE_HOME=$folder \
  "$qemu" -L "$root" "$python" tests/machines/outcomes.py >"$folder/there.txt"
diff "$folder/here.txt" "$folder/there.txt"
echo "arm64: $(wc -l <"$folder/here.txt") outcomes are the same to the bit"
