"""The chains of one journal in one order: each entry after all that it knew."""

from __future__ import annotations

from ol.domain.journal.chains import in_order, read_chains
from ol.domain.journal.line import sha256
from tests.domain.journal.made_lines import entry, lines


def test_an_entry_comes_after_all_that_it_knew_and_otherwise_by_time():
    first = lines(entry(0), entry(5))
    head = sha256(first[1].rstrip())
    second = lines(entry(1), entry(2, heads={"a": head}), entry(3))
    links = in_order(read_chains("j", {"a": b"".join(first), "b": b"".join(second)}))
    assert [(link.chain, link.entry.seq) for link in links] == [
        ("a", 1),
        ("b", 1),
        ("a", 2),
        ("b", 2),
        ("b", 3),
    ]
    by_place = {(link.chain, link.entry.seq): link for link in links}
    assert by_place["b", 2].knew(by_place["a", 2])
    assert by_place["b", 3].knew(by_place["a", 1])
    assert not by_place["b", 1].knew(by_place["a", 1])
    assert not by_place["a", 2].knew(by_place["b", 1])


def test_a_chain_that_left_another_knew_what_came_before():
    trunk = lines(entry(0), entry(1))
    fork = lines(entry(2), after=(2, sha256(trunk[1].rstrip())))
    chains = read_chains("j", {"a": b"".join(trunk), "b": b"".join(fork)})
    assert not [each for each in chains.values() if each.fault]
    last = in_order(chains)[-1]
    assert (last.chain, last.past) == ("b", {"a": 2, "b": 3})


def test_what_was_known_once_stays_known():
    first = lines(entry(0), entry(1))
    heads = [{"a": sha256(line.rstrip())} for line in first]
    second = lines(entry(2, heads=heads[1]), entry(3, heads=heads[0]))
    links = in_order(read_chains("j", {"a": b"".join(first), "b": b"".join(second)}))
    assert links[-1].past == {"a": 2, "b": 2}


def test_heads_that_are_gone_and_rings_hinder_nothing():
    links = in_order(read_chains("j", {"a": b"".join(lines(entry(0, heads={"gone": "f" * 64})))}))
    assert links[0].past == {"a": 1}
