"""``python -m fabric_auto``."""

from fabric_auto.cli.main import main

if __name__ == "__main__":
    main()
