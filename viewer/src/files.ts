// Results from files that were dropped on the page or chosen.
import type {App} from './app';
import {runFromTexts} from './trajectory';

export interface NamedFile {
  folder: string;
  file: File;
}

/** Files dropped, those of folders included. */
export async function filesOf(transfer: DataTransfer | null): Promise<NamedFile[]> {
  if (!transfer) return [];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  const files: NamedFile[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      files.push({folder: entry.fullPath.split('/').slice(0, -1).join('/'), file});
    } else {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      const inner = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      for (const child of inner) await walk(child);
    }
  };
  if (entries.length === 0) return [...transfer.files].map((file) => ({folder: '', file}));
  for (const entry of entries) await walk(entry);
  return files;
}

/** The files of a result, wherever they were dropped from; those of one folder belong together. */
export async function openFiles(app: App, files: NamedFile[]): Promise<void> {
  const folders = new Map<string, Map<string, File>>();
  for (const {folder, file} of files) {
    const own = folders.get(folder) ?? new Map<string, File>();
    own.set(file.name, file);
    folders.set(folder, own);
  }
  for (const [folder, own] of folders) {
    const text = async (name: string) => (await own.get(name)?.text()) ?? null;
    // A single CSV file of any name will do.
    const csv = [...own.keys()].filter((name) => name.endsWith('.csv') && name !== 'steps.csv');
    const trajectory = own.has('trajectory.csv') ? 'trajectory.csv' : csv[0];
    if (!trajectory && !own.has('scene.json')) continue;
    const name = folder.split('/').pop() || `${trajectory ?? 'scene.json'} ${app.runs.length + 1}`;
    try {
      app.addRun(runFromTexts(name, trajectory ? await text(trajectory) : null, await text('scene.json'), await text('summary.json'), await text('modes.json')));
      app.setNotice('');
    } catch (error) {
      app.messages.say([`${name}: ${(error as Error).message}`]);
    }
  }
}
