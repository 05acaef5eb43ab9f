// What is on the site and in which order: source in the repository, file on the site, title in the navigation.
export const sections = [
  {
    title: 'Start',
    pages: [
      {source: 'README.md', file: 'index.html', title: 'Cardan'},
      {source: 'docs/first-mechanism.md', title: 'First mechanism'},
      {source: 'docs/recipes.md', title: 'Recipes'},
      {source: 'docs/coming-from.md', title: 'From other programs'},
      {generated: 'gallery', file: 'gallery.html', title: 'Live results'},
    ],
  },
  {
    title: 'Reference',
    pages: [
      {source: 'docs/model-file.md', title: 'Model file'},
      {source: 'docs/signals.md', title: 'Signals'},
      {source: 'docs/formulations.md', title: 'Formulations and integrators'},
      {source: 'docs/output.md', title: 'What a run writes'},
      {source: 'docs/formats.md', title: 'URDF, ADAMS, MJCF'},
      {source: 'docs/analyses.md', title: 'Equilibrium, modes, inverse'},
      {source: 'docs/viewer.md', title: 'Viewer and reports'},
      {source: 'docs/drive.md', title: 'In the loop'},
      {source: 'docs/sweep.md', title: 'Sweeps'},
      {source: 'docs/ensembles.md', title: 'Ensembles'},
      {source: 'docs/optimize.md', title: 'Optimization and fits'},
      {generated: 'commands', file: 'command-line.html', title: 'Command line'},
      {source: 'docs/library.md', title: 'C++ library'},
      {source: 'docs/python.md', title: 'Python'},
      {source: 'docs/connect.md', title: 'C and FMUs'},
      {source: 'docs/performance.md', title: 'Performance'},
      {source: 'docs/inside.md', title: 'Inside'},
    ],
  },
  {
    title: 'Theory',
    pages: [
      {source: 'docs/theory/notation.md', title: 'Notation and papers'},
      {source: 'docs/theory/coordinates.md', title: 'Coordinates'},
      {source: 'docs/theory/augmented-lagrangian.md', title: 'Index-3 augmented Lagrangian'},
      {source: 'docs/theory/singular-positions.md', title: 'Penalties, singular positions'},
      {source: 'docs/theory/variable-step.md', title: 'Variable step and penalty'},
      {source: 'docs/theory/runge-kutta.md', title: 'Index 1 and Runge-Kutta'},
      {source: 'docs/theory/recursive.md', title: 'Recursive method'},
      {source: 'docs/theory/state-space.md', title: 'State space, stiff systems'},
      {source: 'docs/theory/bdf.md', title: 'BDF'},
      {source: 'docs/theory/nonholonomic.md', title: 'Non-holonomic constraints'},
      {source: 'docs/theory/tyres-and-contact.md', title: 'Tyres'},
      {source: 'docs/theory/tyres.md', title: 'Tyres that slip'},
      {source: 'docs/theory/contact.md', title: 'Contact with friction'},
      {source: 'docs/theory/reactions-and-events.md', title: 'Reactions, impulses, events'},
      {source: 'docs/theory/gradients.md', title: 'Derivatives of a run'},
    ],
  },
  {
    title: 'Measured',
    pages: [
      {source: 'docs/accuracy.md', title: 'Accuracy'},
      {source: 'studies/double_four_bar/README.md', file: 'study-double-four-bar.html', title: 'Double four-bar'},
      {source: 'studies/iltis/README.md', file: 'study-iltis.html', title: 'Iltis'},
      {source: 'studies/puma/README.md', file: 'study-puma.html', title: 'PUMA 560'},
      {source: 'studies/stiff_double_pendulum/README.md', file: 'study-stiff-double-pendulum.html', title: 'Stiff double pendulum'},
      {source: 'studies/stiff_stop/README.md', file: 'study-stiff-stop.html', title: 'Stiff stop'},
      {source: 'studies/excavator/README.md', file: 'study-excavator.html', title: 'Excavator'},
      {source: 'studies/forklift/README.md', file: 'study-forklift.html', title: 'Forklift rollover'},
      {source: 'studies/iltis_cornering/README.md', file: 'study-iltis-cornering.html', title: 'Cornering'},
    ],
  },
];

for (const page of sections.flatMap((section) => section.pages)) {
  page.file ??= page.source.replace(/^docs\//, '').replace(/\.md$/, '.html');
}
export const pages = sections.flatMap((section) => section.pages);

/** Results that the site shows moving, made by `cardan run --report`. */
export const reports = [
  {model: 'models/double_four_bar.yaml', title: 'Double four-bar', text: 'Two windows of rods fall over and pass ten singular positions.'},
  {model: 'models/puma560.yaml', title: 'PUMA 560', text: 'The hand is held at 2 s and let go at 6 s, by events.'},
  {model: 'models/iltis.yaml', title: 'Iltis', text: 'A whole vehicle over a ramp and down five stairs.', options: ['--every', '2']},
  {model: 'models/excavator.yaml', title: 'Excavator', text: 'Three hydraulic cylinders on one pump dig by the levers of [a file](../models/inputs/excavator_dig.csv).',
    options: ['--input', 'models/inputs/excavator_dig.csv', '--interpolation', 'linear', '--every', '4']},
];

/** Subcommands whose help becomes a page. */
export const commands = ['check', 'run', 'compare', 'view', 'study', 'equilibrium', 'modes', 'inverse'];
