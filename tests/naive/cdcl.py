"""Slow twin of the idea of CDCL: unit propagation with reasons, and the clause of a conflict.

The engines of the solver `cdcl` do the same, much faster; the picture of the manual shows a step.
"""


class Cdcl:
    """Literals that are true, in order, each with its level and the clause that implied it.

    A literal is a variable, or minus a variable: its negation. A choice begins a new level.
    """

    def __init__(self, clauses):
        self.clauses, self.level, self.trail = clauses, 0, {}
        for clause in clauses:
            if len(clause) == 1:
                self.trail[clause[0]] = 0, clause

    def choose(self, literal):
        self.level += 1
        self.trail[literal] = self.level, []

    def propagate(self):
        """Make all implied literals true, oldest first; return a clause that is false, or None."""
        position = 0
        while position < len(self.trail):
            literal = [*self.trail][position]
            for clause in self.clauses:
                if -literal in clause and not any(other in self.trail for other in clause):
                    unknown = [other for other in clause if -other not in self.trail]
                    if not unknown:
                        return clause
                    if len(unknown) == 1:
                        self.trail[unknown[0]] = self.level, clause
            position += 1
        return None

    def learn(self, conflict):
        """Return the clause to learn: the reasons of a conflict, back to the first single cause.

        Of the literals of the last level it has one alone (the first unique implication point).
        """
        causes, order = {-literal for literal in conflict}, [*self.trail]
        while sum(self.trail[cause][0] == self.level for cause in causes) > 1:
            last = max(causes, key=order.index)
            _, reason = self.trail[last]
            causes = (causes | {-literal for literal in reason}) - {last, -last}
        return sorted(-cause for cause in causes)
