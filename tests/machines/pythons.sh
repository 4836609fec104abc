#!/usr/bin/env bash
# The short tests once with each newer Python that is here, or that uv can bring.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${XDG_CACHE_HOME:-$HOME/.cache}/antdoku/pythons
# Of pyenv, those that no `pyenv global` has chosen, too.
PATH=$PATH$(printf ':%s' "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin)
[ -x .venv/bin/uv ] || { echo 'other Pythons: skipped: uv is not in .venv'; exit 0; }

for version in 3.12 3.13 3.14; do
  venv=$folder/$version
  if ! .venv/bin/uv venv --quiet --clear --python "$version" "$venv" 2>/dev/null; then
    echo "Python $version: skipped: it is not here, and uv cannot bring it"
    continue
  fi
  echo "Python $version: the short tests"
  install=(.venv/bin/uv pip install --quiet --no-deps --python "$venv/bin/python")
  "${install[@]}" --require-hashes -r requirements.lock
  "${install[@]}" --no-build-isolation -e .
  "$venv/bin/python" -m pytest -q -p no:cacheprovider tests
done
