"""AC3 as in the textbook: domains are sets, the queue holds arcs, an arc is revised by supports."""

from naive.grid import peers


def ac3(order, domains):
    """Make `domains` (list of sets) arc consistent, in place; None: a domain is wiped out."""
    neighbours = peers(order)
    arcs = [(x, y) for x, others in enumerate(neighbours) for y in others]
    while arcs:
        x, y = arcs.pop()
        if _revise(domains, x, y):
            if not domains[x]:
                return None
            arcs += [(z, x) for z in neighbours[x] if z != y]
    return domains


def _revise(domains, x, y):
    """Remove from `x` the values without a support in `y`; tell whether there were any."""
    unsupported = {value for value in domains[x] if not any(other != value for other in domains[y])}
    domains[x] -= unsupported
    return bool(unsupported)
