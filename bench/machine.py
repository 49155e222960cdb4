"""Where a figure was measured: printed above every ratio."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}


def machine(*packages: str) -> str:
    """System, cores and load; versions, those of more packages too; the BLAS kernel that runs, and threads."""
    versions = ", ".join(f"{name} {_version(name)}" for name in ("numpy", "pytest", *packages))
    python = ".".join(map(str, sys.version_info[:3]))
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    where = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{load}"
    return f"{where}; Python {python}, {versions}; {blas()}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def blas() -> str:
    """numpy's BLAS, the kernel it chose on this machine where it tells (OpenBLAS does), and its threads."""
    built = np.show_config(mode="dicts")["Build Dependencies"]["blas"]  # type: ignore[call-overload,index]
    name = f"{built['name']} {built['version']}"
    threads = os.environ.get("OPENBLAS_NUM_THREADS", "all")
    for library in (Path(np.__file__).parent.parent / "numpy.libs").glob("*openblas*"):
        kernel = ctypes.CDLL(str(library)).scipy_openblas_get_corename64_
        kernel.restype = ctypes.c_char_p
        name += f", kernel {kernel().decode('ascii')}"
    return f"{name}, threads {threads}"
