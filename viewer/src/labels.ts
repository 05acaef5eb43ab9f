// Texts over the picture: names at their elements, forces of the element picked, numbers of the grid, what arrows stand for, names of
// runs side by side. Where two would overlap, the more important one stays.
import type {App} from './app';
import {digits, h} from './dom';
import {loadColour, loadMomentColour, momentColour, reactionColour} from './forces';
import {motionColour, motions, motionUnits} from './motions';
import {elementsOf, samePick, type Pick} from './pick';
import type {Vec} from './scene';
import {triadSize} from './triad';

const namesAtMost = 300;
const lineHeight = 17; // CSS pixels

interface Label {
  pick: Pick | null; // null: a number of the grid
  run: number;
  element: HTMLElement;
  force: HTMLElement | null;
  width: number; // 0: not measured yet
}
interface Rectangle {
  left: number;
  top: number;
  width: number;
}
/** A text and its place on the stage, for pictures: left and middle. */
export interface PlacedText {
  text: string;
  x: number;
  y: number;
  muted: boolean;
  backed: boolean; // on a ground of its own
}

const css = (colour: number) => `#${colour.toString(16).padStart(6, '0')}`;

export class Labels {
  readonly elements: HTMLElement[];
  private readonly names = h('div', {class: 'labels', 'aria-hidden': 'true'});
  private readonly panes = h('div', {class: 'pane-names'});
  private readonly legend = h('div', {class: 'arrow-legend', 'aria-label': 'What arrows stand for', hidden: true});
  private labels: Label[] = [];
  private numbers: Label[] = [];
  private taken: Rectangle[] = [];
  private placed: PlacedText[] = [];

  constructor(private readonly app: App) {
    this.elements = [this.names, this.panes, this.legend];
  }

  /** After a change of what is shown or picked. */
  refresh(): void {
    const {stage, shown, picked, showLabels} = this.app;
    const beside = stage.arrangement === 'beside' && shown.length > 1;
    this.panes.replaceChildren(...(beside ? shown : []).map((run) => h('span', {}, run.name, run.method ? ` · ${run.method}` : '')));
    this.labels = [];
    if (picked) this.add(picked, 0);
    if (showLabels) {
      stage.views.forEach((view, run) => {
        if (run > 0 && stage.arrangement === 'overlay') return;
        for (const {pick} of elementsOf(view.scene).slice(0, namesAtMost)) if (run > 0 || !samePick(pick, picked)) this.add(pick, run);
      });
    }
    this.names.replaceChildren(...this.labels.map((label) => label.element), ...this.numbers.map((label) => label.element));
    this.showLegend();
    this.showValues();
    this.place();
  }

  private add(pick: Pick, run: number): void {
    const {showMotions, showReactions, showLoads} = this.app;
    const moving = pick.kind === 'body' || pick.kind === 'marker';
    const on = moving ? showMotions.velocity || showMotions.acceleration : pick.kind === 'joint' ? showReactions : showLoads;
    const force = on && samePick(pick, this.app.picked) ? h('span', {class: 'reaction'}) : null;
    this.labels.push({pick, run, element: h('span', {class: `label ${pick.kind}`}, pick.name, force), force, width: 0});
  }

  private showLegend(): void {
    const view = this.app.stage.views[0];
    const {showReactions, showLoads} = this.app;
    const reactions = showReactions && view?.forces.any('reactions');
    const loads = showLoads && view?.forces.any('loads');
    const moving = motions.filter((motion) => view?.motions.any && view.motions.shown[motion]);
    this.legend.hidden = !view || !(reactions || loads || moving.length > 0);
    if (this.legend.hidden || !view) return;
    const {length, force, moment} = view.forces.legend();
    const entry = (mark: string, colours: (number | false | undefined)[], name: string, value: number, unit: string) => {
      const shown = colours.filter((colour): colour is number => typeof colour === 'number');
      return value > 0 && shown.length > 0 && h('span', {}, ...shown.map((colour) => h('span', {class: 'mark', style: `color:${css(colour)}`, 'aria-hidden': 'true'}, mark)), ` ${name}: ${digits(value, 3)} ${unit}`);
    };
    const both = reactions && loads;
    this.legend.replaceChildren(
      h('span', {}, `Arrows, ${digits(length, 2)} m long:`),
      ...[entry('→', [reactions && reactionColour, loads && loadColour], 'force', force, 'N'),
        entry(view.scene.planar ? '↻' : '↠', [reactions && momentColour, loads && loadMomentColour], 'moment', moment, 'N m'),
        ...moving.map((motion) => entry('→', [motionColour(motion, this.app.theme.dark)], motion, view.motions.legend(motion).value, motionUnits[motion]))].filter((e) => e !== false),
      both ? h('span', {class: 'muted'}, 'red, violet: reactions; green, blue: loads') : '');
  }

  /** To where their elements are now. */
  place(): void {
    const {stage} = this.app;
    const bottom = stage.canvas.clientHeight;
    this.taken = [1, 2, 3, 4, 5].map((k) => ({left: 0, top: bottom - k * lineHeight, width: triadSize})); // the triad's corner
    if (!this.legend.hidden) {
      const {offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height} = this.legend;
      for (let line = 0; line < height; line += lineHeight) this.taken.push({left, top: top + Math.min(line, height - lineHeight), width});
    }
    this.placed = [];
    for (const label of this.labels) {
      const p = stage.views[label.run]?.locate(label.pick!, at);
      this.put(label, p, 8);
    }
    const numbers = stage.gridNumbers();
    while (this.numbers.length < numbers.length) {
      const element = h('span', {class: 'label grid-number'});
      this.numbers.push({pick: null, run: 0, element, force: null, width: 0});
      this.names.append(element);
    }
    this.numbers.forEach((label, i) => {
      const number = numbers[i];
      if (number && label.element.textContent !== number.text) {
        label.element.textContent = number.text;
        label.width = 0;
      }
      this.put(label, number?.at ?? null, 3);
    });
  }

  /** Beside a point, on the first of four sides where there is room; nowhere when there is none. */
  private put(label: Label, p: Vec | null | undefined, away: number): void {
    const {stage} = this.app;
    const visible = p && stage.isAhead(p);
    let spot: Rectangle | null = null;
    if (visible) {
      label.width ||= label.element.offsetWidth;
      const [x, y] = stage.project(p, label.run);
      const {width} = label;
      const sides = label.pick === null ? [[away, 2]] : [[away, -lineHeight - 3], [away, 4], [-away - width, -lineHeight - 3], [-away - width, 4], [-width / 2, -2 * lineHeight - 4], [-width / 2, lineHeight + 4]];
      const inside = x > -width && y > -lineHeight && x < stage.canvas.clientWidth + width && y < stage.canvas.clientHeight + lineHeight;
      // What is picked is always named.
      const first = label === this.labels[0] && samePick(label.pick, this.app.picked);
      const free = inside ? sides.map(([dx, dy]) => ({left: x + dx!, top: y + dy!, width})).find((one) => first || this.isFree(one)) : null;
      // Half a number is another number.
      const whole = !free || label.pick !== null || (free.left >= 0 && free.left + width <= stage.canvas.clientWidth && free.top >= 0 && free.top + lineHeight <= stage.canvas.clientHeight);
      spot = whole ? (free ?? null) : null;
    }
    const shown = spot !== null;
    if (label.element.style.visibility !== (shown ? 'visible' : 'hidden')) label.element.style.visibility = shown ? 'visible' : 'hidden';
    if (!spot) return;
    label.element.style.transform = `translate(${spot.left.toFixed(1)}px, ${spot.top.toFixed(1)}px)`;
    this.taken.push(spot);
    this.placed.push({text: label.element.textContent ?? '', x: spot.left + 4, y: spot.top + lineHeight / 2, muted: label.pick?.kind !== 'body', backed: label.pick !== null});
  }
  private isFree({left, top, width}: Rectangle): boolean {
    return this.taken.every((other) => left + width < other.left || other.left + other.width < left || top + lineHeight <= other.top || other.top + lineHeight <= top);
  }

  /** The numbers in them. */
  showValues(): void {
    let wider = false;
    for (const label of this.labels) {
      const view = this.app.stage.views[label.run];
      if (!label.force || !view) continue;
      const {force, moment} = view.forces.sizes(label.pick!, view.place);
      const said = (value: number, unit: string) => (Number.isFinite(value) ? `${digits(value, 4)} ${unit}` : '');
      const parts = [said(force, 'N'), said(moment, 'N m'), ...motions.map((motion) => said(view.motions.size(motion, label.pick!, view.place), motionUnits[motion]))];
      const text = parts.filter(Boolean).map((part) => ` · ${part}`).join('');
      if (label.force.textContent === text) continue;
      wider ||= label.force.textContent?.length !== text.length;
      label.force.textContent = text;
      label.width = 0;
    }
    if (wider) this.place();
  }

  /** What is written over the picture now. */
  texts(): PlacedText[] {
    return this.placed;
  }
  /** What the arrows stand for, in one line; empty when none are shown. */
  legendText(): string {
    return this.legend.hidden ? '' : [...this.legend.children].map((child) => child.textContent).join('  ');
  }
}

const at: Vec = [0, 0, 0];
