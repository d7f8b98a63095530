from mien.cli import progress


def test_without_a_terminal_what_takes_long_is_said_once(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.progress() as tell:
        tell("loading the voice", 0.0)
        for second in range(4):
            now[0] = second * 0.6
            tell("building ava", second / 4)
    assert capsys.readouterr().err == "mien: building ava ...\n"
