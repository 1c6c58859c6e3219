// The clocks between two messages. A message tells both clocks at the daemon's moment `t`; from
// then on the running one is counted down here. The two computers' clocks need not agree: the
// smallest distance seen between `t` and the arrival is taken for the distance between them.

/// Further behind than this, the daemon's own clock has been set back: begin anew.
const believable = 15_000;
/// A clock below this shows tenths.
const tenthsBelow = 10_000;

export class Clock {
  #told = null;
  #distance = Infinity;
  #frozen = null;

  take(message, now = Date.now()) {
    this.#told = { ...message.clock, t: message.t };
    this.#frozen = null;
    const distance = now - message.t;
    if (distance < this.#distance || distance > this.#distance + believable) {
      this.#distance = distance;
    }
  }

  /// Nobody is heard any more, so nobody knows whose clock runs: the figures stand still.
  freeze(now = Date.now()) {
    this.#frozen ??= now;
  }

  get running() {
    return this.#told?.valid ? this.#told.running : null;
  }

  /// What `side` has left in ms, null where there is no clock.
  left(side, now = Date.now()) {
    if (!this.#told?.valid) return null;
    const left = this.#told[`${side}_ms`];
    if (this.#told.running !== side) return left;
    const since = (this.#frozen ?? now) - this.#told.t - this.#distance;
    return Math.max(0, left - Math.max(0, since));
  }
}

/// "1:02:03", "59:07", "0:09.4"; a dash where there is no clock. A second that has begun counts.
export function clockText(ms) {
  if (ms === null) return "–:––";
  if (ms < tenthsBelow) {
    const tenths = Math.ceil(ms / 100);
    if (tenths < tenthsBelow / 100) return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.ceil(ms / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
