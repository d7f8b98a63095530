"""`mien avatar`: heads, mien's own and others'."""

from __future__ import annotations

from pathlib import Path

import click

from mien.cli.options import NUMBERS, SIZE
from mien.cli.progress import progress
from mien.cli.studio import studio

FILE = click.Path(path_type=Path, dir_okay=False)
_EXAMPLES = """\b
Examples:
  mien avatar list -o presets.png
  mien avatar create --age 45 --gender 0.8 --ancestry asian=0.7,african=0.3 -o me.glb
  mien avatar show me.glb --pose jawOpen=0.6,mouthSmileLeft=0.4 --yaw 20 -o me.png
  mien avatar check their.vrm
  mien say --avatar their.vrm "Hello." -o hello.mp4"""
_CREATE = """\b
Examples:
  mien avatar create --like greta --hair bob:white --glasses round -o grandma.glb
  mien avatar create --age 30 --gender 0 --ancestry african=1 --skin deep -o kofi.toml
  mien avatar create --like ava --eyes green --skin "#c99a7b" -o ava2.glb

A .glb is for 3D programs (with --plain for Blender, which knows no meshopt) and can be worn again; a
.toml is the recipe alone, to edit by hand; a .vrm is VRM 1.0."""


@click.group(epilog=_EXAMPLES)
def command() -> None:
    """List, create, show and check heads, also those made elsewhere."""


command.add_command(studio)


@command.command("list")
@click.option("-o", "--out", type=FILE, help="A PNG with a picture of each; builds those that are new.")
def list_(out: Path | None) -> None:
    """List the built-in heads."""
    from rich.console import Console
    from rich.table import Table

    from mien.avatar.presets import presets

    table = Table("name", "age", "gender", "ancestry", "hair", box=None, header_style="bold", pad_edge=False)
    heads = presets()
    for head in heads:
        table.add_row(head.name, f"{head.years:.0f}", head.gender, head.ancestry, head.hair)
    Console().print(table)
    if out is None:
        click.echo("see them: mien avatar list -o presets.png")
        return
    from mien.atomic import check
    from mien.avatar.portraits import sheet
    from mien.avatar.render import save_png

    check(out)
    with progress() as tell:
        save_png(sheet([head.name for head in heads], tell), out)
    click.echo(f'made {out}; let one speak: mien say --avatar {heads[0].name} "Hello." -o hello.mp4')


@command.command(epilog=_CREATE)
@click.option("--like", metavar="NAME", help="A built-in head to begin with; the nearest one by default.")
@click.option("--age", type=float, help="Years, 16 to 90.")
@click.option("--gender", type=float, help="0 male to 1 female.")
@click.option("--ancestry", type=NUMBERS, help="Shares: asian=0.7,african=0.3 (and caucasian).")
@click.option("--weight", type=float, help="0 thin to 1 heavy.")
@click.option("--muscle", type=float, help="0 to 1.")
@click.option("--hair", metavar="STYLE[:COLOUR]", help="A style, a colour or both: bob:grey.")
@click.option("--skin", metavar="COLOUR", help="fair, olive, brown ... or #rrggbb.")
@click.option("--eyes", metavar="COLOUR", help="brown, green, blue ... or #rrggbb.")
@click.option("--outfit", metavar="NAME", help="What is worn.")
@click.option("--beard", metavar="NAME", help="A beard's style, or none.")
@click.option("--glasses", metavar="NAME", help="A frame, or none.")
@click.option("--plain", is_flag=True, help="A .glb that is not compressed: for Blender.")
@click.option("-o", "--out", type=FILE, required=True, help="me.glb, me.vrm or me.toml.")
def create(out: Path, plain: bool, ancestry: dict[str, float] | None, **wishes: str | float | None) -> None:
    """Make a head of your own."""
    from mien.avatar.design import Wishes
    from mien.avatar.making import make

    with progress() as tell:
        made = make(Wishes(ancestry=ancestry or {}, **wishes), out, compress=not plain, progress=tell)  # type: ignore[arg-type]  # click has checked them
    click.echo(f"made {out} ({made}); look at it: mien avatar show {out} -o {out.with_suffix('.png').name}")


@command.command()
@click.argument("head")
@click.option("--pose", type=NUMBERS, help="ARKit weights: jawOpen=0.6,mouthSmile=0.4.")
@click.option("--yaw", type=float, default=0.0, help="Degrees to the head's left.")
@click.option("--pitch", type=float, default=0.0, help="Degrees down.")
@click.option("--roll", type=float, default=0.0, help="Degrees towards its right shoulder.")
@click.option("--size", type=SIZE, default="512x512", show_default=True, help="Width x height.")
@click.option("--background", default="studio", show_default=True, help="studio, #rrggbb or a picture.")
@click.option("-o", "--out", type=FILE, required=True, help="The PNG to make.")
def show(
    head: str,
    pose: dict[str, float] | None,
    yaw: float,
    pitch: float,
    roll: float,
    size: tuple[int, int],
    background: str,
    out: Path,
) -> None:
    """Draw HEAD (a name or a file) in a pose."""
    from mien.atomic import check
    from mien.avatar import load
    from mien.avatar.portraits import portrait, pose_of
    from mien.avatar.render import save_png

    check(out)
    wanted = pose_of(pose or {}, yaw, pitch, roll)
    with progress() as tell:
        save_png(portrait(load(head, tell), wanted, size, background, tell), out)
    click.echo(f'made {out}; let it speak: mien say --avatar {head} "Hello." -o hello.mp4')


@command.command("check")
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def check_(file: Path, as_json: bool) -> None:
    """Say which ARKit, Oculus and VRM targets a head (.glb, .vrm, .gltf) has, what mien does without those
    that are missing, and under which licence it is. The exit code is 1 when it can not be worn.
    """
    from rich.console import Console

    from mien.avatar import foreign

    report = foreign.check(file)
    if as_json:
        click.echo(report.to_json())
    else:
        from mien.cli.avatar_tables import advice, show

        show(report, Console())
        click.echo(advice(report), err=report.verdict == "unusable")
    if report.verdict == "unusable":
        raise SystemExit(1)
