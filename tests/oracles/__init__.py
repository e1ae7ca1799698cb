"""Oracles: slow, obvious transcriptions of the rules, one module for each game.

An oracle is written from the prose of the rules alone, in plain Python, and shares no line with
the engine. Tests walk both through the same deals and compare every position, so that a
misreading has to be made twice, independently, to pass unnoticed.
"""
