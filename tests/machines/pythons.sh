#!/usr/bin/env bash
# Run the short tests, or the named ones, with each newer Python that is installed or that uv installs.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${XDG_CACHE_HOME:-$HOME/.cache}/antdoku/pythons
mkdir -p "$folder"
# Include versions of pyenv that `pyenv global` has not chosen.
PATH=$PATH$(printf ':%s' "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin)
[ -x .venv/bin/uv ] || { echo 'other Pythons: skipped: make setup found no uv'; exit 0; }

install() {
  .venv/bin/uv venv --quiet --seed --clear --python "$version" "$venv" &&
    .venv/bin/uv pip install --quiet --no-deps --python "$venv" --require-hashes -r requirements.lock &&
    .venv/bin/uv pip install --quiet --no-deps --python "$venv" --no-build-isolation -e .
}

for version in 3.12 3.13 3.14; do
  venv=$folder/$version
  if install 2>"$venv.log"; then
    echo "Python $version: $(printf '%s ' "${@:-the short tests}")"
    "$venv/bin/python" -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder "${@:-tests}"
  else
    echo "Python $version: skipped: it, or a package, cannot be installed, see $venv.log"
  fi
done
