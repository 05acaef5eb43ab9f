// Files made in the page: the picture and the plots as PNG, plotted columns as CSV, one pass of the animation as WebM.
import type {App} from './app';
import {h} from './dom';
import {themeColour} from './plots';

const stretchesAtMost = 200000;
const framesPerSecond = 30;

export function download(blob: Blob, name: string): void {
  const link = h('a', {href: URL.createObjectURL(blob), download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

export function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png'));
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
/** Rows of equally long columns; what is no number stays empty. */
export function csvOf(names: string[], columns: ArrayLike<number | null>[]): Blob {
  const lines = [names.map(quoted).join(',')];
  for (let row = 0; row < (columns[0]?.length ?? 0); ++row) lines.push(columns.map((column) => (Number.isFinite(column[row]) ? String(column[row]) : '')).join(','));
  return new Blob([lines.join('\n'), '\n'], {type: 'text/csv'});
}

/** A file name without what file systems dislike. */
export function fileName(app: App, ending: string): string {
  const run = app.shown[0];
  return `${(run?.scene.name || run?.name || 'cardan').replace(/[^\w.-]+/g, '_')}${ending}`;
}

/** The stage with the texts over it, as it is now, into a canvas of its size. */
function compose(app: App, canvas: HTMLCanvasElement): void {
  const {stage, labels} = app;
  const ratio = stage.canvas.width / stage.canvas.clientWidth;
  if (canvas.width !== stage.canvas.width || canvas.height !== stage.canvas.height) {
    canvas.width = stage.canvas.width;
    canvas.height = stage.canvas.height;
  }
  const context = canvas.getContext('2d')!;
  stage.frame(app.player.time); // what was drawn is gone once it has been shown
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(stage.canvas, 0, 0);
  context.scale(ratio, ratio);
  context.textBaseline = 'middle';
  const write = (text: string, x: number, y: number, muted: boolean, backed = true) => {
    if (text === '') return;
    context.font = `${backed ? 12 : 11}px system-ui, sans-serif`;
    if (backed) {
      context.globalAlpha = 0.75;
      context.fillStyle = themeColour('--back');
      context.fillRect(x - 4, y - 8.5, context.measureText(text).width + 8, 17);
      context.globalAlpha = 1;
    }
    context.fillStyle = themeColour(muted ? '--muted' : '--text');
    context.fillText(text, x, y);
  };
  for (const {text, x, y, muted, backed} of labels.texts()) write(text, x, y, muted, backed);
  write(labels.legendText(), 96, stage.canvas.clientHeight - 14, false);
  const time = `t = ${app.transport.timeText()}`;
  write(time, stage.canvas.clientWidth - 12 - context.measureText(time).width, 14, false);
}

export function pictureOf(app: App): Promise<Blob> {
  const canvas = document.createElement('canvas');
  compose(app, canvas);
  return pngOf(canvas);
}

/** All plots, one below the other, each with the names of its curves. */
export function plotsPicture(app: App): Promise<Blob> {
  const drawings = app.plots.drawings();
  if (drawings.length === 0) return Promise.reject(new Error('There are no plots: choose columns first.'));
  const ratio = window.devicePixelRatio || 1;
  const head = Math.round(22 * ratio);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(...drawings.map(({canvas: plot}) => plot.width));
  canvas.height = drawings.reduce((sum, {canvas: plot}) => sum + plot.height + head, 0);
  const context = canvas.getContext('2d')!;
  context.fillStyle = themeColour('--back');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = `${12 * ratio}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  let top = 0;
  for (const {legend, canvas: plot} of drawings) {
    let left = 60 * ratio;
    for (const {text, colour} of legend) {
      context.fillStyle = colour;
      context.fillRect(left, top + head / 2 - ratio, 14 * ratio, 2 * ratio);
      context.fillStyle = themeColour('--text');
      context.fillText(text, left + 20 * ratio, top + head / 2);
      left += 36 * ratio + context.measureText(text).width;
    }
    context.drawImage(plot, 0, top + head);
    top += head + plot.height;
  }
  return pngOf(canvas);
}

/** Every sample of the plotted columns, in the units shown; one file for each run. */
export async function plottedColumns(app: App): Promise<{blob: Blob; name: string}[]> {
  const found = (await app.plots.samples(stretchesAtMost)).filter(({columns}) => columns.length > 0);
  if (found.length === 0) throw new Error('No column is plotted: choose some first.');
  return found.map(({run, columns, t, values}) => ({
    blob: csvOf(['t [s]', ...columns], [t, ...values]), name: fileName(app, found.length > 1 ? `-${run.name.replace(/[^\w.-]+/g, '_')}.csv` : '.csv'),
  }));
}

/** Records the animation from its start to its end at the speed chosen, as it is drawn; stop() ends it before. */
export class Recorder {
  private recorder: MediaRecorder | null = null;
  private readonly canvas = document.createElement('canvas');
  private looped = true;

  constructor(private readonly app: App, private readonly changed: () => void) {}

  get running(): boolean {
    return this.recorder !== null;
  }

  start(): void {
    const {player} = this.app;
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((known) => window.MediaRecorder?.isTypeSupported(known));
    if (!type) throw new Error('This browser cannot record WebM.');
    compose(this.app, this.canvas);
    const recorder = new MediaRecorder(this.canvas.captureStream(framesPerSecond), {mimeType: type, videoBitsPerSecond: 8e6});
    const parts: Blob[] = [];
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => {
      this.recorder = null;
      player.loop = this.looped;
      download(new Blob(parts, {type: 'video/webm'}), fileName(this.app, '.webm'));
      this.changed();
    };
    this.looped = player.loop;
    player.loop = false;
    player.time = player.start;
    player.playing = true;
    recorder.start();
    this.recorder = recorder;
    this.changed();
  }

  stop(): void {
    if (this.recorder?.state === 'recording') this.recorder.stop();
    this.app.player.playing = false;
  }

  /** After each frame. */
  frame(): void {
    if (this.recorder?.state !== 'recording') return;
    compose(this.app, this.canvas);
    if (!this.app.player.playing) this.stop();
  }
}
