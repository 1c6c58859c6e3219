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

  /// `listener` has `open()`, `closed()` and `note(message)`.
  constructor(url, listener) {
    this.#url = url;
    this.#listener = listener;
    this.#connect();
  }

  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #connect() {
    this.#socket = new WebSocket(this.#url);
    this.#socket.onopen = () => this.#listener.open();
    this.#socket.onmessage = (event) => this.#take(JSON.parse(event.data));
    this.#socket.onclose = () => {
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject } of waiting) reject({ lost: true, message: "the line broke before the answer" });
      this.#listener.closed();
      setTimeout(() => this.#connect(), retryMs);
    };
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
