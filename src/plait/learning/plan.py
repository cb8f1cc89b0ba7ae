"""What a component is to be, before it has learned: its kind, its options, and the plans of those it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from plait.errors import InputError
from plait.learning import registry
from plait.learning.options import Options


@dataclass(frozen=True, slots=True)
class Plan:
    """A table of a recipe. Components that hold others have a table for each, nested: `[parser.voters.graph]`."""

    kind: str
    options: Options
    members: Mapping[str, Plan] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Mapping[str, Any], kind: str = "", place: str = "") -> Plan:
        """A plan from a table; `kind` is meant where the table does not say."""
        if not isinstance(values, Mapping):
            raise InputError(f"{place}a table is expected, not {values!r}.")
        named = values.get("kind", kind)
        component = registry.find(named if isinstance(named, str) else repr(named))
        plan = component.default_plan()
        given = values.get(component.member_table)
        if isinstance(given, Mapping):  # those that are named, and no others
            kept = {name: each for name, each in plan.members.items() if name in given}
            plan = replace(plan, members=kept)
        plan = plan.updated({**values, "kind": component.kind}, place)
        if isinstance(given, Mapping):  # in the order of their tables: the first voter decides ties
            plan = replace(plan, members={name: plan.members[name] for name in given})
        return plan

    def updated(self, values: Mapping[str, Any], place: str = "") -> Plan:
        """The plan with some values changed; another kind begins from its own defaults."""
        if not isinstance(values, Mapping):
            raise InputError(f"{place}a table is expected, not {values!r}.")
        if values.get("kind", self.kind) != self.kind:
            return Plan.of(values, place=place)
        table = registry.find(self.kind).member_table
        own = {name: value for name, value in values.items() if name not in ("kind", table)}
        members = dict(self.members)
        given = values.get(table, {}) if table else {}
        if not isinstance(given, Mapping):
            raise InputError(f"{place}{table} must be a table of tables.")
        for name, inner in given.items():
            within = f"{place}{table}.{name}: "
            members[name] = (
                members[name].updated(inner, within) if name in members else Plan.of(inner, place=within)
            )
        return replace(self, options=self.options.updated(own, place), members=members)

    def throughout(self, values: Mapping[str, Any]) -> Plan:
        """With some options changed, and those of its members, where they have them."""
        known = {name: value for name, value in values.items() if hasattr(self.options, name)}
        members = {name: plan.throughout(values) for name, plan in self.members.items()}
        return replace(self, options=self.options.updated(known), members=members)

    def to_toml(self, name: str) -> str:
        head = f'[{name}]\nkind = "{self.kind}"\n{self.options.to_toml()}'
        table = registry.find(self.kind).member_table
        inner = (plan.to_toml(f"{name}.{table}.{member}") for member, plan in self.members.items())
        return "\n".join([head, *inner])

    def setting(self, path: str, value: str) -> dict[str, Any]:
        """`voters.graph.epochs` and `5` as what `updated` takes."""
        first, dot, rest = path.partition(".")
        if not dot:
            name, found = self.options.parse_setting(f"{path}={value}")
            return {name: found}
        table = registry.find(self.kind).member_table
        member, _, below = rest.partition(".")
        if first != table or member not in self.members:
            known = ", ".join(f"{table}.{name}" for name in self.members) or "none"
            raise InputError(f"No table {first}.{member} in a {self.kind} component. Available: {known}.")
        return {table: {member: self.members[member].setting(below, value)}}
