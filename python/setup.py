"""Builds the wheel: the module by CMake, the Python files as they are.

    pip install --no-build-isolation .        # here, or in the folder above
    python3 setup.py sdist                    # an archive of the sources that this can be done with elsewhere

CARDAN_BUILD=DIR takes a folder in which CMake has built Cardan before, so that only the module is compiled; without it everything
is, in a folder of its own.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent
# What the module is built of, as it lies in the repository, of which this folder is a part.
SOURCES = ("CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml", "apps", "cmake", "fmu", "include", "python", "src", "studies")


class CMakeBuild(build_ext):
    """The module as the target cardan_python of CMake."""

    def build_extension(self, extension):
        folder = Path(os.environ.get("CARDAN_BUILD") or Path(self.build_temp).resolve())
        cache = folder / "CMakeCache.txt"
        if not cache.exists() or "CARDAN_PYTHON:BOOL=ON" not in cache.read_text():
            options = ["CARDAN_PYTHON=ON", f"CARDAN_PYTHON_EXECUTABLE={sys.executable}"]
            if not cache.exists():
                options += ["CMAKE_BUILD_TYPE=Release", "CARDAN_VIEWER=OFF"]
            command = ["cmake", "-S", SOURCE, "-B", folder, "--log-level=WARNING"]
            subprocess.run(command + [word for option in options for word in ("-D", option)], check=True)
        jobs = str(self.parallel or os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", folder, "-j", jobs, "--target", "cardan_python"], check=True)
        built = folder / "python" / "cardan" / Path(self.get_ext_filename(extension.name)).name
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(built), str(target))


class SourceArchive(sdist):
    """The sources in their folders, so that pip builds the archive as it builds the repository."""

    def make_release_tree(self, base_dir, files):
        skip = shutil.ignore_patterns(Path(base_dir).name, "__pycache__", "*.egg-info", "build", "dist", "*.so")
        for name in SOURCES:
            source, target = SOURCE / name, Path(base_dir) / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=skip)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        with open(Path(base_dir) / "PKG-INFO", "w", encoding="utf-8") as file:
            self.distribution.metadata.write_pkg_file(file)


header = (SOURCE / "include/cardan/version.h").read_text()
version = ".".join(re.search(rf"CARDAN_VERSION_{part} (\d+)", header).group(1) for part in ("MAJOR", "MINOR", "PATCH"))
setup(
    name="cardan",
    version=version,
    description="Dynamics of multibody systems with closed loops",
    python_requires=">=3.9",
    install_requires=["numpy"],
    extras_require={"plot": ["matplotlib"], "frame": ["pandas"]},
    packages=["cardan"],
    package_data={"cardan": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("cardan._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild, "sdist": SourceArchive},
    zip_safe=False,
)
