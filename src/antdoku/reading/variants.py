"""Rules of variants of Sudoku, which are refused."""

import re
from functools import lru_cache

from antdoku.errors import InputError, quote
from antdoku.reading.values import is_list, is_mapping

# Rules of variants: keys in JSON, or texts under `type` and `kind`, without the s of a plural.
VARIANTS = {
    *("antiking", "antiknight", "arrow", "betweenline", "cage", "clone", "constraint", "diagonal"),
    *("disjointgroup", "extraregion", "hyper", "irregular", "jigsaw", "killer", "killercage"),
    *("kropki", "kropkidot", "littlekiller", "littlekillersum", "nonconsecutive", "palindrome"),
    *("quadruple", "region", "renban", "rule", "ruleset", "samurai", "sandwich", "sandwichsum"),
    *("skyscraper", "thermo", "thermometer", "variant", "whisper", "windoku", "xv"),
}
OF_RUN = {"instance_id", "variant", "solver"}  # a run of ours, whose variant is of its solver
PLAIN_RULES = {  # values that say that a key adds no rules
    *("", "0", "classic", "false", "nan", "no", "none", "normal", "normalsudokurulesapply"),
    *("regular", "standard", "sudoku"),
}


def check_rules(record, source=""):
    """Raise `InputError` if a key of an object, or of an object in it, holds rules of a variant."""
    for key, value in record.items():
        stem = stem_of(str(key))
        if (stem in VARIANTS or stem in ("type", "kind")) and not record.keys() >= OF_RUN:
            values = {stem_of(str(item)) for item in (value if is_list(value) else [value])}
            if values & VARIANTS or (stem in VARIANTS and not values <= PLAIN_RULES):
                text = f"{quote(str(key))}: rules of a variant: allowed is plain Sudoku"
                raise InputError(text, source)
        if is_mapping(value):
            check_rules(value, source)


@lru_cache(1024)
def stem_of(word):
    """Return a word in small letters, without the s of a plural."""
    return re.sub("[^a-z0-9]", "", word.lower()).removesuffix("s")
