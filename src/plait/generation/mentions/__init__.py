"""What to say at every mention of a text: GREC (Bohnet 2008, Favre and Bohnet 2009, 2010)."""
