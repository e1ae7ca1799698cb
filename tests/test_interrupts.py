"""Ctrl-C is blocked while processes start, and only then."""

import signal

import pytest

from cadogan.interrupts import SUPPORTED, blocked_sigint, unblock_sigint


def is_blocked() -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(not SUPPORTED, reason="the system cannot block signals")
def test_the_signal_comes_after_the_block(request: pytest.FixtureRequest) -> None:
    # A process that was started in the background ignores the signal.
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, former))
    assert not is_blocked()
    reached = []

    def interrupted() -> None:
        with blocked_sigint():
            assert is_blocked()
            signal.raise_signal(signal.SIGINT)
            reached.append("the end of the block")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert reached
    assert not is_blocked()


@pytest.mark.skipif(not SUPPORTED, reason="the system cannot block signals")
def test_blocks_nest_and_a_process_can_unblock_itself() -> None:
    with blocked_sigint():
        with blocked_sigint():
            pass
        assert is_blocked()
        unblock_sigint()
        assert not is_blocked()
    assert not is_blocked()
