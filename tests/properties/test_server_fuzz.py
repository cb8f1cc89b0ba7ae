"""The server against its own description: what the description allows, and what it does not, is answered as it says."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

# What CoNLL-U is, no schema can say: valid requests may hold bad data, and are told so.
from schemathesis.specs.openapi.checks import positive_data_acceptance  # noqa: E402

OPERATIONS = (
    *("GET /process", "POST /process", "GET /models", "GET /health", "GET /metrics", "GET /api/about"),
    *("POST /api/parse", "POST /api/tree", "POST /api/trace", "POST /api/derivation", "POST /api/lattice"),
    *("POST /api/say", "POST /api/circle", "POST /api/scene", "POST /api/refer"),
    *("POST /api/rules", "GET /api/grammars"),
    *("POST /api/complete", "POST /api/compare", "POST /api/tikz"),
)


@pytest.fixture(scope="module")
def operations(server: str) -> dict[str, schemathesis.APIOperation]:
    schema = schemathesis.openapi.from_url(f"{server}/openapi.json")
    found = [result.ok() for result in schema.get_all_operations()]
    return {f"{each.method.upper()} {each.path}": each for each in found}


def test_everything_that_is_described_is_tried(operations: dict[str, schemathesis.APIOperation]) -> None:
    assert set(operations) == set(OPERATIONS)


@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_every_answer_is_as_described(
    operations: dict[str, schemathesis.APIOperation], name: str, mode: str
) -> None:
    operation = operations[name]
    if mode == "negative" and operation.method == "get" and not list(operation.iter_parameters()):
        pytest.skip("nothing can be wrong with this request")
    strategy = operation.as_strategy(generation_mode=schemathesis.GenerationMode(mode))

    @given(case=strategy)
    @settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def answered_as_described(case: schemathesis.Case) -> None:
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    answered_as_described()
