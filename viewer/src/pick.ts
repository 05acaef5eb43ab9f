// What can be picked, followed and trailed: a body or a joint, by its name.

export interface Pick {
  kind: 'body' | 'joint';
  name: string;
}

export const samePick = (a: Pick | null, b: Pick | null) => a?.kind === b?.kind && a?.name === b?.name;
export const pickKey = (pick: Pick | null) => (pick ? `${pick.kind}:${pick.name}` : '');
export function pickOf(key: string): Pick | null {
  const colon = key.indexOf(':');
  if (colon < 0) return null;
  return {kind: key.slice(0, colon) === 'joint' ? 'joint' : 'body', name: key.slice(colon + 1)};
}
