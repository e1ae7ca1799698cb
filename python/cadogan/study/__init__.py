"""Studies: how often can a game be won? Measured, with a confidence interval.

A :class:`~cadogan.study.plan.Plan` lists which players try which deals of which games.
:func:`~cadogan.study.run.run` runs the plan on an engine and stores the records in a
:class:`~cadogan.study.store.Store`. :func:`~cadogan.study.summary.summarize` reads the results.
``docs/studies.md`` is the manual.

    plan, deal_range, players    the questions of a study
    planner                      schedules batches of deals; plain data
    executors, worker            run the batches: local processes or a cluster
    run                          connects all of these
    record, store                what is stored, and where
    statistics                   intervals, comparisons, stopping rules
    shards                       parts of a study that run anywhere, and how they are merged
    summary, compare             the results of one study, and of two
    results                      the same for notebooks and data frames
    literature                   figures from the literature
    verify                       checks that stored results are true
    plots, report                results for people to read
    export, win_rates            files for other programs, and for the list of games
    dataset, card                results to publish
"""
