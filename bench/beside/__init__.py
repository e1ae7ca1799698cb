"""Compares Cadogan with other solvers: the same deals and rules, on one core, in one run.

The other programs are not part of this repository; options give their paths. ``bench/README.md``
explains the comparison and lists its results.
"""
