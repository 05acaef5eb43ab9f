// The bar between picture and plots: drag it, or move it with the arrow keys; a double click makes the plots large or small again.
import {h} from './dom';

const least = 0.12;
const most = 0.88;

/** Sets `--plots` of the element that holds both, the share of the plots, unless nobody has moved it. */
export function splitter(holder: () => HTMLElement, changed: () => void): HTMLElement {
  let share = 0;
  const set = (value: number) => {
    share = Math.min(most, Math.max(least, value));
    holder().style.setProperty('--plots', `${(100 * share).toFixed(2)}%`);
    holder().classList.add('divided');
    bar.setAttribute('aria-valuenow', String(Math.round(100 * share)));
    changed();
  };
  const now = () => share || (holder().querySelector('.plots')?.clientHeight ?? 0) / (holder().clientHeight || 1);
  const bar = h('div', {
    class: 'splitter', role: 'separator', tabindex: 0, 'aria-orientation': 'horizontal', 'aria-label': 'Height of the plots', 'aria-valuemin': String(100 * least), 'aria-valuemax': String(100 * most), title: 'Drag: height of the plots. Double click: large or small',
    onpointerdown: (event: PointerEvent) => {
      bar.setPointerCapture(event.pointerId);
      event.preventDefault();
    },
    onpointermove: (event: PointerEvent) => {
      if (!bar.hasPointerCapture(event.pointerId)) return;
      const box = holder().getBoundingClientRect();
      set((box.bottom - event.clientY) / box.height);
    },
    ondblclick: () => set(now() > 0.6 ? 0.35 : 0.75),
    onkeydown: (event: KeyboardEvent) => {
      const step = {ArrowUp: 0.05, ArrowDown: -0.05}[event.key];
      if (step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      set(now() + step);
    },
  });
  return bar;
}
