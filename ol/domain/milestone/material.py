"""What a course has for a milestone beside its description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ol.domain.authoring.bar_record import BarRecord
from ol.domain.file import File


@dataclass(frozen=True, slots=True)
class Material:
    """Files of a command line are named by their path below the package.

    `probes` is run beside the student's units, then beside `stand_in`, frozen code by the names of units.
    """

    skeleton: tuple[File, ...]
    reference: tuple[File, ...]
    probes: File
    stand_in: Mapping[str, str]
    bars: Mapping[str, BarRecord]
