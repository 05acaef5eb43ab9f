// Keys, and the dialog that lists them.
import type {App} from './app';
import {h} from './dom';
import {trailing} from './pick';

const help: [string, string][] = [
  ['Space', 'play or pause'],
  ['← →', 'one sample back or forward; with Shift ten'],
  ['Home, End', 'start or end'],
  ['+ −', 'faster or slower'],
  ['[ ]', 'pick the previous or next element'],
  ['F', 'follow the element picked, or all bodies'],
  ['Z', 'the element picked fills the picture'],
  ['T', 'its trail'],
  ['R', 'reaction forces and moments'],
  ['L', 'forces of springs, tyres, drivers and loads'],
  ['V', 'velocities of bodies and markers'],
  ['A', 'accelerations of bodies and markers'],
  ['N', 'names'],
  ['X', 'see-through bodies'],
  ['P', 'parallel or perspective projection'],
  ['C', 'everything in the picture'],
  ['G', 'degrees or radians'],
  ['D', 'light or dark'],
  ['Esc', 'pick nothing, close this'],
  ['Mouse', 'drag turns, right drag moves, wheel zooms, click picks, double click goes near; in plots a click goes to that time, a drag looks closer, a double click shows all'],
  ['Touch', 'one finger turns, two move and zoom, a tap picks'],
];

export function helpDialog(): HTMLDialogElement {
  const dialog = h('dialog', {class: 'help', 'aria-label': 'Keys and gestures'},
    h('h2', {}, 'Keys and gestures'),
    h('dl', {}, ...help.flatMap(([key, text]) => [h('dt', {}, key), h('dd', {}, text)])),
    h('p', {}, 'Drop trajectory.csv, scene.json and summary.json of a result here to add it.'),
    h('button', {type: 'button', onclick: () => dialog.close()}, 'Close'));
  return dialog;
}

export function pressKey(app: App, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || app.dialog.open) return;
  const target = event.target as HTMLElement;
  if (target.closest('.report') && !target.closest('.embedded')) return; // a table or legend of a report has its own keys
  const input = target instanceof HTMLInputElement ? target : null;
  const typing = input !== null && !['checkbox', 'range', 'radio'].includes(input.type);
  if ((target instanceof HTMLSelectElement || typing) && event.key !== 'Escape') return;
  // Keys that belong to the control which has the focus.
  const onControl = target instanceof HTMLButtonElement || target.tagName === 'SUMMARY' || ['checkbox', 'radio'].includes(input?.type ?? '');
  if (event.key === ' ' && onControl) return;
  const onRange = (input?.type === 'range' && input !== app.transport.scrub) || input?.type === 'radio';
  if (onRange && (event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End')) return;
  const many = event.shiftKey ? 10 : 1;
  const actions: Record<string, () => void> = {
    ' ': () => app.togglePlay(),
    ArrowLeft: () => app.step(-many),
    ArrowRight: () => app.step(many),
    Home: () => app.seek(app.player.start),
    End: () => app.seek(app.player.end),
    '+': () => app.changeSpeed(1),
    '=': () => app.changeSpeed(1),
    '-': () => app.changeSpeed(-1),
    '[': () => app.selectNext(-1),
    ']': () => app.selectNext(1),
    f: () => app.follow(app.followed ? null : (app.picked ?? {kind: 'body', name: ''})),
    z: () => app.zoom(),
    l: () => app.setLoads(!app.showLoads),
    g: () => app.setDegrees(!app.degrees),
    t: () => app.picked && trailing.includes(app.picked.kind) && app.setTrail(!app.stage.views[0]!.trails.has(app.picked)),
    r: () => app.setReactions(!app.showReactions),
    v: () => app.setMotion('velocity', !app.showMotions.velocity),
    a: () => app.setMotion('acceleration', !app.showMotions.acceleration),
    n: () => app.setLabels(!app.showLabels),
    x: () => app.setSeeThrough(!app.seeThrough),
    p: () => app.setOrthographic(!app.stage.orthographicView),
    c: () => app.resetCamera(),
    d: () => app.theme.toggle(),
    '?': () => app.dialog.showModal(),
    Escape: () => app.select(null),
  };
  const action = actions[event.key] ?? actions[event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault();
  action();
}
