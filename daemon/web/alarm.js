// The alarm: seen until somebody says that he has seen it, and heard as often as it is due.

const everyMs = 2_500;

export class Alarm {
  #audio = null;
  #reasons = new Map();
  #timer = null;
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  /// Browsers let a page sound only after somebody has touched it.
  async arm() {
    this.#audio ??= new AudioContext();
    await this.#audio.resume();
    this.#changed();
  }

  get armed() {
    return this.#audio?.state === "running";
  }
  get reasons() {
    return [...this.#reasons.values()];
  }

  /// The same key rings once until it is quieted or withdrawn.
  raise(key, text) {
    if (this.#reasons.get(key) === text) return;
    this.#reasons.set(key, text);
    this.#timer ??= setInterval(() => this.#beep(), everyMs);
    this.#beep();
    this.#changed();
  }

  withdraw(key) {
    if (!this.#reasons.delete(key)) return;
    if (this.#reasons.size === 0) this.quiet();
    else this.#changed();
  }

  quiet() {
    this.#reasons.clear();
    clearInterval(this.#timer);
    this.#timer = null;
    this.#changed();
  }

  #beep() {
    if (!this.armed) return;
    // Two tones, a fourth apart: heard over a hall's murmur, and not mistaken for a telephone.
    [660, 880].forEach((hertz, i) => {
      const begin = this.#audio.currentTime + i * 0.22;
      const tone = this.#audio.createOscillator();
      const volume = this.#audio.createGain();
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.0001, begin);
      volume.gain.exponentialRampToValueAtTime(0.4, begin + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, begin + 0.2);
      tone.connect(volume).connect(this.#audio.destination);
      tone.start(begin);
      tone.stop(begin + 0.22);
    });
  }
}
