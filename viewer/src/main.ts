// Where the data comes from: a report's own page, the server of `cardan view` or `cardan drive`, or files dropped on the page.
import './style.css';
import {Vector3} from 'three';
import {App} from './app';
import {askDrive} from './cockpit/link';
import {startCockpit} from './cockpit/start';
import {h} from './dom';
import {embeddedReport, runOf} from './embedded';
import {openFiles} from './files';
import {listRuns, RemoteRun} from './remote';
import {reportElement} from './report';
import type {Vec} from './scene';

const pollEvery = 500; // ms
const welcome = 'Drop the files of a result here (trajectory.csv, scene.json, summary.json), or start `cardan view DIR`.';

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const noGraphics = /webgl/i.test(message) ? ' The picture needs WebGL, which this browser does not offer.' : '';
  document.body.append(h('div', {class: 'fatal', role: 'alert'}, `${message}${noGraphics}`));
}

/** Follows the runs that the server lists; only those that are wanted are fetched. */
async function serve(app: App): Promise<void> {
  app.setNotice('Loading…');
  const remotes = (await listRuns()).map((listed, i) => new RemoteRun(i, listed.name));
  const asked = new URLSearchParams(location.search).getAll('run');
  const named = remotes.filter((remote) => asked.includes(remote.name));
  const wanted = new Set(named.length > 0 ? named : remotes.length <= 2 ? remotes : remotes.slice(0, 1));
  const known = new Set<object>();
  let loaded = 0;
  let lost = false;
  const look = async () => {
    let changed = false;
    let replaced = false;
    try {
      for (const remote of remotes) {
        if (!wanted.has(remote)) continue;
        changed = (await remote.poll()) || changed;
        replaced ||= remote.replaced;
        remote.replaced = false;
      }
      lost = false;
    } catch (error) {
      // The program has ended, or cannot read the folder any more; what is here stays.
      if (!lost) app.messages.say([error instanceof TypeError ? '`cardan view` has ended: what was loaded stays, nothing new arrives.' : (error as Error).message]);
      if (app.shown.length === 0) app.setNotice('');
      lost = true;
      return;
    }
    const ready = remotes.filter((remote) => remote.run !== null);
    if (ready.length !== loaded || replaced) {
      loaded = ready.length;
      const dropped = app.runs.filter((entry) => entry.run && !known.has(entry.run) && !remotes.some((remote) => remote.name === entry.name));
      const fresh = ready.filter((remote) => !known.has(remote.run!)).map((remote) => remote.name);
      for (const remote of ready) known.add(remote.run!);
      const names = [...new Set([...app.shown.map((run) => run.name), ...asked.filter((name) => fresh.includes(name)), ...fresh])];
      app.setRuns([...remotes.map((remote) => ({name: remote.name, run: remote.run})), ...dropped], names);
    } else if (changed) app.refreshRuns();
    const waiting = remotes.filter((remote) => wanted.has(remote) && remote.run === null);
    app.setNotice(ready.length > 0 ? '' : waiting.map((remote) => remote.waiting).join(' ') || 'The server offers no result.');
  };
  app.want = (index) => {
    const remote = remotes[index];
    if (remote) wanted.add(remote);
  };
  for (;;) {
    await look();
    await new Promise((resolve) => setTimeout(resolve, document.hidden ? 4 * pollEvery : pollEvery));
  }
}

async function start(): Promise<void> {
  const report = embeddedReport();
  let app: App | null = null;
  if (report) {
    document.title = report.title;
    document.body.classList.add('document');
    const place = report.runs.length > 0 ? h('div', {class: 'embedded'}) : null;
    document.body.append(reportElement(report, place));
    if (place) {
      app = new App(place);
      app.reasonTold = report.summary?.reason || null;
      app.setRuns(report.runs.map((source) => ({name: source.name, run: runOf(source)})), report.runs.map((source) => source.name).slice(0, 2));
      document.title = report.title;
    } else {
      document.documentElement.dataset.theme = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    }
  } else {
    const drive = location.protocol.startsWith('http') ? await askDrive() : null;
    if (drive) return startCockpit(document.body, drive);
    app = new App(document.body);
  }
  if (app) {
    const shown = app;
    app.openFiles = (files) => void openFiles(shown, files);
    expose(app);
    if (!report) {
      if (location.protocol.startsWith('http')) await serve(app);
      else app.setNotice(welcome);
    }
  }
}

/** For scripts and tests: window.cardan. */
function expose(app: App): void {
  const at: Vec = [0, 0, 0];
  Object.assign(window, {
    cardan: {
      app,
      get time() {
        return app.player.time;
      },
      get ready() {
        return app.shown.length > 0;
      },
      get frameCost() {
        return app.frameCost;
      },
      seek: (time: number) => app.seek(time),
      follow: (name: string) => app.follow({kind: 'body', name}),
      /** Where a body's centre is drawn, CSS pixels from the canvas's corner. */
      projectBody: (name: string, run = 0) => {
        const p = app.stage.views[run]?.locate({kind: 'body', name}, at);
        return p ? app.stage.project(p, run) : null;
      },
      /** Where a point given in a body's own axes is drawn: from the matrix that the renderer uses. */
      projectDrawn: (name: string, local: Vec, run = 0) => {
        const view = app.stage.views[run];
        const group = view?.bodies[view.poses.index.get(name) ?? -1];
        return group ? app.stage.project(group.localToWorld(new Vector3(...local)).toArray(), run) : null;
      },
      camera: () => ({matrix: app.stage.cameraMatrix(), width: app.stage.canvas.clientWidth, height: app.stage.canvas.clientHeight}),
      /** Where a point of space would be drawn. */
      project: (p: Vec, run = 0) => app.stage.project(p, run),
      drawn: (column: string, run = 0) => app.plots.drawn(column, run),
    },
  });
}

start().catch(fail);
