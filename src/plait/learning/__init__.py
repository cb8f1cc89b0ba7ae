"""What everything shares that learns: the contract of components, epochs, judging, files, cards."""
