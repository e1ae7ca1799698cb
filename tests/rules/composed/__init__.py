"""Phrases composed at random: what is played, what is explained, and a naive reading agree.

Each test composes the phrases of one key. For small layouts it compares three readings: the moves
that the kernel lists, what the words of ``explain`` say, and what the phrase says, read by a few
lines of plain Python that use neither the rules nor the kernel. Phrases that say nothing must be
refused. ``CADOGAN_THOROUGH=1`` composes many more.
"""
