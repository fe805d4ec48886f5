"""Run the command line with `python -m tablemen`."""

from tablemen.cli import main

if __name__ == "__main__":
    main(prog_name="tablemen")
