"""The `mien` command: one module per subcommand, imported only when it is called."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

import mien
from mien import blas
from mien.cli.stopping import CODE, MESSAGE, STOPPING
from mien.errors import MienError, nearest

# name → one line for `mien --help`; the command itself is `mien.cli.<name>:command`.
COMMANDS = {
    "check": "Try everything on this machine: what works, what does not, what to do.",
    "say": "Turn a text into a talking person: a film, a voice, or the movement of the face.",
    "serve": "Let people and programs talk to personas: a page, and OpenAI's Realtime and audio API.",
    "talk": "Say a recording to a persona, and film the conversation; shows where the time went.",
    "transcribe": "Write what is said in a recording, heard as if it were spoken now.",
    "measure": "Judge the lip-sync of any talking-head file.",
    "packs": "List, pull, verify and bundle models and assets.",
    "avatar": "List, create, show and check heads, also those made elsewhere.",
    "personas": "List the personas that are here.",
    "persona": "Make a persona with a mind, test what it understands, and talk to it.",
    "bench": "Measure this machine's figures.",
    "choose": "Choose voice, recogniser, mind and renderer for your constraints, with reasons.",
    "compile": "Make a model an engine for this machine: precision, calibration, proof.",
    "compare": "Say how far an engine's outputs are from its model's.",
    "engines": "List and prune the compiled models in the cache.",
    "ready": "Go through what production needs of a persona or a server.",
    "diagnose": "Say why a model does not build for a target, where, and what to do.",
    "inspect": "Say what a model is, what is wrong with it, and what would happen to it.",
}


class Commands(click.Group):
    """A group that imports a subcommand when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"mien.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when there is none of that name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f"no command {args[0]!r}{nearest(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  mien say "Hello. I am your digital human." -o hello.mp4
  mien say --persona xiaoxiao "你好，欢迎来到银行。" -o nihao.mp4
  mien measure hello.mp4""",
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show an error's traceback; goes anywhere.")
@click.version_option(mien.__version__, prog_name="mien")
def group() -> None:
    """A digital human on this machine: it speaks with its own voice and its own face."""


def main() -> None:
    """Run the command line; errors become one line on stderr and a non-zero exit code."""
    words, debug = without_debug(sys.argv[1:])
    STOPPING.install()
    blas.keep_to_one_thread(os.environ)
    try:
        # without standalone mode click returns the code of `ctx.exit`, and None at the end of a command
        sys.exit(group.main(words, standalone_mode=False))
    except (click.exceptions.Abort, KeyboardInterrupt):
        STOPPING.end()
        sys.exit(_say(MESSAGE, CODE))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except MienError as error:
        if debug:
            raise
        sys.exit(_say(str(error), 1))
    except OSError as error:  # what is left is standard output: each file has errors of its own
        if debug:
            raise
        sys.exit(_say(f"can not go on: {error}; is the output full, or the path wrong?", 1))
    except ModuleNotFoundError as error:
        from mien.cli.missing import told

        if debug or (message := told(error)) is None:
            raise
        sys.exit(_say(message, 1))
    except MemoryError:
        sys.exit(_say("not enough memory; make a smaller picture or a shorter text", 1))


def without_debug(words: Sequence[str]) -> tuple[list[str], bool]:
    """Return the words of a command line without `--debug`, and whether it was there; `--` ends options."""
    end = words.index("--") if "--" in words else len(words)
    options = [word for word in words[:end] if word != "--debug"]
    return [*options, *words[end:]], len(options) < end


def _say(message: str, code: int) -> int:
    click.echo(f"mien: {message}", err=True)
    return code
