"""Studies: how often does a game come out? Measured, with an honest interval.

A :class:`~cadogan.study.plan.Plan` says which deals of which games are tried by which players,
:func:`~cadogan.study.run.run` has them tried by an engine and keeps the records in a
:class:`~cadogan.study.store.Store`, and :func:`~cadogan.study.summary.summarize` says what came of
it. ``docs/studies.md`` is the manual.

    plan, span, players      what is asked
    planner                  who does what next, as plain data
    engines, work            who does it: processes of this machine, or a cluster
    run                      all of these together
    record, store            what is kept, and where
    statistics               intervals, comparisons, when it is enough
    summary, compare         what is known of a study, and of two
    published                what others have found out
    verify                   whether what is kept is true
    plots, report            for people
"""
