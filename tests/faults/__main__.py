"""`python -m tests.faults` runs the long fault suite; see `suite`."""

import sys

from tests.faults import suite

if __name__ == "__main__":
    if sys.argv[1:]:
        # Whatever was meant by it, half an hour of kills was not.
        sys.exit(suite.__doc__)
    sys.exit(suite.main())
