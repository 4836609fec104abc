# Tables -> figures: each figure from the table of its name, or from the example puzzle.
from antdoku import figures

OF_PUZZLE = figures.of_puzzle(CONFIG.experiments)
FIGURES = [name for name in figures.every() if name in [*TABLES, *OF_PUZZLE]]


rule example:
    input:
        data=f"{PACKAGE}/data/named_9x9.csv",
    output:
        "<results>/instances/example.json",
    log:
        "<logs>/instances/example.log",
    localrule: True
    params:
        code=fingerprint("instances.example", "solvers.dlx"),
    script:
        "../scripts/example.py"


# One job draws all figures of a paper, as with tables, two at a time.
for paper, names in tables.by_paper(FIGURES).items():

    rule:
        name:
            f"figures_{paper}"
        input:
            tables=[f"<results>/tables/{name}.csv" for name in names if name in TABLES],
            puzzle="<results>/instances/example.json" if {*OF_PUZZLE} & {*names} else [],
        output:
            expand("<results>/figures/{name}.{form}", name=names, form=("pdf", "svg")),
            png=[
                report(
                    f"<results>/figures/{name}.png",
                    caption=CAPTIONS[name],
                    category=papers.title(paper),
                    labels={"figure": name},
                )
                for name in names
            ],
        log:
            f"<logs>/figures/{paper}.log",
        localrule: True
        threads: 2
        params:
            code=fingerprint(
                "figures",
                *sorted({*tables.modules(names), *figures.modules(names)}, key=str),
            ),
        script:
            "../scripts/figures.py"
