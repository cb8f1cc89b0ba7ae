"""Jobs that an engine is given as a file: in a folder of their own, since Python looks for imports beside them."""
