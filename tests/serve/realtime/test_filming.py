import asyncio
import base64
import io
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from tests.serve.client import connected

from mien.serve.realtime.frames import SAMPLES

SIZE = (96, 128)
EVERY = 5  # frames of the face, at 12 pictures a second


@pytest.fixture(scope="module")
def filmed(server):
    """An answer shown in pictures, cut in the middle, and then no pictures any more."""

    async def film():
        async with connected(server.ws) as client:
            await client.update(mien={"video": {"width": SIZE[0], "height": SIZE[1], "fps": 12}})
            await client.until("mien.video.frame")
            await client.ask("Please tell me everything that you know about the weather.")
            await client.until("response.output_audio.delta")
            for _ in range(6):
                await client.until("mien.video.frame")
            await client.send("response.cancel")
            await client.until("mien.cut")
            await client.until("mien.video.frame")
            await client.update(mien={"video": False})
            ended = len(client.seen)
            await client.ask("Yes")
            await client.until("response.done")
        return client, ended

    return asyncio.run(film())


def picture(event):
    image = Image.open(io.BytesIO(base64.b64decode(event["jpeg"])))
    assert (image.format, image.size) == ("JPEG", SIZE)
    return np.asarray(image.convert("L"), np.int16)


def test_pictures_lie_on_the_clock_of_the_face(filmed):
    starts = [event["start"] for event in filmed[0].of("mien.video.frame")]
    assert all(start % (EVERY * SAMPLES) == 0 for start in starts)
    back = [b for a, b in pairwise(starts) if b <= a]  # where an answer began, and where it was cut
    assert len(back) <= 2


def test_pictures_show_a_head_that_moves(filmed):
    drawn = [picture(event) for event in filmed[0].of("mien.video.frame")]
    assert drawn[0].std() > 20
    assert max(np.abs(each - drawn[0]).max() for each in drawn) > 40


def test_what_was_cut_is_not_shown_and_an_end_is_an_end(filmed):
    client, ended = filmed
    at = client.kinds().index("mien.cut")
    cut = client.seen[at]["start"]
    first = next(event for event in client.seen[at:] if event["type"] == "mien.video.frame")
    assert first["start"] <= cut + 2 * EVERY * SAMPLES
    assert all(event["type"] != "mien.video.frame" for event in client.seen[ended:])


def test_a_face_is_sent_only_when_it_is_asked_for(filmed):
    assert not filmed[0].of("mien.face.delta")
