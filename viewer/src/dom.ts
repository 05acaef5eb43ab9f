// Elements in one call. Text is always text: names from files never become markup.

type Child = Node | string | null | undefined | false;
type Props = Record<string, string | number | boolean | ((event: never) => void) | null | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.replace(/^on/, ''), value as EventListener);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const paths: Record<string, string> = {
  play: 'M5 3l11 7-11 7z',
  pause: 'M4 3h4v14H4zM12 3h4v14h-4z',
  back: 'M15 3v14L6 10zM4 3h2v14H4z',
  forward: 'M5 3v14l9-7zM14 3h2v14h-2z',
  first: 'M16 3v14l-8-7zM9 3v14l-6-7z',
  loop: 'M5 6h8V3l4 4-4 4V8H6v3H4V7zM15 14H7v3l-4-4 4-4v3h7V9h2v4z',
  close: 'M5 4l5 5 5-5 1 1-5 5 5 5-1 1-5-5-5 5-1-1 5-5-5-5z',
  theme: 'M10 2a8 8 0 100 16V2z',
  help: 'M10 2a8 8 0 110 16 8 8 0 010-16zm-1 11v2h2v-2zm1-8c-2 0-3 1.200-3 3h2c0-.8.4-1.300 1-1.300s1 .5 1 1.100c0 1-2 1.400-2 3.700h2c0-1.700 2-2 2-4C13 6 11.800 5 10 5z',
  open: 'M2 4h6l2 2h8v10H2zm2 4v6h12V8z',
  zoom: 'M8.500 2a6.500 6.500 0 014.900 10.800l4.400 4.400-1.400 1.400-4.400-4.400A6.500 6.500 0 118.500 2zm0 2a4.500 4.500 0 100 9 4.500 4.500 0 000-9zM7.700 6h1.600v1.700H11v1.600H9.300V11H7.700V9.300H6V7.700h1.700z',
  grow: 'M3 3h6v2H6.400l3.300 3.300-1.400 1.400L5 6.400V9H3zM17 17h-6v-2h2.600l-3.300-3.300 1.400-1.400L15 13.600V11h2z',
  table: 'M2 3h16v14H2zm2 5v3h4V8zm6 0v3h6V8zm-6 5v2h4v-2zm6 0v2h6v-2z',
  save: 'M9 2h2v8l3-3 1.400 1.400L10 13.800 4.600 8.400 6 7l3 3zM3 16h14v2H3z',
  camera: 'M3 3h5v2H5v3H3zM12 3h5v5h-2V5h-3zM3 12h2v3h3v2H3zM15 12h2v5h-5v-2h3z',
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name] ?? '');
  svg.append(path);
  return svg;
}

export function iconButton(name: string, label: string, press: () => void): HTMLButtonElement {
  return h('button', {type: 'button', class: 'icon', 'aria-label': label, title: label, onclick: press}, icon(name));
}

let counter = 0;
/** A control with its label beside it. */
export function labelled(text: string, control: HTMLElement, after = false): HTMLElement {
  control.id ||= `control-${++counter}`;
  const label = h('label', {for: control.id}, text);
  return h('div', {class: 'field'}, ...(after ? [control, label] : [label, control]));
}
export function checkbox(text: string, on: boolean, change: (on: boolean) => void): {row: HTMLElement; input: HTMLInputElement} {
  const input = h('input', {type: 'checkbox', onchange: () => change(input.checked)});
  input.checked = on;
  return {row: labelled(text, input, true), input};
}

/** Six digits at most, and as few characters as they need. */
export function digits(value: number, count = 6): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'no number' : value > 0 ? '∞' : '−∞';
  const text = Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential(count - 2) : String(Number(value.toPrecision(count)));
  return text.replace(/-/g, '−');
}
