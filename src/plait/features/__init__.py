"""Feature templates as data, compiled to integers the core executes."""
