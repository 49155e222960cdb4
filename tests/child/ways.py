"""Ways out of a run, as expressions that a suite tries one by one: each is to be refused."""

from __future__ import annotations

from pathlib import Path

from tests.child.plays import Stage

WAYS_TO_READ = {
    "open": "open(secret).read()",
    "list": "os.listdir(os.path.dirname(secret))",
    "symlink": "os.symlink(secret, 'link'); open('link').read()",
    "hard link": "os.link(secret, 'link')",
    "rename": "os.rename(secret, 'taken')",
    "copy": "shutil.copy(secret, 'copy')",
    "path descriptor": "open(f'/proc/self/fd/{os.open(secret, os.O_PATH)}').read()",
    "from its folder": "os.chdir(os.path.dirname(secret)); open(os.path.basename(secret)).read()",
    "from the root": "open('/proc/self/root' + secret).read()",
    "numpy": "np.fromfile(secret)",
    "in a thread": "ThreadPoolExecutor().submit(lambda: open(secret).read()).result()",
    "another program": "subprocess.run(['cat', secret], check=True, stderr=subprocess.DEVNULL)",
}
WAYS_TO_WRITE = {
    "create": "open(folder + '/new', 'w')",
    "overwrite": "open(kept, 'w')",
    "append": "open(kept, 'a')",
    "remove": "os.remove(kept)",
    "symlink": "os.symlink(kept, 'link'); open('link', 'a')",
    "symlink to a folder": "os.symlink(folder, 'link'); open('link/new', 'w')",
    "symlink made there": "os.symlink('/dev/null', folder + '/new')",
    "hard link": "os.link(kept, 'link')",
    "hard link made there": "open('mine', 'w').close(); os.link('mine', folder + '/new')",
    "rename out": "open('mine', 'w').close(); os.rename('mine', folder + '/new')",
    "rename over": "open('mine', 'w').close(); os.replace('mine', kept)",
    "rename in": "os.rename(kept, 'taken')",
    "folder": "os.mkdir(folder + '/new')",
    "pipe": "os.mkfifo(folder + '/new')",
    "temporary": "tempfile.NamedTemporaryFile(dir=folder)",
    "shared memory": "open('/dev/shm/ol-new', 'w')",
    "another program": "subprocess.run(['cp', '/dev/null', kept], check=True, stderr=subprocess.DEVNULL)",
}
NETWORK = {
    "tcp": "socket.create_connection(('127.0.0.1', PORT), 1)",
    "udp": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))",
    "listening": "socket.create_server(('127.0.0.1', 0))",
    "unix socket": "socket.socket(socket.AF_UNIX).connect(UNIX)",
    "abstract socket": "socket.socket(socket.AF_UNIX).bind(chr(0) + 'ol-new')",
    "pair": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].connect(UNIX)",
    "in a thread": "ThreadPoolExecutor().submit(socket.create_connection, ('127.0.0.1', PORT), 1).result()",
    "io_uring": "called('syscall', 425, 1, ctypes.create_string_buffer(120))",
    "shared memory of System V": "called('shmget', 0, 4096, 0o1600)",
    "message queue": "called('mq_open', b'/ol-new', os.O_CREAT | os.O_RDWR, 0o600, None)",
    "another's limits": "resource.prlimit(os.getppid(), resource.RLIMIT_CPU)",
}
OTHER_PROCESSES = {
    "environment": "open(f'/proc/{os.getppid()}/environ', 'rb').read()",
    "command line": "open(f'/proc/{os.getppid()}/cmdline', 'rb').read()",
    "memory": "open(f'/proc/{os.getppid()}/mem', 'rb')",
    "trace": "called('ptrace', 16, os.getppid(), None, None)",
    "list": "os.listdir('/proc')",
}
SIGNALS = {
    "kill": "os.kill(os.getppid(), 0)",
    "group": "os.killpg(os.getpgid(os.getppid()), 0)",
    "process descriptor": "signal.pidfd_send_signal(os.pidfd_open(os.getppid()), 0)",
}
PRIVILEGES = {
    "device": "os.mknod('disk', stat.S_IFBLK | 0o600, os.makedev(7, 0))",
    "another user": "os.setgroups([]), os.setuid(12345)",
    "owner": "open('mine', 'w').close(); os.chown('mine', 12345, 12345)",
    "root folder": "os.chroot('.')",
    "mount": "called('mount', b'none', os.fsencode(tmp_path), b'tmpfs', 0, None)",
    "name": "socket.sethostname('mine')",
}
REACHES = """
    import ctypes, errno, os, resource, shutil, signal, socket, stat, subprocess, tempfile
    from concurrent.futures import ThreadPoolExecutor
    import numpy as np
    import pytest

    REFUSALS = (errno.EACCES, errno.EPERM, errno.EXDEV)  # the last is a move between folders, which may be copied

    def called(name, *arguments):
        libc = ctypes.CDLL("librt.so.1" if name == "mq_open" else None, use_errno=True)
        if getattr(libc, name)(*arguments) == -1:
            raise OSError(ctypes.get_errno(), name)

    @pytest.mark.parametrize("way", {ways}.items(), ids=lambda way: way[0])
    def test_it(way, tmp_path):
        os.chdir(tmp_path)
        with pytest.raises((OSError, subprocess.CalledProcessError)) as caught:
            exec(way[1], globals() | {known} | {{'tmp_path': tmp_path}})
        assert getattr(caught.value, "errno", errno.EACCES) in REFUSALS
"""


def tried(stage: Stage, ways: dict[str, str], name: str, asked: Path | None = None, **known: object) -> None:
    """Each way is refused, unless the run said that this kernel has no means for it."""
    found = stage.outcomes(REACHES.format(ways=ways, known=known), course_root=asked)
    expected = "failed" if name in stage.runner.unconfined else "passed"
    assert found == {f"test_it[{way}]": expected for way in ways}
