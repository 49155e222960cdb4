"""What numpy code gets wrong and mutmut does not try, one concept a file.

An operator gets a node of the syntax tree and gives what may stand in its place, each a fault.
"""

from __future__ import annotations

from ast import AST
from collections.abc import Callable, Iterator

from faults.operators.axes import axes
from faults.operators.bounds import bounds
from faults.operators.comparisons import comparisons
from faults.operators.conditions import conditions
from faults.operators.contexts import contexts
from faults.operators.defaults import defaults
from faults.operators.dtypes import dtypes
from faults.operators.in_place import in_place
from faults.operators.keepdims import keepdims
from faults.operators.left_out import left_out
from faults.operators.operands import operands
from faults.operators.products import products
from faults.operators.reductions import reductions
from faults.operators.scatter import scatter
from faults.operators.statements import statements

Operator = Callable[[AST], Iterator[AST]]

OPERATORS: tuple[Operator, ...] = (
    axes,
    bounds,
    comparisons,
    conditions,
    contexts,
    defaults,
    dtypes,
    in_place,
    keepdims,
    left_out,
    operands,
    products,
    reductions,
    scatter,
    statements,
)
