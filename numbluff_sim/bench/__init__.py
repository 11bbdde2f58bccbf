"""The benchmark: what a round, a start and a run cost on this machine, and whether the project's speed and memory
targets hold.

`suite(entry, quick=...)` gives a game's workloads, each with its target; `measure(workloads, lab, ...)` runs them in a
`Lab` and gives a `Result` for each. Comparisons are interleaved (A B A B ...) and judged by the median of their ratios,
pair by pair: a machine that is busy for a while slows both sides. A game takes part through its module `workloads`;
`numbluff bench` and docs/PERFORMANCE.md show the results.
"""
