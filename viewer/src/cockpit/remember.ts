// What a person chose for a model, kept by the browser where it may.

export function remember(model: string, what: string, value: unknown): void {
  try {
    localStorage.setItem(`cardan-cockpit/${model}/${what}`, JSON.stringify(value));
  } catch {
    // Then it is chosen again the next time.
  }
}
export function remembered<T>(model: string, what: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(`cardan-cockpit/${model}/${what}`) ?? 'null') as T | null;
  } catch {
    return null;
  }
}
