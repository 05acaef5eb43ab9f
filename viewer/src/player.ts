// The clock of the animation.

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export class Player {
  time = 0;
  start = 0;
  end = 0;
  playing = false;
  loop = true;
  speed = 1;
  private last = NaN;

  /** Advances to the moment `now`, in milliseconds. */
  tick(now: number): void {
    const elapsed = Number.isNaN(this.last) ? 0 : Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    if (!this.playing || !(this.end > this.start)) return;
    this.time += elapsed * this.speed;
    if (this.time < this.end) return;
    if (this.loop) this.time = this.start;
    else {
      this.time = this.end;
      this.playing = false;
    }
  }

  seek(time: number): void {
    if (Number.isFinite(time)) this.time = Math.min(this.end, Math.max(this.start, time));
  }

  toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.end) this.time = this.start;
  }

  /** The listed speed at which `period` takes about a second and a half. */
  paceFor(period: number): void {
    const wanted = Math.log(period / 1.5);
    this.speed = speeds.reduce((best, speed) => (Math.abs(Math.log(speed) - wanted) < Math.abs(Math.log(best) - wanted) ? speed : best));
  }

  changeSpeed(by: 1 | -1): void {
    const at = speeds.findIndex((speed) => speed >= this.speed * 0.999);
    this.speed = speeds[Math.min(speeds.length - 1, Math.max(0, (at < 0 ? speeds.length - 1 : at) + by))]!;
  }
}
