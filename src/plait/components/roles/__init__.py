"""Who did what to whom: predicates, their senses, their arguments and the roles of these."""

from plait.components.roles.component import RoleLabeler
from plait.components.roles.options import RoleOptions

__all__ = ["RoleLabeler", "RoleOptions"]
