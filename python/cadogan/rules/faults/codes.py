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
    "toml-syntax": "The text is not valid TOML at this place.",
    "repeated-key": "A key or a table is given twice.",
    "nesting-too-deep": "Tables and arrays may be nested at most eight deep.",
    "too-many-values": "A rules file may hold at most 4,000 keys and array elements.",
    "text-too-long": "A single text of a rules file may have at most 8,000 characters.",
    "word-too-long": "A key or a number written without quotes may have at most 200 characters.",
    # The shape of the file: keys and kinds of values.
    "unknown-key": "Tables of this kind do not have this key.",
    "missing-key": "A required key is missing.",
    "wrong-type": "The value has the wrong type, such as a number instead of a text.",
    "unknown-choice": "The value is not one of the words that the key takes.",
    "out-of-range": "A number or a list is too small or too large.",
    "too-many": "A game may not have so many piles, rules, variants or other things.",
    "bad-name": "Names of groups and counters consist of lower-case letters, digits and hyphens.",
    "said-twice": "Something is given twice that may be given only once.",
    "unknown-variant": "No variant of the file has this name.",
    # Roles and what they know.
    "missing-role": "The name of the group is not a role, and the key `role` is missing.",
    "key-of-another-role": "The key belongs to groups of another role.",
    "several-stocks": "A game has at most one stock, of one pile.",
    "no-piles": "A game or a rule has no piles.",
    "wrong-count": "The number of values or cards differs from the number of piles.",
    "too-few-cards": "More cards are dealt than the pack has.",
    "redeal-without-waste": "A redeal turns over the waste, but the game has no waste.",
    "two-layouts": "Both the groups and `layout` say how to deal; only one of them may.",
    # The pack.
    "unknown-rank": "The word is not a rank, or not a rank of this game.",
    "unknown-suit": "The word is not a suit.",
    "unknown-cards": "The words do not name a class of cards.",
    "no-such-cards": "Cards are removed or laid out that are not in the pack.",
    "which-card": "One card is wanted, but several cards fit.",
    "empty-pack": "No card is left to deal.",
    # Foundations.
    "unknown-build": "The rule of building is not understood.",
    "one-phrase-wanted": "There is a list in place of a single phrase.",
    "base-and-order": "Both `base` and `order` give the first rank.",
    "base-needs-corner": "A base that is not known before the deal needs building that comes "
    "round to all ranks.",
    "not-a-foundation": "Foundations are required here, but these piles have no order.",
    "start-does-not-fit": "The cards in `start` do not fit the order of the foundations.",
    "no-aim": "A game must say when it is won.",
    # Rules.
    "unknown-group": "There is no group with this name.",
    "unknown-pile": "The group does not have that many piles.",
    "one-pile-wanted": "Several piles are named in place of a single pile.",
    "unknown-rule": "There is no rule with this name.",
    "unknown-counter": "There is no counter with this name.",
    "unknown-condition": "The condition is not understood.",
    "unknown-phrase": "The words are not understood here.",
    "unclear-step": "A step of a script must do exactly one thing.",
    "cannot-be-asked": "Conditions can only test whether moves from pile to pile are possible.",
    "onto-itself": "Cards are moved from a pile to itself.",
    "key-does-not-fit": "The key does not fit the other keys of its rule or step.",
    "not-forced": "A free rule has a key for forced rules.",
    "mixed-targets": "The targets of a rule are all foundations or none, and all vacant or none.",
    "uneven-groups": "Groups that are linked pile by pile have different numbers of piles.",
    # The game as a whole.
    "too-many-moves": "A position of the game could have more legal moves than can be listed.",
    "restless": "The forced rules do not come to rest.",
    "always-dealt-again": "No shuffle gives a table that may be played.",
    "too-costly": "Reading the file and dealing its games takes too much time or memory.",
    # The picture of the table.
    "unknown-mark": "A mark in the picture does not name a pile.",
    "not-in-picture": "The picture says what lies where, but a pile is not in it.",
    # Warnings.
    "pack-not-consumed": "The foundations do not take exactly the cards of the pack.",
    "dead-end-pile": "Cards go to a pile that they can never leave.",
    "unreachable-pile": "No card can ever get to a pile.",
    "never-turned-up": "Cards lie face down, and no rule turns them up.",
    "endless-redeals": "The cards may be redealt or gathered without limit.",
    "never-applies": "The rule can never apply.",
}
