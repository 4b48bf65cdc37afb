"""NOS releases and the trains they belong to."""


def is_of(release: str, train: str) -> bool:
    """Return True when a release is the train itself or one of it.

    >>> is_of("25.3.1", "25.3"), is_of("25.30.1", "25.3"), is_of("202505", "202505")
    (True, False, True)
    """
    return release == train or release.startswith(f"{train}.")
