"""Tests of Cadogan; they mirror the modules of ``python/cadogan``."""
