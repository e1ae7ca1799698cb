"""Writing a rules file from the answers to a short form.

:mod:`~cadogan.rules.writing.choices` lists the choices, with their labels and help.
:mod:`~cadogan.rules.writing.answers` reads what somebody chose, and
:mod:`~cadogan.rules.writing.rules_file` writes the file. The command line and the page ask for the
answers, each in its own way; neither knows what a choice means.
"""
