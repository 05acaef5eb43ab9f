// How long it takes from a key until it is sent, until a frame that has felt it is here, and until that is on the screen.

const kept = 15; // of which the median is told
const patience = 2000; // ms: what is not answered by then (the drive is paused, say) does not count

interface Sent {
  stamp: number;
  at: number; // ms, of the event
  arrived: boolean;
}

export class Latency {
  private waiting: Sent[] = [];
  private readonly gone: number[] = [];
  private readonly here: number[] = [];
  private readonly onScreen: number[] = [];
  /** Presses that were answered. */
  count = 0;

  sent(stamp: number, at: number, now: number): void {
    note(this.gone, now - at);
    this.waiting.push({stamp, at, arrived: false});
  }
  arrived(stamp: number, now: number): void {
    for (const sent of this.waiting) {
      if (sent.arrived || sent.stamp > stamp) continue;
      sent.arrived = true;
      if (now - sent.at > patience) continue;
      note(this.here, now - sent.at);
      ++this.count;
    }
  }
  drawn(stamp: number, now: number): void {
    if (this.waiting.length === 0) return;
    for (const sent of this.waiting) if (sent.arrived && sent.stamp <= stamp && now - sent.at <= patience) note(this.onScreen, now - sent.at);
    this.waiting = this.waiting.filter((sent) => !(sent.arrived && sent.stamp <= stamp) && now - sent.at <= patience);
  }
  forget(): void {
    this.waiting = [];
  }

  /** ms, median of the last few; NaN before the first. */
  get toSend(): number {
    return median(this.gone);
  }
  get toFrame(): number {
    return median(this.here);
  }
  get toScreen(): number {
    return median(this.onScreen);
  }
}

function note(list: number[], value: number): void {
  list.push(value);
  if (list.length > kept) list.shift();
}
function median(list: number[]): number {
  return list.length === 0 ? NaN : [...list].sort((a, b) => a - b)[list.length >> 1]!;
}
