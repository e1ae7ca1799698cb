"""Cadogan beside other solvers: the same deals, the same rules, one core, in one run.

The other programs are not part of this repository: whoever compares says where they are. What is
compared and what was found is told in ``bench/README.md``.
"""
