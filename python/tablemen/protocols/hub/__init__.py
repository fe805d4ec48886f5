"""Hub: a board asks a program for moves and analyses, line by line."""
