// The bar under the picture: pause, step, reset, pace, saved states, cameras.
import {digits, h, icon, iconButton, labelled} from '../dom';
import type {CameraName} from './cameras';
import type {Frame} from './protocol';

export const scales = [0.1, 0.2, 0.5, 1, 2, 5, 10];

export interface DriveActions {
  pause(): void;
  step(): void;
  reset(): void;
  setScale(scale: number): void;
  save(place: number): void;
  goBack(place: number): void;
  chooseCamera(name: CameraName): void;
}

export class DriveBar {
  readonly element: HTMLElement;
  private readonly pause: HTMLButtonElement;
  private readonly step: HTMLButtonElement;
  private readonly pace: HTMLSelectElement;
  private readonly place: HTMLSelectElement;
  private readonly back: HTMLButtonElement;
  private readonly cameras: HTMLElement;
  private readonly saved = new Set<number>();
  private mode = '';

  constructor(actions: DriveActions, places: number, cameras: CameraName[]) {
    this.pause = iconButton('pause', 'Pause (space)', () => actions.pause());
    this.step = iconButton('forward', 'A single step (.)', () => actions.step());
    this.pace = h('select', {onchange: () => actions.setScale(Number(this.pace.value))}, ...scales.map((scale) => h('option', {value: scale}, `${scale}×`)));
    this.place = h('select', {'aria-label': 'Place for a state', onchange: () => this.showPlaces()}, ...Array.from({length: places}, (_, i) => h('option', {value: i + 1}, String(i + 1))));
    const save = h('button', {type: 'button', title: 'Keeps the state in this place (Shift and its digit)', onclick: () => actions.save(Number(this.place.value))}, 'Save');
    this.back = h('button', {type: 'button', title: 'Goes back to the state in this place (its digit)', onclick: () => actions.goBack(Number(this.place.value))}, 'Return');
    const words: Record<CameraName, string> = {chase: 'Chase', cockpit: 'Cockpit', orbit: 'Orbit'};
    this.cameras = h('div', {class: 'cameras', role: 'group', 'aria-label': 'Camera (C)', hidden: cameras.length < 2},
      ...cameras.map((name) => h('button', {type: 'button', 'data-camera': name, 'aria-pressed': 'false', onclick: () => actions.chooseCamera(name)}, words[name])));
    this.element = h('div', {class: 'transport drive-bar', role: 'group', 'aria-label': 'Drive'},
      this.pause, this.step, iconButton('first', 'Back to the start (R)', () => actions.reset()),
      labelled('Pace', this.pace),
      h('div', {class: 'places', role: 'group', 'aria-label': 'Saved states'}, this.place, save, this.back),
      h('span', {class: 'gap'}), this.cameras);
    this.showPlaces();
  }

  show({mode, scale}: Frame): void {
    if (mode !== this.mode) {
      this.mode = mode;
      const runs = mode === 'runs';
      this.pause.replaceChildren(icon(runs ? 'pause' : 'play'));
      const label = runs ? 'Pause (space)' : 'Go on (space)';
      this.pause.setAttribute('aria-label', label);
      this.pause.title = label;
      this.pause.disabled = mode === 'failed' || mode === 'done';
      this.step.disabled = mode !== 'paused';
    }
    const value = String(scales.find((one) => Math.abs(one / scale - 1) < 1e-9) ?? scale);
    if (this.pace.value === value) return;
    if (![...this.pace.options].some((option) => option.value === value)) this.pace.append(h('option', {value}, `${digits(scale, 3)}×`));
    this.pace.value = value;
  }
  showCamera(name: CameraName): void {
    for (const button of this.cameras.querySelectorAll('button')) button.setAttribute('aria-pressed', String(button.dataset.camera === name));
  }
  /** A state was kept at a time. */
  keep(place: number, time: number): void {
    this.saved.add(place);
    const option = this.place.options[place - 1];
    if (option) option.textContent = `${place} · ${time.toFixed(1)} s`;
    this.place.value = String(place);
    this.showPlaces();
  }
  isSaved(place: number): boolean {
    return this.saved.has(place);
  }
  forgetPlaces(): void {
    this.saved.clear();
    [...this.place.options].forEach((option, i) => (option.textContent = String(i + 1)));
    this.showPlaces();
  }
  private showPlaces(): void {
    this.back.disabled = !this.saved.has(Number(this.place.value));
  }
}
