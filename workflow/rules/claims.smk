# Runs -> verdicts on what the papers claim; `snakemake claims` prints a summary.
CLAIMS = [f"{RESULTS}/tables/claims.{ending}" for ending in ("csv", "md", "txt")]


rule table_claims:
    input:
        runs="<results>/tables/runs.parquet",
        ledger=[
            os.path.relpath(file)
            for name in ("claims.yaml", "readings.yaml")
            for file in papers.with_file(name)
        ],
        puzzles=f"{PACKAGE}/data/named_9x9.csv",
        papers=PAPERS,
    output:
        report(
            CLAIMS[0],
            caption="../report/claims.rst",
            category="Claims",
            labels={"table": "claims"},
        ),
        CLAIMS[1:],
    log:
        "<logs>/tables/claims.log",
    localrule: True
    params:
        code=fingerprint("claims.page", "claims.scale"),
    script:
        "../scripts/claims.py"


rule claims:
    input:
        "<results>/tables/claims.txt",
    log:
        "<logs>/claims.txt",
    localrule: True
    shell:
        "tee {log} < {input}"
