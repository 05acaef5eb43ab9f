"""setuptools, in this folder: for who builds the package from the one above."""

import os
from pathlib import Path

os.chdir(Path(__file__).resolve().parent)

from setuptools.build_meta import *  # noqa: E402, F401, F403
