// Texts over the picture: names at their elements, the reactions of the joint picked, what arrows stand for, names of runs side by side.
import type {App} from './app';
import {digits, h} from './dom';
import type {Pick} from './pick';
import {forceColour, momentColour} from './reactions';
import type {Vec} from './scene';

const namesAtMost = 200;

interface Label {
  pick: Pick;
  run: number;
  element: HTMLElement;
  reaction: HTMLElement | null;
}

const css = (colour: number) => `#${colour.toString(16).padStart(6, '0')}`;

export class Labels {
  readonly elements: HTMLElement[];
  private readonly names = h('div', {class: 'labels', 'aria-hidden': 'true'});
  private readonly panes = h('div', {class: 'pane-names'});
  private readonly legend = h('div', {class: 'arrow-legend', 'aria-label': 'What arrows stand for', hidden: true});
  private labels: Label[] = [];

  constructor(private readonly app: App) {
    this.elements = [this.names, this.panes, this.legend];
  }

  /** After a change of what is shown or picked. */
  refresh(): void {
    const {stage, shown, picked, showLabels} = this.app;
    const beside = stage.arrangement === 'beside' && shown.length > 1;
    this.panes.replaceChildren(...(beside ? shown : []).map((run) => h('span', {}, run.name, run.method ? ` · ${run.method}` : '')));
    this.labels = [];
    if (showLabels) {
      stage.views.forEach((view, run) => {
        if (run > 0 && stage.arrangement === 'overlay') return;
        view.scene.bodies.slice(0, namesAtMost).forEach((body) => this.add({kind: 'body', name: body.name}, run));
      });
    }
    if (picked && !(showLabels && picked.kind === 'body')) this.add(picked, 0);
    this.names.replaceChildren(...this.labels.map((label) => label.element));
    this.showLegend();
    this.place();
    this.showValues();
  }

  private add(pick: Pick, run: number): void {
    const reaction = pick.kind === 'joint' && this.app.showReactions ? h('span', {class: 'reaction'}) : null;
    this.labels.push({pick, run, element: h('span', {class: `label ${pick.kind}`}, pick.name, reaction), reaction});
  }

  private showLegend(): void {
    const view = this.app.stage.views[0];
    this.legend.hidden = !this.app.showReactions || !view?.reactions.any;
    if (this.legend.hidden || !view) return;
    const {length, force, moment} = view.reactions.legend();
    const entry = (mark: string, colour: number, name: string, value: number, unit: string) =>
      value > 0 && h('span', {}, h('span', {class: 'mark', style: `color:${css(colour)}`, 'aria-hidden': 'true'}, mark), ` ${name}: ${digits(value, 3)} ${unit}`);
    this.legend.replaceChildren(
      h('span', {}, `Arrows, ${digits(length, 2)} m long:`),
      ...[entry('→', forceColour, 'force', force, 'N'), entry(view.scene.planar ? '↻' : '↠', momentColour, 'moment', moment, 'N m')].filter((e) => e !== false));
  }

  /** To where their elements are now. */
  place(): void {
    for (const label of this.labels) {
      const p = this.app.stage.views[label.run]?.locate(label.pick, at);
      if (!p) continue;
      const [x, y] = this.app.stage.project(p, label.run);
      label.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }

  /** The numbers in them. */
  showValues(): void {
    for (const {pick, run, reaction} of this.labels) {
      const view = this.app.stage.views[run];
      if (!reaction || !view) continue;
      const {force, moment} = view.reactions.sizes(pick.name, view.place);
      const parts = [Number.isFinite(force) ? `${digits(force, 4)} N` : '', Number.isFinite(moment) ? `${digits(moment, 4)} N m` : ''];
      const text = parts.filter(Boolean).map((part) => ` · ${part}`).join('');
      if (reaction.textContent !== text) reaction.textContent = text;
    }
  }
}

const at: Vec = [0, 0, 0];
