"""What the server tells of itself, as Prometheus reads it."""

from __future__ import annotations

from plait.server.metrics import Metrics
from serving import metric


def test_times_are_counted_up_to_each_bound() -> None:
    metrics = Metrics()
    for seconds in 0.0005, 0.002, 0.002, 0.3, 500.0:
        metrics.observe("/process", 200, seconds)
    text = metrics.render()
    found = {}
    for line in text.splitlines():
        if line.startswith("plait_request_seconds_bucket"):
            bound, count = line.removeprefix('plait_request_seconds_bucket{le="').split('"} ')
            found[bound] = int(count)
    counts = list(found.values())
    assert counts == sorted(counts), "each bound counts all that took less"
    assert (found["0.001"], found["0.0025"], found["0.25"], found["0.5"]) == (1, 3, 3, 4)
    assert (found["120.0"], found["+Inf"]) == (4, 5)
    assert metric(text, "plait_request_seconds_count") == 5
    assert abs(metric(text, "plait_request_seconds_sum") - 500.3045) < 1e-6


def test_what_was_done_and_refused_is_counted() -> None:
    metrics = Metrics()
    metrics.sentences, metrics.words = 2, 3
    metrics.refused["late"] += 2
    metrics.observe("/process", 503, 0.1)
    text = metrics.render()
    assert metric(text, "plait_sentences_total") == 2
    assert metric(text, "plait_words_total") == 3
    assert 'plait_refused_total{reason="late"} 2' in text
    assert 'plait_requests_total{route="/process",status="503"} 1' in text
