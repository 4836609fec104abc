# Installs the package into the active environment, that of environment.yml. Snakemake runs this in
# its working directory, the project's, once it has made the environment.
python -m pip install --no-deps --no-build-isolation --editable .
