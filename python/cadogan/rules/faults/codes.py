"""Every fault a rules file can have, by name.

The code names a fault in the output (`error[unknown-key]`), in the manual and in the tests; the
sentence is its entry in the manual. A fault must have one of these codes.
"""

from __future__ import annotations

__all__ = ["CODES"]

CODES: dict[str, str] = {
    # Raised while the text is read, before anything is known of its meaning.
    "file-too-large": "A rules file may have at most 64 KiB of text.",
    "not-utf-8": "A rules file is text in UTF-8.",
    "nul-character": "No text of a rules file may contain the character NUL, escaped or not.",
    "toml-syntax": "The text breaks the grammar of TOML at this place.",
    "repeated-key": "A key or a table may be given once only.",
    "nesting-too-deep": "Tables and arrays may lie inside one another at most eight deep.",
    "too-many-values": "A rules file may hold at most 4,000 keys and array elements.",
    "text-too-long": "A single text of a rules file may have at most 8,000 characters.",
    "word-too-long": "A key or a number written without quotes may have at most 200 characters.",
    # The shape of the file: keys and kinds of values.
    "unknown-key": "A key that no table of this kind knows.",
    "missing-key": "Something that must be said is not said.",
    "wrong-type": "A value of another kind than the key takes: a number for a text, and so on.",
    "unknown-choice": "A key takes one of a few words, and this is none of them.",
    "out-of-range": "A number or a list is too small or too large.",
    "too-many": "There are more piles, rules, variants or other things than a game may have.",
    "bad-name": "Names of groups and counters are lower-case letters, digits and hyphens.",
    "said-twice": "Something that may stand once stands twice.",
    "unknown-variant": "No variant of the file has this name.",
    # Roles and what they know.
    "missing-role": "A group whose name is no role must say which role it has.",
    "key-of-another-role": "A key that groups of another role know.",
    "several-stocks": "A game has at most one stock, of one pile.",
    "no-piles": "A game, or a rule, without piles.",
    "wrong-count": "There are not as many numbers or cards as piles.",
    "too-few-cards": "More cards are dealt than the pack has.",
    "redeal-without-waste": "A redeal turns the waste over, but there is none.",
    "two-layouts": "Either groups say how they are dealt or the layout is written out, not both.",
    # The pack.
    "unknown-rank": "A word that names no rank, or no rank of this game.",
    "unknown-suit": "A word that names no suit.",
    "unknown-cards": "Words that name no class of cards.",
    "no-such-cards": "Cards are withdrawn that the pack does not hold.",
    "empty-pack": "No card is left to deal.",
    # Foundations.
    "unknown-build": "A rule of building that is not understood.",
    "one-phrase-wanted": "A list stands where one phrase is wanted.",
    "base-and-order": "An order that is written out already says with which rank it begins.",
    "base-needs-corner": "A base rank that is dealt needs thirteen ranks, built round the corner.",
    "not-a-foundation": "Piles that have no order stand where foundations are wanted.",
    "start-does-not-fit": "Foundations start with other cards than those they begin with.",
    "no-aim": "A game must say when it is won.",
    # Rules.
    "unknown-group": "A name that no group of piles has.",
    "unknown-pile": "A group has not that many piles.",
    "one-pile-wanted": "Several piles are named where one is wanted.",
    "unknown-rule": "A name that no rule has.",
    "unknown-counter": "A name that no counter has.",
    "unknown-condition": "A condition that is not understood.",
    "unknown-phrase": "Words that are not understood where they stand.",
    "unclear-step": "A step of a script does one thing.",
    "cannot-be-asked": "Whether it is possible can be asked of plain moves only.",
    "onto-itself": "Cards are moved from a pile to itself.",
    "key-does-not-fit": "A key that does not go with the rest of its rule or step.",
    "not-forced": "Something that belongs to forced rules stands in a free one.",
    "mixed-targets": "Targets of a rule are all foundations or none, and all vacant or none.",
    "uneven-groups": "Groups that are linked pile by pile have different numbers of piles.",
    # The game as a whole.
    "too-many-moves": "A position of the game could have more legal moves than can be listed.",
    "restless": "The forced rules do not come to rest when the cards are dealt.",
    "too-costly": "Reading the file and dealing its games takes too much time or memory.",
    # The picture of the table.
    "unknown-mark": "A mark in the picture that stands for no pile.",
    "not-in-picture": "Lines are read off the picture, but a pile does not stand in it.",
    # Warnings.
    "pack-not-consumed": "The foundations do not take exactly the cards of the pack.",
    "dead-end-pile": "Cards get to a pile that nothing can leave.",
    "unreachable-pile": "No card can ever get to a pile.",
    "endless-redeals": "The cards may be redealt or gathered for ever.",
    "never-applies": "A rule that can never apply.",
}
