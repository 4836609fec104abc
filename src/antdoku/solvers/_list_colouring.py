"""List colouring for local search, with counts of conflicts that are kept up to date.

A Sudoku is a graph whose vertices are the cells that propagation leaves open, with the candidates
as colours. A node is a cell with one of its candidates; two nodes are neighbours if their
values are equal and their cells see each other. Choosing one node a cell, no two of them
neighbours, solves the puzzle.

The conflicts of a node are its chosen neighbours. The nodes of a cell lie together in a row of
whole vectors, one byte each, so that a few vector instructions find the best node:

    bit 7: the node is tabu | bit 6: it is chosen | bits 0-5: its conflicts | all bits: no node

The chosen neighbours lie in three units. So 64 conflicts of a node would take more than six hundred
conflicts between cells of one value; in a random filling a node has about three.

Reference: Jin & Hao 2019, "Solving the Latin square completion problem by memetic graph coloring"
(IEEE Trans. Evol. Comput. 23) for the reduction and the graph.

Glossary: cost = pairs of chosen nodes that are neighbours; cell in conflict = a cell whose chosen
node has conflicts. Cells are numbered among the open cells.
"""

from collections import namedtuple

import numpy as np

from antdoku.kernels.bits import ONE
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.randomness import below
from antdoku.kernels.vectors import LANES
from antdoku.puzzle.grid import peers

CHOSEN, TABU = np.uint8(1 << 6), np.uint8(1 << 7)
CONFLICTS = np.uint8(CHOSEN - 1)
NO_NODE = np.uint8(255)
NOWHERE = -1


Graph = namedtuple("Graph", "row size cell value begin neighbours")
Colouring = namedtuple("Colouring", "marks chosen in_conflict index_of at")
COST, N_IN_CONFLICT = range(2)  # indices of `Colouring.at`


def new_graph(candidates: np.ndarray, order: int) -> tuple[Graph, np.ndarray]:
    """Return the graph of the cells with two or more `candidates` (bool, (c, d)), and these cells.

    Its nodes lie row after row; each byte of a row is a node.
    """
    n_candidates = candidates.sum(axis=1)
    cells = np.flatnonzero(n_candidates > 1)
    sizes = n_candidates[cells]
    rows = np.concatenate([[0], np.cumsum(-(-sizes // LANES) * LANES)])
    owner, value = np.nonzero(candidates[cells])
    node = rows[owner] + np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    node_at = np.full(candidates.shape, NOWHERE, np.int32)
    node_at[cells[owner], value] = node
    peers_of = peers(order)[cells]
    # The operating system reserves memory only for the neighbours that are written.
    most_neighbours = len(owner) * peers_of.shape[1]
    graph = Graph(
        row=rows.astype(np.uint32),  # where the nodes of a cell begin
        size=sizes.astype(np.uint32),  # number of nodes of a cell
        cell=np.zeros(rows[-1], np.uint16),  # the open cell of a node
        value=np.zeros(rows[-1], np.int16),  # from 1
        begin=np.empty(rows[-1] + 1, np.uint32),  # where the neighbours of a node begin
        # 16 bits if they are enough, as fewer bytes stay in the cache.
        neighbours=np.empty(most_neighbours, np.uint16 if rows[-1] <= 2**16 else np.uint32),
    )
    graph.cell[node], graph.value[node] = owner, value + 1
    n_neighbours = _list_neighbours(graph, node_at, peers_of)
    return graph._replace(neighbours=graph.neighbours[:n_neighbours]), cells


@kernel
def _list_neighbours(graph, node_at, peers_of):
    """List the neighbours of all nodes, one node after the other; return their number."""
    end = 0
    for node in range(len(graph.cell)):
        graph.begin[node] = end
        if graph.value[node]:  # else the byte is no node
            for k in range(peers_of.shape[1]):
                neighbour = node_at[peers_of[graph.cell[node], k], graph.value[node] - 1]
                if neighbour != NOWHERE:
                    graph.neighbours[end] = neighbour
                    end += 1
    graph.begin[-1] = end
    return end


def new_colouring(graph: Graph) -> Colouring:
    """Return a colouring, one chosen node for each cell, in which nothing is chosen yet."""
    n_cells = len(graph.size)
    return Colouring(
        marks=np.empty(len(graph.cell), np.uint8),  # of the nodes, see the head of the module
        chosen=np.empty(n_cells, np.uint32),  # node of each cell
        in_conflict=np.empty(n_cells, np.uint32),  # cells in conflict: the first `N_IN_CONFLICT`
        index_of=np.empty(n_cells, np.int32),  # index of a cell in `in_conflict`, or NOWHERE
        at=np.zeros(2, np.int64),  # cost, and number of cells in conflict
    )


@kernel
def fill_at_random(colouring, graph, random):
    """Choose a random node for each cell, and compute marks and cost; no node is tabu then."""
    marks, chosen, at = colouring.marks, colouring.chosen, colouring.at
    for cell in range(len(graph.size)):
        chosen[cell] = graph.row[cell] + below(random, graph.size[cell])
        row = np.uint64(graph.row[cell])
        for node in range(row, np.uint64(graph.row[cell + 1])):
            marks[node] = np.uint8(0) if node - row < graph.size[cell] else NO_NODE
        colouring.index_of[cell] = NOWHERE
    for cell in range(len(graph.size)):
        node = np.uint64(chosen[cell])
        marks[node] |= CHOSEN
        for k in range(np.uint64(graph.begin[node]), np.uint64(graph.begin[node + ONE])):
            marks[np.uint64(graph.neighbours[k])] += np.uint8(1)
    at[COST], at[N_IN_CONFLICT] = 0, 0
    for cell in range(len(graph.size)):
        conflicts = marks[np.uint64(chosen[cell])] & CONFLICTS
        at[COST] += conflicts
        if conflicts:
            _add(colouring, cell)
    at[COST] //= 2


@inlined
def choose(colouring, graph, cell, node):
    """Choose another node for a cell in conflict."""
    marks, neighbours = colouring.marks, graph.neighbours
    old = np.uint64(colouring.chosen[cell])
    lost = np.int64(marks[old] & CONFLICTS)
    for k in range(np.uint64(graph.begin[old]), np.uint64(graph.begin[old + ONE])):
        neighbour = np.uint64(neighbours[k])
        mark = marks[neighbour] - np.uint8(1)
        marks[neighbour] = mark
        if mark & CHOSEN and not mark & CONFLICTS:
            _remove(colouring, np.uint64(graph.cell[neighbour]))
    for k in range(np.uint64(graph.begin[node]), np.uint64(graph.begin[node + ONE])):
        neighbour = np.uint64(neighbours[k])
        mark = marks[neighbour] + np.uint8(1)
        marks[neighbour] = mark
        if mark & CHOSEN and mark & CONFLICTS == np.uint8(1):
            _add(colouring, np.uint64(graph.cell[neighbour]))
    marks[old] &= ~CHOSEN
    marks[node] |= CHOSEN
    colouring.chosen[cell] = node
    won = np.int64(marks[node] & CONFLICTS)
    if not won:
        _remove(colouring, cell)
    colouring.at[COST] += won - lost


@inlined
def _add(colouring, cell):
    """Add a cell to the cells in conflict."""
    n = colouring.at[N_IN_CONFLICT]
    colouring.in_conflict[n] = cell
    colouring.index_of[cell] = n
    colouring.at[N_IN_CONFLICT] = n + 1


@inlined
def _remove(colouring, cell):
    """Remove a cell from the cells in conflict; the last one takes its place."""
    n = colouring.at[N_IN_CONFLICT] - 1
    last, index = colouring.in_conflict[n], colouring.index_of[cell]
    colouring.in_conflict[index], colouring.index_of[last] = last, index
    colouring.index_of[cell] = NOWHERE
    colouring.at[N_IN_CONFLICT] = n
