"""`python -m conch` is `conch`."""

from conch.cli import main

main()
