"""The faults of a rules file: codes, places, and the report that all stages add to."""
