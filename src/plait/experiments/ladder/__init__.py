"""From fast to accurate, rung by rung: recipes compared on several treebanks, with gold and with predicted tags."""

from plait.experiments.ladder.runner import Rung, climb
from plait.experiments.ladder.spec import Ladder, LadderCell, Row, read_ladder

__all__ = ["Ladder", "LadderCell", "Row", "Rung", "climb", "read_ladder"]
