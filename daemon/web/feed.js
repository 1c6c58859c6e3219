// The broadcast, followed for ever. The browser reconnects by itself and says what it heard last
// (Last-Event-ID); what it does not notice, a line gone dead or a refusal, is noticed here.

/// Two heartbeats missing and a little more: what is shown may no longer be so.
const staleAfter = 12_000;
/// How often to knock at a silent door.
const retryEvery = 5_000;

export class Feed {
  #url;
  #listener;
  #source = null;
  #heard = 0;
  #opened = 0;
  #game = 0;
  #stale = null;

  /// `listener` has `message(m)` and `stale(bool)`.
  constructor(url, listener) {
    this.#url = url;
    this.#listener = listener;
    this.#heard = performance.now();
    this.#open();
    setInterval(() => this.#watch(), 500);
  }

  #open() {
    this.#source?.close();
    this.#opened = performance.now();
    this.#source = new EventSource(this.#url);
    this.#source.onmessage = (event) => this.#take(JSON.parse(event.data));
  }

  #take(message) {
    this.#heard = performance.now();
    this.#say(false);
    this.#listener.message(message);
    if (message.type !== "state") return;
    // A new game may have new players: the `hello` in front of the stream names them.
    const known = this.#game;
    this.#game = message.game;
    if (known !== 0 && known !== message.game) this.#open();
  }

  #watch() {
    const now = performance.now();
    const silent = now - this.#heard > staleAfter;
    if (silent) this.#say(true);
    const refused = this.#source.readyState === EventSource.CLOSED;
    if ((silent || refused) && now - this.#opened > retryEvery) this.#open();
  }

  #say(stale) {
    if (this.#stale === stale) return;
    this.#stale = stale;
    this.#listener.stale(stale);
  }
}
