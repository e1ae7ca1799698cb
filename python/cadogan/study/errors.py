"""What goes wrong with studies, told to people."""


class StudyError(Exception):
    """A study that cannot go on as it was asked for. Nothing that was found out is lost.

    Args:
        text: What is wrong, in one sentence without a full stop.
        hint: What would be right.
    """

    def __init__(self, text: str, hint: str | None = None) -> None:
        super().__init__(text)
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        # It comes from other processes, too.
        return type(self), (str(self), self.hint)
