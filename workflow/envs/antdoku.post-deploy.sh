# Installs the package into the active environment, that of antdoku.yaml. Snakemake runs this where it
# works: in the project, or with `--directory .test` in a folder of it.
test -f pyproject.toml || cd ..
python -m pip install --no-deps --no-build-isolation --editable .
