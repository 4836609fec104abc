// Backtracking: a puzzle a line in, an answer a line out.
// In:  order, steps allowed, seconds allowed, seed, the values row by row (0 is blank).
// Out: "solved", "exhausted" or "timeout", the steps, and the grid if it is solved.
#include <cmath>
#include <cstdint>
#include <ctime>
#include <iostream>
#include <random>
#include <vector>

int main() {
    int order;
    int64_t allowed;
    double seconds;
    uint64_t seed;
    while (std::cin >> order >> allowed >> seconds >> seed) {
        const int size = order * order, cells = size * size;
        std::vector<int> grid(cells), blank, shift;
        std::mt19937_64 chance(seed);
        for (int cell = 0; cell < cells; ++cell) {
            std::cin >> grid[cell];
            if (!grid[cell]) {
                blank.push_back(cell);
                shift.push_back(chance() % size);  // the value that it tries first
            }
        }
        auto free = [&](int cell, int value) {
            const int row = cell / size, column = cell % size;
            const int corner = row / order * order * size + column / order * order;
            for (int k = 0; k < size; ++k)
                if (grid[row * size + k] == value || grid[k * size + column] == value ||
                    grid[corner + k / order * size + k % order] == value)
                    return false;
            return true;
        };
        std::vector<int> tried(blank.size(), 0);
        const int depths = blank.size();
        const clock_t end = clock() + clock_t(seconds * CLOCKS_PER_SEC);
        int64_t steps = 0;
        int depth = 0;
        const char *answer = "timeout";
        for (; steps < allowed; ++steps) {
            if (depth == depths) { answer = "solved"; break; }
            if (depth < 0) { answer = "exhausted"; break; }
            if (steps % 1000 == 999 && clock() > end) break;
            const int cell = blank[depth];
            grid[cell] = 0;
            int value = 0;
            while (!value && tried[depth] < size) {
                const int next = (shift[depth] + tried[depth]++) % size + 1;
                if (free(cell, next)) value = next;
            }
            if ((grid[cell] = value)) ++depth;
            else tried[depth--] = 0;
        }
        if (depth == depths) answer = "solved";
        std::cout << answer << ' ' << steps;
        if (depth == depths) for (int value : grid) std::cout << ' ' << value;
        std::cout << std::endl;
    }
}
