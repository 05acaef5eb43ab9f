// The socket of a drive, in a thread of its own. After a key Chromium keeps a page's tasks back until its next picture, 50 ms at
// most, those of its sockets and workers too: the frame that has felt the key would miss that picture. What comes by a broadcast
// channel it does not keep back. A page that is slow gets fewer frames, the newest each time.

/** What a WebSocket does, as far as it is used here. */
export interface DriveSocket {
  readonly isOpen: boolean;
  onopen: () => void;
  onmessage: (data: ArrayBuffer | string) => void;
  onclose: () => void;
  send(text: string): void;
  close(): void;
}

type FromWorker = {open: true} | {closed: true} | {data: ArrayBuffer | string};
type ToWorker = {connect: string; channel: string} | {text: string} | {taken: true};

/** Runs in the worker, which has nothing but its text: it refers to nothing outside. */
function work(): void {
  const framesAhead = 4; // of what the page has taken
  let socket: WebSocket;
  let channel: BroadcastChannel;
  let ahead = 0;
  let newest: ArrayBuffer | null = null;
  const pass = () => {
    if (!newest || ahead >= framesAhead) return;
    channel.postMessage({data: newest});
    newest = null;
    ++ahead;
  };
  onmessage = ({data}: MessageEvent<ToWorker>) => {
    if ('text' in data) return socket.send(data.text);
    if ('taken' in data) {
      --ahead;
      return pass();
    }
    channel = new BroadcastChannel(data.channel);
    socket = new WebSocket(data.connect);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => channel.postMessage({open: true});
    socket.onclose = () => channel.postMessage({closed: true});
    socket.onmessage = (message: MessageEvent<ArrayBuffer | string>) => {
      if (typeof message.data === 'string') return channel.postMessage({data: message.data});
      newest = message.data;
      pass();
    };
  };
}

class WorkerSocket implements DriveSocket {
  isOpen = false;
  onopen = () => {};
  onmessage: DriveSocket['onmessage'] = () => {};
  onclose = () => {};
  private readonly worker: Worker;
  private readonly channel: BroadcastChannel;

  constructor(address: string) {
    const name = `cardan ${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
    const text = URL.createObjectURL(new Blob([`(${String(work)})()`], {type: 'text/javascript'}));
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({data}: MessageEvent<FromWorker>) => this.hear(data);
    this.worker = new Worker(text);
    this.worker.onerror = () => {
      refused = true;
      this.end();
    };
    URL.revokeObjectURL(text);
    this.tell({connect: address, channel: name});
  }
  private hear(said: FromWorker): void {
    if ('open' in said) {
      this.isOpen = true;
      return this.onopen();
    }
    if ('closed' in said) return this.end();
    if (typeof said.data !== 'string') this.tell({taken: true});
    this.onmessage(said.data);
  }
  private tell(message: ToWorker): void {
    this.worker.postMessage(message);
  }
  private end(): void {
    this.close();
    this.onclose();
  }
  send(text: string): void {
    this.tell({text});
  }
  close(): void {
    this.isOpen = false;
    this.worker.terminate(); // its socket goes with it
    this.channel.close();
  }
}

class PageSocket implements DriveSocket {
  onopen = () => {};
  onmessage: DriveSocket['onmessage'] = () => {};
  onclose = () => {};
  private readonly socket: WebSocket;

  constructor(address: string) {
    this.socket = new WebSocket(address);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onopen = () => this.onopen();
    this.socket.onmessage = ({data}: MessageEvent<ArrayBuffer | string>) => this.onmessage(data);
    this.socket.onclose = () => this.onclose();
  }
  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }
  send(text: string): void {
    this.socket.send(text);
  }
  close(): void {
    this.socket.close();
  }
}

let refused = false; // there is no thread to be had

export function openSocket(address: string): DriveSocket {
  try {
    if (!refused) return new WorkerSocket(address);
  } catch {
    refused = true;
  }
  return new PageSocket(address);
}
