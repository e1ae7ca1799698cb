"""A club: a thousand players at several server processes with one PostgreSQL, on loopback.

``make bench-table ARGS="--players 1000 --processes 2"``. Each player has a table, a connection and
a socket, and thinks for some seconds before each move. One socket in ten is at another process than
the moves, so that its events are news. Meanwhile results of the daily deals come in. With
``--kills`` one process after the other is killed and started again; players turn to the next one,
as behind a proxy, and in the end every acknowledged move must be in the database, and every
acknowledged result must count once.

All players run in the process that measures: its share of the processor is shown, too.
"""

import argparse
import asyncio
import contextlib
import gc
import json
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from cadogan import load, solve
from cadogan.table import daily, schema
from cadogan.table.deal_search import BUDGET
from cadogan.table.store import Store
from cadogan.web.serve import listen
from tests.table.postgres import cluster

GAMES = ("klondike", "spider", "freecell", "flower-garden", "besieged-city", "the-queens")
AIM = 0.100
"""The target for 99 of 100 moves, in seconds."""
ELSEWHERE = 10
"""One socket in so many is at another process than the moves."""
RESULTS_PER_SECOND = 4
MOST_RESULTS = daily.MOST_RESULTS // 2
TEXT, PING, PONG = 0x81, 0x89, 0x8A
"""The first bytes of frames."""
MASKED = 0x80
_CUT_OFF = (OSError, EOFError, asyncio.IncompleteReadError)


@dataclass(frozen=True)
class Round:
    """One measurement.

    Attributes:
        players: How many play.
        processes: How many server processes there are.
        seconds: How long they play.
        thinking: The mean of the seconds before each move.
        workers: Processes that search for verdicts, for each server process.
        kills: How often a server process is killed.
    """

    players: int
    processes: int
    seconds: float
    thinking: float
    workers: int
    kills: int


@dataclass
class Figures:
    """What was measured.

    Attributes:
        times: Seconds from the request for a move to its answer.
        waits: Seconds to the next answer, if the server was killed meanwhile.
        news: Seconds from the request to the event at another process.
        tries: How often a move was asked for again, since its server was killed.
        results: Daily results that were acknowledged, as pairs of game and player.
        processor: Processor seconds of the servers, of PostgreSQL and of the players.
        elapsed: How long it took.
        load: The load of the machine.
        kills: How many processes were killed.
    """

    times: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    news: list[float] = field(default_factory=list)
    tries: int = 0
    results: list[tuple[str, str]] = field(default_factory=list)
    processor: dict[str, float] = field(default_factory=dict)
    elapsed: float = 0.0
    load: float = 0.0
    kills: int = 0


@dataclass
class Clock:
    """When a round is over: after some time, and when nothing is left to kill.

    Attributes:
        until: The time.
        kills: How many kills are left.
    """

    until: float
    kills: int

    @property
    def is_over(self) -> bool:
        """Whether it is over."""
        return time.monotonic() > self.until and not self.kills


def run_server(database: str, folder: str, port: int, workers: int) -> None:
    from cadogan.web.serve import serve
    from cadogan.web.state import AppState

    serve(AppState(database, Path(folder), workers=workers), listen("127.0.0.1", port))


class Servers:
    """The server processes.

    Attributes:
        ports: Their ports.
    """

    def __init__(self, database: str, folder: str, round_: Round) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["cadogan.web.serve", "cadogan.web.state"])
        self._words = database, folder, round_.workers
        self.ports: list[int] = []
        for _ in range(round_.processes):
            bound = listen("127.0.0.1", 0)
            self.ports.append(bound.getsockname()[1])
            bound.close()
        self._running = [self._started(number) for number in range(round_.processes)]
        self._spent = 0.0

    def _started(self, number: int) -> BaseProcess:
        database, folder, workers = self._words
        words = database, f"{folder}/{number}", self.ports[number], workers
        process = self._context.Process(target=run_server, args=words)
        process.start()
        return process

    def kill(self, number: int) -> None:
        """Kills a process and starts it again."""
        killed = self._running[number]
        self._spent += seconds_of(killed.pid)
        killed.kill()
        killed.join()
        self._running[number] = self._started(number)

    def spent(self) -> float:
        """The processor seconds of all server processes."""
        return self._spent + sum(seconds_of(each.pid) for each in self._running)

    async def wait(self) -> None:
        """Waits until all processes answer."""
        for port in self.ports:
            until = time.monotonic() + 120
            while True:
                connection = Connection(port, "127.0.0.1")
                with contextlib.closing(connection), contextlib.suppress(*_CUT_OFF):
                    await connection.ask("GET", "/api/settings")
                    break
                if time.monotonic() > until:
                    raise TimeoutError("a server does not start")
                await asyncio.sleep(0.1)

    def close(self) -> None:
        """Kills all processes."""
        for each in self._running:
            each.kill()
            each.join()


def seconds_of(pid: int | None) -> float:
    """The processor seconds of a process and of its children that have ended."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def seconds_of_postgres(folder: str) -> float:
    """The processor seconds of a cluster whose sockets are in a folder."""
    pid = int(Path(folder, "data", "postmaster.pid").read_text().split()[0])
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return sum(map(seconds_of, [pid, *map(int, found.stdout.split())]))


class Connection:
    """A connection for many requests; it speaks as much HTTP as the server's answers need.

    A library takes more of the processor than the server that is measured.
    """

    def __init__(self, port: int, address: str) -> None:
        self._port = port
        self._address = address
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, how: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Sends a request; returns the status and the content of the answer."""
        if self._streams is None:
            local = (self._address, 0)
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, local_addr=local)
        reader, writer = self._streams
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{how} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        writer.write(head.encode() + content)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(answer.partition("content-length:")[2].split()[0])
        given = await reader.readexactly(length)
        return int(answer.split()[1]), json.loads(given) if given else None

    def close(self) -> None:
        """Closes it."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


class Events(asyncio.Protocol):
    """A socket that takes what the server sends; it speaks as much WebSocket as that needs.

    Args:
        path: The path of the socket.
        port: The port of the server.
        hear: Called with each event but the first, which shows the table as it is.

    Attributes:
        opened: Set when the first event has come, or the connection has ended.
        closed: Set when the connection has ended.
    """

    def __init__(self, path: str, port: int, hear: Callable[[bytes], None] | None) -> None:
        self.opened = asyncio.Event()
        self.closed = asyncio.Event()
        self._head = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n"
        )
        self._hear = hear
        self._read = b""
        self._is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for the socket."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._head.encode())

    def data_received(self, data: bytes) -> None:
        """Takes frames, which a server does not mask; an event is always a single frame."""
        self._read += data
        if not self._is_open:
            _, end, rest = self._read.partition(b"\r\n\r\n")
            if not end:
                return
            self._is_open, self._read = True, rest
        while len(self._read) >= 2:
            first, size = self._read[:2]
            begins = {126: 4, 127: 10}.get(size, 2)
            if len(self._read) < begins:
                return
            ends = begins + (size if begins == 2 else int.from_bytes(self._read[2:begins], "big"))
            if len(self._read) < ends:
                return
            content, self._read = self._read[begins:ends], self._read[ends:]
            self._take(first, content)

    def _take(self, first: int, content: bytes) -> None:
        if first == PING:
            # The server closes a socket that does not answer. The mask is zero.
            self._transport.write(bytes((PONG, MASKED | len(content), 0, 0, 0, 0)) + content)
        elif first == TEXT and not self.opened.is_set():
            self.opened.set()
        elif first == TEXT and self._hear is not None:
            self._hear(content)

    def connection_lost(self, error: Exception | None) -> None:
        """Ends it."""
        self.opened.set()
        self.closed.set()


class Player:
    """Plays at one table, and notes what was acknowledged.

    Attributes:
        key: The table.
        sits: Set when the socket is open.
        moves: The acknowledged moves by the version that each made.
    """

    def __init__(self, number: int, round_: Round, servers: Servers, figures: Figures) -> None:
        self.sits = asyncio.Event()
        self.key = ""
        self.moves: dict[int, str] = {}
        self._number = number
        self._round = round_
        self._servers = servers
        self._figures = figures
        self._dice = random.Random(number)
        self._home = number % len(servers.ports)
        # As many addresses as a club has: the sockets of one are limited.
        self._address = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self._connection = self._connected()
        self._table: dict[str, Any] = {}
        self._asked_at: tuple[int, float] = (-1, 0.0)
        self._was_cut_off = False

    def _connected(self) -> Connection:
        return Connection(self._servers.ports[self._home], self._address)

    async def _ask(self, how: str, path: str, body: Any = None) -> tuple[int, Any]:
        """As :meth:`Connection.ask`; a process that is dead or full is left for the next one."""
        while True:
            try:
                status, answer = await self._connection.ask(how, path, body)
            except _CUT_OFF:
                status, answer = 503, None
            if status < 500:
                return status, answer
            self._connection.close()
            self._figures.tries += 1
            self._was_cut_off = True
            await asyncio.sleep(0.2)
            self._home = (self._home + 1) % len(self._servers.ports)
            self._connection = self._connected()
            if how == "POST" and self.key:
                return 409, None  # what was asked for may have happened, or not

    async def sit_down(self) -> None:
        """Deals the table, and opens the socket."""
        body = {"game": GAMES[self._number % len(GAMES)], "deal": f"cadogan:{self._number}"}
        status, self._table = await self._ask(
            "POST", "/api/tables", body | {"verdict": "thoughtful"}
        )
        assert status == 201, self._table
        self.key = self._table["id"]
        self._listening = asyncio.create_task(self._listen())
        await self.sits.wait()

    async def play(self, clock: Clock) -> None:
        """Plays until the round is over."""
        try:
            await asyncio.sleep(self._dice.uniform(0, self._round.thinking))
            while not clock.is_over:
                await self._move()
                await asyncio.sleep(self._round.thinking * self._dice.uniform(0.5, 1.5))
        finally:
            self._listening.cancel()
            self._connection.close()

    async def _move(self) -> None:
        path, version = f"/api/tables/{self.key}", self._table["version"]
        moves = self._table["position"]["moves"]
        text = self._dice.choice(moves)["text"] if moves else None
        self._was_cut_off, begun = False, time.perf_counter()
        self._asked_at = version + 1, begun
        if text is None:
            status, answer = await self._ask("POST", f"{path}/restart", {"version": version})
        else:
            body = {"version": version, "text": text}
            status, answer = await self._ask("POST", f"{path}/moves", body)
        if status == 409:
            status, answer = await self._ask("GET", path)
            self._figures.waits.append(time.perf_counter() - begun)
            assert status == 200, answer
            assert answer["version"] in (version, version + 1), (
                "a move has vanished, or another came"
            )
            self._table = answer
            return
        assert status == 200, answer
        if self._was_cut_off:
            self._figures.waits.append(time.perf_counter() - begun)
        else:
            self._figures.times.append(time.perf_counter() - begun)
        self._table = answer.get("table", answer)
        if text is not None:
            self.moves[self._table["version"]] = text

    async def _listen(self) -> None:
        """Keeps a socket open at one of the processes."""
        elsewhere = len(self._servers.ports) > 1 and self._number % ELSEWHERE == 0
        at = (self._number + elsewhere) % len(self._servers.ports)
        path, hear = f"/api/tables/{self.key}/events", self._heard if elsewhere else None
        while True:
            port = self._servers.ports[at]
            with contextlib.suppress(OSError):
                _, events = await asyncio.get_running_loop().create_connection(
                    partial(Events, path, port, hear),
                    "127.0.0.1",
                    port,
                    local_addr=(self._address, 0),
                )
                await events.opened.wait()
                if not events.closed.is_set():
                    self.sits.set()
                await events.closed.wait()
            at = (at + 1) % len(self._servers.ports)
            await asyncio.sleep(0.5)

    def _heard(self, event: bytes) -> None:
        heard = time.perf_counter()
        answer = json.loads(event)
        version, begun = self._asked_at
        if answer["type"] == "table" and answer["table"]["version"] == version:
            self._figures.news.append(heard - begun)


async def enter_results(
    servers: Servers, figures: Figures, clock: Clock, lines: Mapping[str, list[str]]
) -> None:
    """Enters results of the daily deals, each under another name.

    Args:
        servers: The servers.
        figures: What was measured.
        clock: When the round is over.
        lines: The moves that win the deal of each game.
    """
    day = datetime.now(UTC).date()
    number = 0
    while not clock.is_over and number < MOST_RESULTS * len(lines):
        game = daily.GAMES[number % len(lines)]
        name = f"player {number}"
        body = {"game": game, "day": day.isoformat(), "player": name, "moves": lines[game]}
        number += 1
        for attempt in range(100):
            port = servers.ports[(number + attempt) % len(servers.ports)]
            connection = Connection(port, "127.0.0.1")
            try:
                status, answer = await connection.ask("POST", "/api/daily/results", body)
            except _CUT_OFF:
                status, answer = 503, None
            finally:
                connection.close()
            # It was counted before its server was killed.
            counted = attempt > 0 and "counted already" in json.dumps(answer)
            if status == 201 or counted:
                figures.results.append((game, name))
                break
            assert status >= 500 or "not known yet" in json.dumps(answer), answer
            await asyncio.sleep(0.3)
        await asyncio.sleep(1 / RESULTS_PER_SECOND)


def winning_line(name: str, day: str) -> list[str]:
    """The moves that win the daily deal of a game."""
    game = load(name)
    for deal in daily.candidates(datetime.fromisoformat(day).date(), game.digest):
        verdict = solve(game.deal(deal), budget=BUDGET)
        if verdict.status == "winnable":
            return [move.text for move in verdict.line if not move.forced]
    raise LookupError(f"no deal of {name} is found for {day}")


async def kill(servers: Servers, figures: Figures, clock: Clock) -> None:
    """Kills one process after the other, each when all answer again."""
    pause = (clock.until - time.monotonic()) / (clock.kills + 1)
    dice = random.Random(7)
    while clock.kills:
        await asyncio.sleep(pause * dice.uniform(0.5, 1.5))
        await servers.wait()
        servers.kill(clock.kills % len(servers.ports))
        figures.kills += 1
        clock.kills -= 1
    await servers.wait()


@contextlib.asynccontextmanager
async def busy(*works: Any) -> AsyncIterator[None]:
    """Runs tasks, and waits for them in the end."""
    tasks = [asyncio.create_task(work) for work in works]
    yield
    await asyncio.gather(*tasks)


async def measure(database: str, folder: str, round_: Round) -> tuple[Figures, list[Player]]:
    """Lets all players play."""
    figures = Figures()
    servers = Servers(database, folder, round_)
    postgres = database.partition("host=")[2].partition("&")[0]
    try:
        await servers.wait()
        today = datetime.now(UTC).date().isoformat()
        lines = {name: winning_line(name, today) for name in daily.GAMES}
        players = [Player(number, round_, servers, figures) for number in range(round_.players)]
        for first in range(0, len(players), 20):
            await asyncio.gather(*(player.sit_down() for player in players[first : first + 20]))
        gc.collect()
        gc.disable()  # measure the servers, not the garbage collection of the players
        begun = time.monotonic()
        clock = Clock(begun + round_.seconds, round_.kills)
        before = servers.spent(), seconds_of_postgres(postgres), time.process_time()
        results = enter_results(servers, figures, clock, lines)
        async with busy(results, kill(servers, figures, clock)):
            await asyncio.gather(*(player.play(clock) for player in players))
        after = servers.spent(), seconds_of_postgres(postgres), time.process_time()
        figures.elapsed = time.monotonic() - begun
        names = ("servers", "PostgreSQL", "players")
        figures.processor = {
            name: late - early for name, early, late in zip(names, before, after, strict=True)
        }
        figures.load = os.getloadavg()[0]
        return figures, players
    finally:
        gc.enable()
        servers.close()


def lost(database: str, folder: str, players: list[Player], figures: Figures) -> list[str]:
    """What was acknowledged and is not in the database, or is there twice."""
    store = Store(database, Path(folder))
    try:
        found = []
        for player in players:
            events = store.events(player.key)
            # A move that was made before at the same position leads to the node that it made then.
            made = {each.node: each.data["move"] for each in events if each.kind == "move"}
            for version, text in player.moves.items():
                event = events[version - 1] if version <= len(events) else None
                if event is None or made.get(event.node) != text:
                    found.append(f"table {player.key}, version {version}: {text}")
        with store.engine.connect() as connection:
            rows = connection.execute(schema.daily_results.select()).mappings().all()
        counted = [(row["game"], row["player"]) for row in rows]
        found += [f"result {each}" for each in figures.results if counted.count(each) != 1]
        return found
    finally:
        store.close()


def percentile(times: list[float], share: float) -> float:
    """The time that a share of all keeps to."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] if times else float("nan")


@contextlib.contextmanager
def _database() -> Iterator[str]:
    with cluster(durable=True) as address:
        yield address


def report(round_: Round, figures: Figures, missing: list[str]) -> dict[str, Any]:
    """Prints what was measured."""
    number = len(figures.times)
    used = figures.processor["servers"] + figures.processor["PostgreSQL"]
    row = {
        **asdict(round_), "moves": number, "moves_per_second": number / figures.elapsed,
        "p50": statistics.median(figures.times), "p99": percentile(figures.times, 0.99),
        "news_p50": percentile(figures.news, 0.5), "news_p99": percentile(figures.news, 0.99),
        "waits_p99": percentile(figures.waits, 0.99),
        "results": len(figures.results), "killed": figures.kills, "tries": figures.tries,
        "lost": len(missing), "load": figures.load,
        "players_per_core": round_.thinking * number / used,
        **{f"cpu_{name}": spent / number for name, spent in figures.processor.items()},
    }  # fmt: skip
    waits = f"{percentile(figures.waits, 0.5):.1f}, {row['waits_p99']:.1f} s"
    table = Table("figure", "")
    for name, text in (
        (
            "players, processes, workers each",
            f"{round_.players}, {round_.processes}, {round_.workers}",
        ),
        ("moves, a second", f"{number:,}, {row['moves_per_second']:.0f}"),
        ("p50, p99 of a move", f"{row['p50'] * 1e3:.0f}, {row['p99'] * 1e3:.0f} ms"),
        ("p50, p99 of news", f"{row['news_p50'] * 1e3:.0f}, {row['news_p99'] * 1e3:.0f} ms"),
        ("p50, p99 when the server was killed", waits),
        ("processor a move: servers", f"{row['cpu_servers'] * 1e3:.1f} ms"),
        ("... PostgreSQL", f"{row['cpu_PostgreSQL'] * 1e3:.1f} ms"),
        ("... players", f"{row['cpu_players'] * 1e3:.1f} ms"),
        ("players a core", f"{row['players_per_core']:.0f}"),
        ("daily results", f"{len(figures.results)}"),
        ("processes killed, requests cut off", f"{figures.kills}, {figures.tries}"),
        ("lost or counted twice", f"{len(missing)}"),
        ("load of the machine", f"{figures.load:.1f}"),
    ):
        table.add_row(name, text)
    Console().print(table)
    for each in missing[:20]:
        print(f"lost: {each}", file=sys.stderr)
    met = row["p99"] < AIM
    print(f"target: p99 under {AIM * 1000:.0f} ms: {'met' if met else 'missed'}")
    return row


def main(words: list[str] | None = None) -> int:
    """Measures; fails if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2, help="server processes")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long they play")
    parser.add_argument("--thinking", type=float, default=5.0, help="seconds before each move")
    parser.add_argument("--workers", type=int, default=0, help="searching, for each process")
    parser.add_argument("--kills", type=int, default=0, help="how often a process is killed")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = vars(parser.parse_args(words))
    file = options.pop("json")
    round_ = Round(**options)
    with tempfile.TemporaryDirectory() as folder, _database() as database:
        figures, players = asyncio.run(measure(database, folder, round_))
        missing = lost(database, folder, players, figures)
    row = report(round_, figures, missing)
    if file is not None:
        file.write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
