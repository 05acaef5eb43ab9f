// Sentences above the stage; gone when there are none, or when they were dismissed.
import {h, iconButton} from './dom';

export class Messages {
  readonly element = h('div', {class: 'messages', role: 'alert'});
  private shown = '';
  private dismissed = '';

  say(sentences: string[]): void {
    const all = sentences.join('\n');
    if (all === this.dismissed) return;
    this.dismissed = '';
    if (this.shown === all) return;
    this.shown = all;
    this.element.replaceChildren();
    if (sentences.length === 0) return;
    this.element.append(h('ul', {}, ...sentences.map((text) => h('li', {}, text))), iconButton('close', 'Dismiss the messages', () => {
      this.dismissed = all;
      this.shown = '';
      this.element.replaceChildren();
    }));
  }
}
