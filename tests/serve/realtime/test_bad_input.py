import asyncio
import base64
import json
import socket
import struct
from pathlib import Path

import pytest
import websockets
from tests.serve.client import connected

from mien.audio.pcm import Pcm
from mien.serve.realtime import outbox
from mien.serve.realtime.registry import Registry


async def alive(client):
    """Whether a session still answers."""
    await client.ask("Hello", output_modalities=["text"])
    return (await client.until("response.done"))["response"]["status"] == "completed"


async def settled(server, count):
    """Wait until a server holds so many sessions."""
    async with asyncio.timeout(20):
        while len(server.site.registry) != count:  # noqa: ASYNC110 - the server is in another thread
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("garbage", "invalid_json"),
        ("[" * 100_000, "invalid_json"),
        ('{"type": NaN}', "invalid_json"),
        ("[]", "invalid_json"),
        (b"\x00\xff\xfe", "invalid_json"),
        ("{}", "missing_required_parameter"),
        ('{"type": 7}', "invalid_value"),
        ('{"type": "session.destroy"}', "invalid_value"),
        ('{"type": "input_audio_buffer.append"}', "missing_required_parameter"),
        ('{"type": "input_audio_buffer.append", "audio": "AAA"}', "invalid_value"),
        ('{"type": "input_audio_buffer.append", "audio": "AAAA"}', "invalid_value"),
        ('{"type": "input_audio_buffer.append", "audio": "§§§§"}', "invalid_value"),
        ('{"type": "mien.playhead", "sample": -1}', "invalid_value"),
        ('{"type": "response.cancel"}', "response_cancel_not_active"),
        ('{"type": "conversation.item.delete", "item_id": "none"}', "item_not_found"),
        ('{"type": "response.create", "response": {"colour": 1}}', "unknown_parameter"),
    ],
)
def test_what_can_not_be_understood_is_an_error_and_the_session_lives(server, sent, code):
    async def main():
        async with connected(server.ws) as client:
            await client.socket.send(sent)
            error = (await client.until("error"))["error"]
            return error, await alive(client)

    error, lives = asyncio.run(main())
    assert error["code"] == code
    assert lives


def test_sound_of_more_than_a_minute_at_once_is_refused(server):
    async def main():
        async with connected(server.ws) as client:
            data = base64.b64encode(bytes(61 * 48_000)).decode()
            await client.send("input_audio_buffer.append", audio=data)
            error = (await client.until("error"))["error"]
            return error, await alive(client)

    error, lives = asyncio.run(main())
    assert "61 s" in error["message"]
    assert lives


def test_a_message_of_100_mb_ends_its_connection_alone(server):
    async def main():
        async with connected(server.ws) as other, connected(server.ws) as client:
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await client.socket.send("x" * (100 << 20))
                await client.until("never")
            return closed.value, await alive(other)

    closed, lives = asyncio.run(main())
    assert closed.rcvd is None or closed.rcvd.code == 1009
    assert lives


def test_ten_thousand_events_at_once_are_slowed_down_and_others_notice_nothing(server):
    async def main():
        async with connected(server.ws) as other, connected(server.ws) as client:
            flood = asyncio.create_task(_flood(client.socket))
            error = (await client.until("error"))["error"]
            loop = asyncio.get_running_loop()
            began = loop.time()
            lives = await alive(other)
            took = loop.time() - began
            flood.cancel()
            client.socket.transport.abort()
            return error, lives, took

    error, lives, took = asyncio.run(main())
    assert error["code"] == "rate_limit_exceeded"
    assert lives
    assert took < 3.0


async def _flood(connection):
    event = json.dumps({"type": "mien.playhead", "sample": 0})
    for _ in range(10_000):
        await connection.send(event)


def test_a_client_that_never_reads_is_let_go_and_leaves_nothing(start, monkeypatch):
    monkeypatch.setattr(outbox.Outbox.__init__, "__defaults__", (60_000,))
    from mien.serve.options import ServeOptions

    with start(ServeOptions(port=0, persona="joe", sessions=1)) as server:

        async def main():
            deaf = _deaf(server.port)
            await settled(server, 1)
            event = json.dumps({"type": "conversation.item.retrieve", "item_id": "x" * 60})
            deaf.setblocking(False)
            loop = asyncio.get_running_loop()
            for _ in range(500):
                await loop.sock_sendall(deaf, _frame(event.encode()))
            await settled(server, 0)
            deaf.close()
            async with connected(server.ws) as client:  # its place is free
                return await alive(client)

        assert asyncio.run(main())


def _deaf(port):
    """Shake hands by hand, with a buffer so small that the server soon has to wait."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    client.connect(("127.0.0.1", port))
    head = (
        f"GET /v1/realtime HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    client.sendall(head.encode())
    assert b"101" in client.recv(64)
    return client


def _frame(data):
    return (
        bytes([0x81, 0x80 | len(data)]) + bytes(4) + data
        if len(data) < 126
        else (bytes([0x81, 0x80 | 126]) + struct.pack(">H", len(data)) + bytes(4) + data)
    )


def test_a_client_that_vanishes_comes_back_to_its_session(server):
    async def main():
        async with connected(server.ws) as client:
            name = client.seen[0]["session"]["id"]
            await client.update(mien={"face": True})
            await client.ask("Please tell me everything that you know about mountains and lakes.")
            await client.until("response.output_audio.delta")
            client.socket.transport.abort()
        async with connected(server.ws, f"?session={name}") as again:
            created = again.seen[0]["session"]
            done = await again.until("response.done")
        return name, created, done["response"], again

    name, created, done, again = asyncio.run(main())
    assert (created["id"], created["mien"]["resumed"]) == (name, True)
    assert created["mien"]["face"] is True
    assert done["status"] == "completed"
    assert "mien.continued" in again.kinds()


def test_the_newest_of_two_clients_has_the_session(server):
    async def main():
        async with connected(server.ws) as first:
            name = first.seen[0]["session"]["id"]
            async with connected(server.ws, f"?session={name}") as second:
                error = (await first.until("error"))["error"]
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await first.until("never")
                return error, closed.value.rcvd.code, second.seen[0]["session"], await alive(second)

    error, code, created, lives = asyncio.run(main())
    assert error["code"] == "session_taken_over"
    assert code == 1008
    assert created["mien"]["resumed"]
    assert lives


def test_a_session_nobody_has_is_a_new_one(server):
    async def main():
        async with connected(server.ws, "?session=sess_unknown") as client:
            return client.seen[0]["session"]

    session = asyncio.run(main())
    assert session["id"] != "sess_unknown"
    assert session["mien"]["resumed"] is False


def test_one_too_many_is_refused_before_the_handshake_and_a_lost_one_gives_way(server):
    async def main():
        most = server.site.options.sessions
        clients = [await websockets.connect(server.ws) for _ in range(most)]
        await settled(server, most)
        with pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(server.ws)
        clients[0].transport.abort()
        async with asyncio.timeout(10):
            while True:
                try:
                    clients[0] = await websockets.connect(server.ws)
                    break
                except websockets.InvalidStatus:
                    continue
        for client in clients:
            await client.close()
        await settled(server, 0)
        return refused.value.response

    response = asyncio.run(main())
    assert response.status_code == 503
    assert json.loads(response.body)["error"]["code"] == "no_place"
    assert response.headers["retry-after"]


def test_a_persona_that_is_not_here_is_refused(server):
    with pytest.raises(websockets.InvalidStatus) as refused:
        asyncio.run(_open(f"{server.ws}?persona=nobody"))
    assert refused.value.response.status_code == 400


async def _open(url):
    async with websockets.connect(url):
        pass


def test_sessions_that_are_over_leave_no_task(server, question):
    async def main():
        async with connected(server.ws) as client:
            await client.say(Pcm(question.samples[:24_000], 24_000))
            await client.ask("Hello")
            await client.until("response.output_audio.delta")
        await settled(server, 0)

    asyncio.run(main())
    assert isinstance(server.site.registry, Registry)
    left = asyncio.run_coroutine_threadsafe(_tasks(), server.loop).result(20)
    assert left == []


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="Linux tells open files")
def test_clients_that_vanish_leave_no_open_file(server):
    async def vanish():
        async with connected(server.ws) as client:
            await client.ask("Please tell me everything that you know about mountains.")
            await client.until("response.output_audio.delta")
            client.socket.transport.abort()
        async with connected(server.ws, f"?session={client.seen[0]['session']['id']}") as again:
            await again.send("response.cancel")  # and its place is free at once
        await settled(server, 0)

    asyncio.run(vanish())
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        asyncio.run(vanish())
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


async def _tasks():
    """Return what still runs for sessions a moment later."""
    for _ in range(200):
        names = [task.get_coro().__qualname__ for task in asyncio.all_tasks()]
        left = [name for name in names if any(part in name for part in ("Session", "Player", "Connection"))]
        if not left:
            return []
        await asyncio.sleep(0.02)
    return left
