// The newest frames of a drive as a trajectory: what is shown lies a constant short time behind the drive, between two frames that
// are here or a little beyond the newest, as these two go on. A few frames are all that is kept.
import {Table, type Curve, type Place} from '../table';
import type {Trajectory} from '../trajectory';
import type {Frame} from './protocol';

const kept = 8; // frames
const softness = 0.25; // s in which a wrong distance to the newest frame is mended
const tooFar = 0.3; // s of wall clock: jump instead
const [leastDelay, mostDelay] = [0.008, 0.12]; // s
const usualDelay = 0.6; // of the usual distance of frames: shorter than one, so that a key is seen soon
const farthest = 2; // frames' distances after the earlier of two that they are taken to go on evenly

interface Arrived {
  frame: Frame;
  at: number; // s of the page's clock
}

export class LiveTrajectory implements Trajectory {
  readonly version = 1;
  /** Simulated time that is shown. */
  time = 0;
  /** Frames so far. */
  count = 0;
  /** Wall-clock seconds by which the picture is behind. */
  delay = usualDelay / 60;
  private readonly arrived: Arrived[] = [];
  private readonly table: Table;
  private readonly place: Place;
  private lastTick = NaN;
  private interval = 1 / 60;

  constructor(readonly columns: string[]) {
    this.table = Table.of(columns.map(() => new Float64Array(2)));
    this.place = {table: this.table, row: 0, part: 0};
    this.table.length = 0; // nothing has arrived
  }

  get newest(): Frame | null {
    return this.arrived.at(-1)?.frame ?? null;
  }
  get rows() {
    return this.table.length;
  }
  get start() {
    return this.newest?.time ?? 0;
  }
  get end() {
    return this.newest?.time ?? 0;
  }

  /** `now`: s of the page's clock. */
  add(frame: Frame, now: number): void {
    const last = this.arrived.at(-1);
    if (last && frame.time < last.frame.time) this.arrived.length = 0; // went back
    else if (last && frame.time > last.frame.time && frame.mode === 'runs') {
      const interval = Math.min(0.2, now - last.at);
      this.interval += 0.05 * (interval - this.interval);
      this.delay = Math.min(mostDelay, Math.max(leastDelay, usualDelay * this.interval));
    }
    if (last && frame.time === last.frame.time) this.arrived.pop(); // the same state, another mode or stamp
    this.arrived.push({frame, at: now});
    if (this.arrived.length > kept) this.arrived.shift();
    if (this.arrived.length === 1) this.time = frame.time;
    ++this.count;
  }

  /** The clock of the picture: runs as the drive does, softly kept at its distance from the newest frame. */
  tick(now: number): number {
    const last = this.arrived.at(-1);
    const passed = Number.isNaN(this.lastTick) ? 0 : Math.max(0, now - this.lastTick);
    this.lastTick = now;
    if (!last) return this.time;
    const {time, scale, mode} = last.frame;
    if (mode !== 'runs') return (this.time = time);
    const wanted = time + scale * (Math.min(now - last.at, 2 * this.delay) - this.delay);
    const off = wanted - this.time;
    if (Math.abs(off) > tooFar * scale || off < -scale * mostDelay) this.time = wanted;
    else this.time += passed * scale + (off - passed * scale) * Math.min(1, passed / softness);
    const beyond = this.arrived.length > 1 ? scale * this.delay : 0;
    this.time = Math.min(time + beyond, Math.max(this.arrived[0]!.frame.time, this.time));
    return this.time;
  }

  /** Between the two frames around a time, or beyond the newest two; the same object each time. */
  locate(time: number): Place {
    const {arrived, table, place} = this;
    if (arrived.length === 0) return place;
    let later = arrived.length - 1;
    while (later > 0 && arrived[later - 1]!.frame.time >= time) --later;
    const b = arrived[later]!.frame;
    const a = later > 0 ? arrived[later - 1]!.frame : b;
    for (let c = 0; c < table.columns.length; ++c) {
      const column = table.columns[c]!;
      column[0] = a.values[c]!;
      column[1] = b.values[c]!;
    }
    table.length = 2;
    const apart = b.time - a.time;
    place.part = apart > 0 ? Math.min(farthest, Math.max(0, (time - a.time) / apart)) : 1;
    return place;
  }
  /** The stamp that the picture at a time has felt: of the later of the two frames around it, as soon as that has a part in it. */
  stampAt(time: number): number {
    let stamp = 0;
    for (const {frame} of this.arrived) {
      stamp = frame.stamp;
      if (frame.time >= time) break;
    }
    return stamp;
  }

  overview(): Table {
    return this.table;
  }
  async curve(columns: number[]): Promise<Curve> {
    return {t: new Float64Array(0), values: columns.map(() => new Float64Array(0))};
  }
  step(time: number): number {
    return time;
  }
}
