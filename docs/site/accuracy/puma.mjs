import {code, digits, fixed, list, ok, table, unique} from './format.mjs';

const names = ['global', 'topological', 'hybrid'];

export function puma(read, say) {
  const rows = read('puma/puma.csv');
  const variants = unique(rows.map((r) => r.variant));
  const at = (variant, name, step) => rows.find((r) => r.variant === variant && r.formulation === name && r.step === String(step));
  const published = (name, step) => Number(at(variants[0], name, step).published_error);
  /** Exponent of the growth with the step between two steps that are published. */
  const growth = (error) => Math.log(error(0.05) / error(0.01)) / Math.log(5);
  const grows = (variant) => growth((h) => Number(at(variant, 'hybrid', h).error));
  const ratio = (variant) => at(variant, 'global', 0.01).error / at(variant, 'hybrid', 0.01).error;
  say('## PUMA 560: a hand that is held and let go', '',
    'Distance of the hand\'s point from where it started, after 8 s, mm ([H] table 3). The paper gives neither poses nor torques; ours follow from',
    'assumed poses by inverse dynamics. Nor does it mention friction or the geared rotors of the motors, which damp and weigh down an arm: so here are three.', '',
    table(rows.filter((r) => r.published_error !== ''), [
      ['arm with', (r) => r.variant, 'left'], ['formulation', (r) => code(r.formulation), 'left'], ['step, s', (r) => r.step],
      ['ours, mm', (r) => (ok(r) ? digits(1000 * r.error) : 'failed')], ['published, mm', (r) => r.published_error], ['iterations', (r) => r.iterations]]));
  const hundredth = (variant) => list(names.map((name) => digits(1000 * at(variant, name, 0.01).error)));
  const below = variants.filter((v) => 1000 * at(v, 'hybrid', 0.01).error < published('hybrid', 0.01));
  const between = below.length > 0 && below.length < variants.length;
  say(`At 0.01 s the published errors (${list(names.map((name) => digits(published(name, 0.01))))} mm for ${list(names.map(code))}) ` +
    (between ? 'lie between those of our arms' : `lie ${below.length ? 'above' : 'below'} those of all our arms`) + ` (${variants.map((v) => `${v}: ${hundredth(v)}`).join('; ')}).`,
    `\`global\` over \`hybrid\` is ${digits(published('global', 0.01) / published('hybrid', 0.01))} published and ${list(variants.map((v) => digits(ratio(v))))} with ours.`,
    `From 0.01 to 0.05 s ours grow with the step to the power ${list(variants.map((v) => fixed(grows(v), 1)))} (the rule is of order 2), the published ones`,
    `to the power ${fixed(growth((h) => published('hybrid', h)), 1)}. What else the published arm has, and along which paths it goes, is not known.`);
  const rest = rows.filter((r) => r.published_error === '');
  say(`The arm with ${variants[0]} at shorter steps and in the other formulations:`, '',
    table(rest, [['formulation', (r) => code(r.formulation), 'left'], ['step, s', (r) => r.step], ['error, mm', (r) => (ok(r) ? digits(1000 * r.error) : 'failed')], ['iterations', (r) => r.iterations]]));
}
