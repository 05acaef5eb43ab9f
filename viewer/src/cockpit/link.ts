// The line to the program: frames and words in, inputs and commands out. When it breaks it is tried again, with growing pauses.
import {openSocket, type DriveSocket} from './drive_socket';
import {readFrame, readInfo, readSaid, type Command, type DriveInfo, type Frame, type NumberedCommand, type Said} from './protocol';

const pauses = [0.25, 0.5, 1, 2, 4]; // s, then always the last
const inputsAtOnce = 32; // a message has 4096 bytes at most
const silence = 5; // s without a word: the line is taken to be broken; statistics come twice a second

export type LinkState = 'connecting' | 'open' | 'lost';

export interface LinkEvents {
  state: (state: LinkState, again: number) => void; // s until it is tried again
  frame: (frame: Frame) => void;
  said: (said: Said) => void;
  /** After it was found again: what the drive is now. */
  found: (info: DriveInfo) => void;
}

/** The drive behind this page, or null where there is none. */
export async function askDrive(): Promise<DriveInfo | null> {
  const response = await fetch('api/drive', {cache: 'no-store'});
  if (response.status === 404) return null;
  if (!response.ok) throw new Error((await response.text()).trim() || `api/drive: ${response.status}`);
  const answer: unknown = await response.json();
  return answer === null ? null : readInfo(answer);
}

export class Link {
  state: LinkState = 'connecting';
  private socket: DriveSocket | null = null;
  private tried = 0;
  private heard = 0; // ms
  private readonly watch: number;

  constructor(private columns: number, private readonly on: LinkEvents) {
    this.open();
    this.watch = window.setInterval(() => {
      if (this.state === 'open' && performance.now() - this.heard > 1000 * silence) this.drop();
    }, 1000);
  }

  private open(): void {
    const address = new URL('api/drive/socket', location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = openSocket(address.href);
    this.socket = socket;
    socket.onopen = () => {
      this.tried = 0;
      this.heard = performance.now();
      this.become('open', 0);
    };
    socket.onmessage = (data) => {
      this.heard = performance.now();
      if (typeof data === 'string') return this.on.said(readSaid(data));
      const frame = readFrame(data, this.columns);
      if (frame) this.on.frame(frame);
    };
    socket.onclose = () => {
      if (this.socket === socket) this.tryLater();
    };
  }

  private drop(): void {
    this.socket?.close();
    this.tryLater();
  }
  private tryLater(): void {
    this.socket = null;
    const pause = pauses[Math.min(this.tried++, pauses.length - 1)]!;
    this.become('lost', pause);
    window.setTimeout(() => void this.again(), 1000 * pause);
  }
  /** The drive may be another one by now. */
  private async again(): Promise<void> {
    try {
      const info = await askDrive();
      if (!info) return this.tryLater();
      this.columns = info.columns.length;
      this.on.found(info);
      this.open();
    } catch {
      this.tryLater();
    }
  }
  private become(state: LinkState, again: number): void {
    this.state = state;
    this.on.state(state, again);
  }

  /** False when nobody listens. */
  private send(message: object): boolean {
    if (!this.socket?.isOpen) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
  inputs(values: Map<string, number>, stamp: number): boolean {
    const all = [...values];
    let sent = true;
    for (let i = 0; i < all.length; i += inputsAtOnce) sent = this.send({inputs: Object.fromEntries(all.slice(i, i + inputsAtOnce)), stamp}) && sent;
    return sent;
  }
  command(command: Command): boolean;
  command(command: NumberedCommand, number: number): boolean;
  command(command: string, number?: number): boolean {
    return this.send(number === undefined ? {command} : {command, number});
  }

  close(): void {
    window.clearInterval(this.watch);
    const {socket} = this;
    this.socket = null;
    socket?.close();
  }
}
