"""What learns and annotates: a folder for every kind, and a line in `plait.learning.registry`."""
