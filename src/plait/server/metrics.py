"""What the server has done so far, in Prometheus' text format."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)


class Metrics:
    """Counts; changed by the event loop alone."""

    def __init__(self) -> None:
        self.started = time.time()
        self.requests: Counter[tuple[str, int]] = Counter()  # by route and status
        self.sentences = 0
        self.words = 0
        self.refused: Counter[str] = Counter()  # by reason
        self.pending_requests = 0
        self.pending_bytes = 0
        self.processes_lost = 0
        self.memory: int | None = None  # in bytes, of all processes, when it was last looked at
        self._buckets = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0

    def observe(self, route: str, status: int, seconds: float) -> None:
        """A request was answered, after so long."""
        self.requests[route, status] += 1
        self._buckets[bisect_left(_BOUNDS, seconds)] += 1
        self._seconds += seconds

    def render(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from _head("plait_requests_total", "counter", "Requests answered.")
        for (route, status), count in sorted(self.requests.items()):
            yield f'plait_requests_total{{route="{route}",status="{status}"}} {count}'
        yield from _head("plait_request_seconds", "histogram", "Time until a request was answered.")
        total = 0
        for bound, count in zip((*_BOUNDS, "+Inf"), self._buckets, strict=True):
            total += count
            yield f'plait_request_seconds_bucket{{le="{bound}"}} {total}'
        yield f"plait_request_seconds_sum {self._seconds:.6f}"
        yield f"plait_request_seconds_count {total}"
        yield from _head("plait_refused_total", "counter", "Requests refused or given up, by reason.")
        for reason, count in sorted(self.refused.items()):
            yield f'plait_refused_total{{reason="{reason}"}} {count}'
        for name, kind, text, value in (
            ("plait_sentences_total", "counter", "Sentences annotated.", self.sentences),
            ("plait_words_total", "counter", "Words annotated.", self.words),
            (
                "plait_pending_requests",
                "gauge",
                "Requests accepted, not yet answered.",
                self.pending_requests,
            ),
            ("plait_pending_bytes", "gauge", "Their size.", self.pending_bytes),
            ("plait_processes_lost_total", "counter", "Worker processes that ended.", self.processes_lost),
            ("process_resident_memory_bytes", "gauge", "Memory of all processes.", self.memory),
            ("process_start_time_seconds", "gauge", "When the server started.", round(self.started, 3)),
        ):
            if value is not None:
                yield from _head(name, kind, text)
                yield f"{name} {value}"


def _head(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"
