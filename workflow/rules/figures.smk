# Tables -> figures: each figure from the table of its name, or from the example puzzle.
from antdoku import figures

FIGURES = [
    name
    for name in figures.names()
    if name in TABLES
    or (name in figures.PUZZLE_FIGURES and name.startswith(tuple(CONFIG.experiments)))
]


rule example:
    input:
        data=f"{PACKAGE}/data/named_9x9.csv",
    output:
        "<results>/instances/example.json",
    log:
        "<logs>/instances/example.log",
    localrule: True
    params:
        code=fingerprint("instances.example", "solvers.bs"),
    script:
        "../scripts/example.py"


# One job draws all figures of a paper, as with tables, two at a time.
for paper, names in by_paper(FIGURES, CONFIG.experiments).items():

    rule:
        name:
            f"figures_{paper}"
        input:
            tables=[f"<results>/tables/{name}.csv" for name in names if name in TABLES],
            puzzle=(
                "<results>/instances/example.json"
                if figures.PUZZLE_FIGURES.keys() & {*names}
                else []
            ),
        output:
            expand("<results>/figures/{name}.{form}", name=names, form=("pdf", "svg")),
            png=[
                report(
                    f"<results>/figures/{name}.png",
                    caption=f"../report/{name}.rst",
                    category="Beyond the papers" if paper in BEYOND else "Figures",
                    labels={"figure": name},
                )
                for name in names
            ],
        log:
            f"<logs>/figures/{paper}.log",
        localrule: True
        threads: 2
        params:
            code=fingerprint("figures", "tables", *figures.modules(names)),
        script:
            "../scripts/figures.py"
