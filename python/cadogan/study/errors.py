"""Errors of studies, written for people."""


class StudyError(Exception):
    """A study cannot continue as requested. No stored result is lost.

    Args:
        text: What is wrong, in one sentence without a full stop.
        hint: What to do instead.
    """

    def __init__(self, text: str, hint: str | None = None) -> None:
        super().__init__(text)
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        # Worker processes raise this error, so it must survive pickling.
        return type(self), (str(self), self.hint)
