"""Bridges to the libraries that users already work with: one file each, each needing an extra of the package."""
