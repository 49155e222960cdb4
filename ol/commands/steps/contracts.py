"""The contracts of a closure, read from the catalog."""

from __future__ import annotations

from ol.domain.code.contract import Contract, contract
from ol.domain.course import CourseModule
from ol.ports import Ports


def contracts(ports: Ports, module: CourseModule) -> dict[str, Contract]:
    """By dotted unit name: what the module promises and what it may import."""
    course = ports.catalog.course
    units = [unit for each in course.closure(module.id) for unit in each.units]
    return {course.dotted(unit): contract(unit, ports.catalog.contract(unit)) for unit in units}
