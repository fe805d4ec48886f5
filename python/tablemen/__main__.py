"""`python -m tablemen` is the command line."""

from tablemen.cli import main

if __name__ == "__main__":
    main(prog_name="tablemen")
