import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from click.testing import CliRunner
from websockets.sync.client import connect

from mien.cli.serve import command
from mien.errors import MienError

COMMAND = [sys.executable, "-m", "mien", "serve", "--persona", "joe"]


def test_a_server_prints_its_address_and_ends_after_the_answer_that_is_being_given():
    words = [*COMMAND, "--port", "0", "--log-json"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().split()[-1]
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(f"{address}readyz") as got:
            assert json.load(got)["status"] == "ok"
        with connect(f"{address.replace('http', 'ws')}v1/realtime") as socket:
            socket.send(json.dumps({"type": "response.create"}))
            kinds = []
            while "response.output_audio.delta" not in kinds:
                kinds.append(json.loads(socket.recv(20))["type"])
            process.send_signal(signal.SIGTERM)
            while "mien.draining" not in kinds:
                kinds.append(json.loads(socket.recv(20))["type"])
            with pytest.raises(urllib.error.HTTPError, match="503"):  # others go elsewhere meanwhile
                urllib.request.urlopen(f"{address}readyz")
            kinds += [json.loads(message)["type"] for message in socket]
            assert socket.close_code == 1001
        assert kinds.index("mien.draining") < kinds.index("response.done")
        assert process.wait(20) == 0
        assert "closed" in process.stdout.read()
        lines = [json.loads(line) for line in process.stderr]
        assert [line["message"] for line in lines] == ["opened", "turn", "closed"]
        assert lines[-1]["ending"] == "drained"
    finally:
        process.kill()
        process.stdout.close()
        process.stderr.close()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--host", "0.0.0.0"], "--jwt-key"),
        (["--persona", "nobody"], "no persona"),
        (["--jwt-key", "nowhere.pem"], "nowhere.pem"),
        (["--port", "99999"], "port"),
    ],
)
def test_a_server_that_can_not_start_says_why(words, says):
    run = CliRunner().invoke(command, ["--persona", "joe", *words])
    assert isinstance(run.exception, MienError)
    assert says in str(run.exception)
