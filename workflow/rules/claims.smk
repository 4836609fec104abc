# Runs -> verdicts on what the papers claim; `snakemake claims` prints a summary.
CLAIMS = [f"{RESULTS}/tables/claims.{ending}" for ending in ("csv", "md", "txt")]


rule table_claims:
    input:
        runs="<results>/tables/runs.parquet",
        ledger=f"{PACKAGE}/claims/claims.yaml",
        readings=f"{PACKAGE}/claims/readings.yaml",
        puzzles=f"{PACKAGE}/data/named_9x9.csv",
        published=f"{PACKAGE}/data/published_results.csv",
        work=f"{PACKAGE}/data/work_of_limits.csv",
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
