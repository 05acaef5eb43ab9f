// The bar under the picture: play, step, scrub, clock, speed.
import type {App} from './app';
import {digits, h, icon, iconButton, labelled} from './dom';
import {speeds} from './player';

export class Transport {
  readonly element: HTMLElement;
  readonly scrub: HTMLInputElement;
  private readonly playButton: HTMLButtonElement;
  private readonly clock = h('output', {class: 'clock', 'aria-label': 'Current time'});
  private readonly speed: HTMLSelectElement;

  constructor(private readonly app: App) {
    const {player} = app;
    this.playButton = iconButton('play', 'Play (space)', () => app.togglePlay());
    this.scrub = h('input', {type: 'range', class: 'scrub', 'aria-label': 'Time', min: '0', max: '1', step: 'any', value: '0', oninput: () => app.seek(Number(this.scrub.value))});
    this.speed = h('select', {onchange: () => (player.speed = Number(this.speed.value))}, ...speeds.map((s) => h('option', {value: String(s)}, `${s}×`)));
    const loop = h('button', {type: 'button', class: 'icon', 'aria-label': 'Start over at the end', title: 'Start over at the end', 'aria-pressed': 'true', onclick: () => {
      player.loop = !player.loop;
      loop.setAttribute('aria-pressed', String(player.loop));
    }}, icon('loop'));
    this.element = h('div', {class: 'transport', role: 'group', 'aria-label': 'Animation'},
      iconButton('first', 'To the start (Home)', () => app.seek(player.start)),
      iconButton('back', 'One sample back (←)', () => app.step(-1)),
      this.playButton,
      iconButton('forward', 'One sample forward (→)', () => app.step(1)),
      this.scrub, this.clock, labelled('Speed', this.speed), loop,
      iconButton('zoom', 'To the element picked (Z)', () => app.zoom()),
      iconButton('camera', 'Everything in the picture (C)', () => app.resetCamera()));
    this.showSpeed();
  }

  showSpeed(): void {
    this.speed.value = String(this.app.player.speed);
  }

  /** After another start or end. */
  showRange(): void {
    const {start, end} = this.app.player;
    this.scrub.min = String(start);
    this.scrub.max = String(end > start ? end : start + 1);
  }

  /** With as many digits as tell samples apart. */
  timeText(): string {
    const {time, end} = this.app.player;
    return `${time.toFixed(end > 0 ? Math.min(6, Math.max(0, 4 - Math.ceil(Math.log10(end)))) : 3)} s`;
  }

  showTime(): void {
    const {time, playing} = this.app.player;
    if (document.activeElement !== this.scrub || playing) this.scrub.value = String(time);
    const text = this.timeText();
    if (this.clock.textContent !== text) {
      this.clock.textContent = text;
      this.scrub.setAttribute('aria-valuetext', `${digits(time)} seconds`);
    }
    const wanted = playing ? 'pause' : 'play';
    if (this.playButton.dataset.state === wanted) return;
    this.playButton.dataset.state = wanted;
    this.playButton.replaceChildren(icon(wanted));
    const label = playing ? 'Pause (space)' : 'Play (space)';
    this.playButton.setAttribute('aria-label', label);
    this.playButton.title = label;
  }
}
