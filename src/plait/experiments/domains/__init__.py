"""A parser for text of another kind than its treebank: ways to adapt it without annotation, compared."""

from plait.experiments.domains.report import write_domains
from plait.experiments.domains.runner import DomainResult, run_domains
from plait.experiments.domains.spec import Domains, is_domains, read_domains

__all__ = ["DomainResult", "Domains", "is_domains", "read_domains", "run_domains", "write_domains"]
