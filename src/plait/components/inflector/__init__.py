"""Forms from lemmas, and the text that they make."""

from plait.components.inflector.component import Inflector
from plait.components.inflector.options import InflectorOptions

__all__ = ["Inflector", "InflectorOptions"]
