"""Spellings that come with plait."""
