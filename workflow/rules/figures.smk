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
        data="src/antdoku/data/named_9x9.csv",
    output:
        "<results>/instances/example.json",
    log:
        "<logs>/instances/example.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=fingerprint("instances.example", "solvers.bs"),
    script:
        "../scripts/example.py"


for figure in [figure for figure in FIGURES if figure not in TABLES]:

    rule:
        name:
            f"figure_{figure}"
        input:
            content="<results>/instances/example.json",
        output:
            report(
                f"<results>/figures/{figure}.png",
                caption=f"../report/{figure}.rst",
                category="Figures",
                labels={"figure": figure},
            ),
            multiext(f"<results>/figures/{figure}", ".pdf", ".svg"),
        log:
            f"<logs>/figures/{figure}.log",
        localrule: True
        conda:
            "../../environment.yml"
        params:
            code=fingerprint("figures"),
            name=figure,
        script:
            "../scripts/figure_of_puzzle.py"


for figure in [figure for figure in FIGURES if figure in TABLES]:

    rule:
        name:
            f"figure_{figure}"
        input:
            content=f"<results>/tables/{figure}.csv",
        output:
            report(
                f"<results>/figures/{figure}.png",
                caption=f"../report/{figure}.rst",
                category="Beyond the papers" if figure.startswith("beyond") else "Figures",
                labels={"figure": figure},
            ),
            multiext(f"<results>/figures/{figure}", ".pdf", ".svg"),
        log:
            f"<logs>/figures/{figure}.log",
        localrule: True
        conda:
            "../../environment.yml"
        params:
            code=fingerprint("figures", "tables"),
            name=figure,
        script:
            "../scripts/figure_of_table.py"
