#!/usr/bin/env bash
# The short tests, or those named, once with each newer Python that is here or that uv can bring.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${XDG_CACHE_HOME:-$HOME/.cache}/antdoku/pythons
mkdir -p "$folder"
# Of pyenv, those that no `pyenv global` has chosen, too.
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
    echo "Python $version: skipped: it, or a package, is not to be had, see $venv.log"
  fi
done
