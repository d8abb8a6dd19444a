#!/bin/sh
# Makes the virtual environment with the program in it, or brings it up to date. Usage: environment.sh DIRECTORY [INTERPRETER]
set -u
venv=$1
candidates=${2:-python3.11 python3.12 python3.13 python3}

# Each candidate is run: a name on the PATH may belong to a version manager that has nothing behind it.
usable='import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'

make_venv() {
    for python in $candidates; do
        "$python" -c "$usable" 2>/dev/null && exec "$python" -m venv --clear "$venv"
    done
    cat >&2 <<TEXT
No usable Python among: $candidates
lcg needs Python 3.11, 3.12 or 3.13 with its venv module and headers. On Debian: apt install python3-venv python3-dev
Another interpreter is named like this: make PYTHON=/path/to/python3.12 demo
TEXT
    exit 1
}

"$venv/bin/python" -c "$usable" 2>/dev/null || (make_venv) || exit 1
echo "Installing into $venv: a minute or so the first time, since one library is compiled …"
if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .; then
    cat >&2 <<TEXT

The installation failed; the reason stands above. If it is the library hnswlib: it is compiled here, and that takes a
C++ compiler and the headers of Python. On Debian: apt install g++ python3-dev
TEXT
    exit 1
fi
