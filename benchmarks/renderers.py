"""Pictures of the documentation that take a browser: the three renderers side by side, and the studio's page.

PYTHONPATH=. python benchmarks/renderers.py [docs/pictures]
"""

from __future__ import annotations

import base64
import io
import json
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from PIL import Image
from tests.browser import opened

import mien.serve
from mien.avatar import Avatar, load
from mien.avatar.build import people
from mien.avatar.files import glb
from mien.avatar.render import Camera, SoftwareRenderer, sheet, warm_up
from mien.avatar.render.gl import GlRenderer, Stage
from mien.face.pose import ARKIT_NAMES, FacePose, weights
from mien.studio.app import Studio
from mien.studio.guard import Guard
from mien.studio.serve import configuration, listening

PEOPLE, SIDE, BACKGROUND = ("ava", "greta"), 400, "#707c86"
NAMED = {"jawOpen": 0.25, "mouthSmile": 0.5}
POSE = FacePose(weights(NAMED), np.array([0.25, 0.03, 0.0], np.float32), np.full((2, 2), -0.05, np.float32))
DRAWN = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
VIEWER = Path(mien.serve.__file__).parent / "page"  # as `make web` built it
PAGE = '<!doctype html><meta charset="utf-8"><canvas width="{side}" height="{side}"></canvas>'
DRAW = """(async () => {{
  const {{ Viewer }} = await import("./viewer.js");
  const canvas = document.querySelector("canvas"), viewer = new Viewer(canvas, "{background}");
  await viewer.load("head.glb");
  viewer.pose({pose});
  viewer.look({camera});
  viewer.draw();
  return canvas.toDataURL("image/png");
}})()"""
CANVAS = "document.getElementById('picture')"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port; gives the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def in_browser(head: Avatar, camera: Camera) -> np.ndarray:
    """Draw a head with the viewer of `web/`, from its compressed GLB."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        glb.write(folder / "head.glb", head, compress=True)
        shutil.copytree(VIEWER, folder, dirs_exist_ok=True)
        (folder / "head.html").write_text(PAGE.format(side=SIDE), encoding="utf-8")
        named = dict(zip(ARKIT_NAMES, POSE.weights.tolist(), strict=True))
        pose = {"weights": named, "head": POSE.head.tolist(), "gaze": POSE.gaze.tolist()}
        at = {"eye": list(camera.eye), "target": list(camera.target), "height": camera.height}
        script = DRAW.format(background=BACKGROUND, pose=json.dumps(pose), camera=json.dumps(at))
        with served(folder) as address, opened(folder / "profile", *DRAWN) as page:
            page.call("Page.navigate", url=f"{address}head.html")
            page.until("document.querySelector('canvas')")
            picture = base64.b64decode(page.run(script).partition(",")[2])
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


def renderers(file: Path) -> None:
    """Draw the same pose by the software renderer, OpenGL and three.js, a person a row."""
    pictures, size = [], (SIDE, SIDE)
    for name in PEOPLE:
        head = load(name)
        camera = Camera.portrait(head, size, zoom=1.15)
        with SoftwareRenderer(head, size, camera=camera, background=BACKGROUND) as renderer:
            pictures.append(renderer.render(POSE).copy())
        with (
            Stage() as stage,
            GlRenderer(head, size, camera=camera, background=BACKGROUND, stage=stage) as gl,
        ):
            pictures.append(gl.render(POSE).copy())
        pictures.append(in_browser(head, camera))
    Image.fromarray(sheet(pictures, columns=3)).save(file, quality=86, optimize=True)
    print(f"wrote {file}")


def studio(file: Path) -> None:
    """Take a picture of the studio's page with the finished head of a preset."""
    for name in people():
        load(name)  # so that the page shows them at once
    with tempfile.TemporaryDirectory() as folder, listening(0) as listener:
        port = listener.getsockname()[1]
        made = Studio(Path(folder), calm_s=3600)
        server = uvicorn.Server(configuration(made.app(Guard(port, "token"))))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        with opened(Path(folder) / "profile") as page:
            page.size(1200, 760)
            page.call("Page.navigate", url=f"http://127.0.0.1:{port}/token/")
            page.until(f"document.getElementById('f-age') && {CANVAS}.dataset.generation > 0")
            page.until(
                "[...document.querySelectorAll('.presets img')].every((each) => each.naturalWidth > 0)"
            )
            page.screenshot(Path(folder) / "studio.png", 1200, 760)
        server.should_exit = True
        thread.join()
        made.close()
        picture = Image.open(Path(folder) / "studio.png").convert("RGB")
    picture.save(file, quality=84, optimize=True)
    print(f"wrote {file}")


def main(folder: str = "docs/pictures") -> None:
    warm_up()
    renderers(Path(folder) / "renderers.jpg")
    studio(Path(folder) / "studio.jpg")


if __name__ == "__main__":
    main(*sys.argv[1:])
