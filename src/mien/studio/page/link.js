// The connection to the studio: what is wanted goes out, pictures and progress come in.

const AGAIN_MS = 1500;

export class Link {
  // `hear` has `message(object)`, `picture(about, blob)` and `state(open)`.
  constructor(hear) {
    this.hear = hear;
    this.wanted = null;
    this.generation = 0;
    this.#open();
  }

  // Asks for a person in a view; what was asked before is no longer wanted.
  ask(wanted) {
    this.generation += 1;
    this.wanted = { ...wanted, generation: this.generation };
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(this.wanted));
  }

  #open() {
    const address = new URL("live", location.href);
    address.protocol = "ws:";
    this.socket = new WebSocket(address);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => {
      this.hear.state(true);
      if (this.wanted) this.socket.send(JSON.stringify(this.wanted));
    };
    this.socket.onmessage = ({ data }) => this.#take(data);
    this.socket.onclose = () => {
      this.hear.state(false);
      setTimeout(() => this.#open(), AGAIN_MS);
    };
  }

  #take(data) {
    if (typeof data === "string") {
      this.hear.message(JSON.parse(data));
      return;
    }
    const length = new DataView(data).getUint32(0);
    const about = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    this.hear.picture(about, new Blob([new Uint8Array(data, 4 + length)], { type: "image/webp" }));
  }
}
