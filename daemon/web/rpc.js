// JSON-RPC over a WebSocket that comes back by itself. A call is sent once and never again: where
// the line broke before its answer, nobody here knows whether it was carried out, and only a person
// may say "again".

const retryMs = 2_000;

export class Rpc {
  #url;
  #socket = null;
  #waiting = new Map();
  #id = 0;
  #listener;
  #resting = false;

  /// `listener` has `open()`, `closed()` and `note(message)`.
  constructor(url, listener) {
    this.#url = url;
    this.#listener = listener;
    this.#connect();
  }

  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /// Leaves the line closed until `resume`: the daemon does not wait for who says nothing.
  rest() {
    const socket = this.#socket;
    this.#resting = true;
    this.#lose();
    socket?.close();
  }
  resume() {
    this.#resting = false;
    if (!this.#socket) this.#connect();
  }

  #connect() {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    // What an older line still says is nothing to us.
    const current = (handle) => (event) => { if (this.#socket === socket) handle(event); };
    socket.onopen = current(() => this.#listener.open());
    socket.onmessage = current((event) => this.#take(JSON.parse(event.data)));
    socket.onclose = current(() => {
      this.#lose();
      this.#listener.closed();
      setTimeout(() => { if (!this.#resting && !this.#socket) this.#connect(); }, retryMs);
    });
  }

  #lose() {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#socket = null;
    for (const { reject } of waiting) reject({ lost: true, message: "the line broke before the answer" });
  }

  #take(message) {
    if (message.method === "broadcast") return this.#listener.note(message.params);
    const call = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) call?.reject(message.error);
    else call?.resolve(message.result);
  }

  /// The result; rejects with {code, message}, or {lost: true} where the answer never came.
  call(method, params) {
    if (!this.open) return Promise.reject({ message: "not connected: nothing was sent" });
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, ...(params && { params }) }));
    });
  }
}
