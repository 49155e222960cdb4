"""A suite that does what honest tests do: it is to notice nothing of its confinement."""

from __future__ import annotations

HONEST = {
    "conftest.py": "import pytest\n@pytest.fixture\ndef three(): return 3",
    "test_it.py": """
        import json, os, pathlib, random, shutil, statistics, sys, tempfile, threading, warnings
        from decimal import Decimal
        from zoneinfo import ZoneInfo
        import numpy as np
        import pytest
        from tinyllm.unit import double

        def test_numpy_and_all_that_it_imports_late(three):
            np.testing.assert_allclose(np.linalg.solve(np.eye(3), np.fft.ifft(np.fft.fft([1.0, 2, 3])).real), [1, 2, 3])
            assert np.ma.array([1, 2], mask=[0, 1]).sum() == 1 and np.polynomial.Polynomial([three])(0) == 3
            assert np.random.default_rng(0).normal(size=3).shape == (3,) and double(2) == 4
            with pytest.raises(AssertionError, match="Mismatched"):
                np.testing.assert_array_equal([1, 2], [1, 3])

        def test_files_of_its_own(tmp_path):
            (tmp_path / "a" / "b").mkdir(parents=True)
            np.savez(tmp_path / "a" / "x.npz", x=np.arange(3))
            os.replace(tmp_path / "a" / "x.npz", tmp_path / "a" / "b" / "x.npz")  # into another folder
            os.link(tmp_path / "a" / "b" / "x.npz", tmp_path / "y.npz")
            os.symlink("y.npz", tmp_path / "z.npz")
            assert np.load(tmp_path / "z.npz")["x"].tolist() == [0, 1, 2]
            shutil.copytree(tmp_path / "a", tmp_path / "c")
            shutil.move(tmp_path / "c", tmp_path / "a" / "c")
            shutil.rmtree(tmp_path / "a")
            assert sorted(os.listdir(tmp_path)) == ["y.npz", "z.npz"]
            mapped = np.memmap(tmp_path / "m", mode="w+", shape=(8,), dtype=np.uint8)
            mapped[:] = 7
            mapped.flush()
            os.truncate(tmp_path / "m", 4)
            assert (tmp_path / "m").read_bytes() == bytes([7] * 4)
            for mode in (0, 0o600):
                (tmp_path / "m").chmod(mode)

        def test_temporary_files():
            with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as file:
                file.write(b"x")
                pathlib.Path(folder, "x").touch()
            with tempfile.NamedTemporaryFile("w") as named:
                named.write("x")
            assert pathlib.Path.home().is_dir() and pathlib.Path("here").write_text("x") == 1

        def test_what_the_standard_library_reads():
            assert os.urandom(4) and open(os.devnull).read() == "" and os.cpu_count() >= 1
            assert ZoneInfo("UTC").key == "UTC" and statistics.mean([1, 3]) == 2 and Decimal("0.1")
            with open(os.devnull, "w") as nowhere:
                print("x", file=nowhere)

        def test_threads_and_warnings():
            came = []
            threads = [threading.Thread(target=came.append, args=(n,)) for n in range(3)]
            for thread in threads:
                thread.start()
                thread.join()
            with pytest.warns(UserWarning, match="x"):
                warnings.warn("x")
            assert came == [0, 1, 2]

        def test_its_own_process():
            assert os.getpid() == int(os.path.basename(os.path.realpath("/proc/self")))
            assert os.getuid() == UID and os.stat(".").st_uid == UID
            os.kill(os.getpid(), 0)
            if os.fork() == 0:
                os.kill(os.getppid(), 0)
                os._exit(0)
            assert os.wait()[1] == 0
    """,
    "deep/test_more.py": "def test_more(three, tmp_path): assert three == 3 and not list(tmp_path.iterdir())",
}
