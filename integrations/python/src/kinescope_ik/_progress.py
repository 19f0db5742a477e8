"""Progress of long work, which the caller can cancel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._native import Cancelled, ffi

Progress = Callable[[float], object]
"""Receives the progress of long work, from 0 to 1. Returns False to cancel the work, anything else to continue."""


class _Report:
    """The callback of long work. Keeps an exception, which C cannot pass on."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.failed: BaseException | None = None

    def report(self, _: Any, done: float) -> int:
        """Returns 0 if the work is to end."""
        try:
            return int(self._progress(done) is not False)
        except BaseException as error:
            self.failed = error
            return 0


@contextmanager
def reports(progress: Progress | None) -> Iterator[Any]:
    """Returns the argument for C. Exceptions of the function are raised at the end instead of `Cancelled`."""
    if progress is None:
        yield ffi.NULL
        return
    own, report = ffi.new("KinescopeProgress *"), _Report(progress)
    callback = ffi.callback(ffi.typeof(own.report), report.report)
    own.report = callback
    try:
        yield own
    except Cancelled:
        if report.failed is not None:
            raise report.failed from None
        raise
