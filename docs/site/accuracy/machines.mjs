import {code, digits, fixed, ok, range, table} from './format.mjs';

const percent = (value) => fixed(100 * Number(value), 2);
const degrees = (value, count) => fixed((180 / Math.PI) * Number(value), count);
const largest = (rows, ...columns) => Math.max(...rows.flatMap((r) => columns.map((c) => Math.abs(100 * r[c]))));

export function cornering(read, say) {
  const rows = read('iltis-cornering/cornering.csv');
  const circle = read('iltis-cornering/understeer.csv');
  say('## Driven Iltis: steady cornering', '',
    'The Iltis driven by its own wheels (`models/iltis_driven.yaml`, Calspan tyres that slip, `hybrid`, 0.002 s) around circles in the linear range of its tyres, against the bicycle model with the camber of its wheels, the published curve of the',
    `tyres, and the roll that virtual work gives. Yaw rates agree within ${digits(largest(rows, 'yaw_rate_off'))} %, side forces within ${digits(largest(rows, 'front_force_off', 'rear_force_off'))} %, roll within ${digits(largest(rows, 'roll_off'))} %.`, '',
    table(rows, [['v, m/s', (r) => fixed(r.speed, 1)], ['to the centre, m/s²', (r) => fixed(r.acceleration, 3)], ['yaw rate, deg/s', (r) => degrees(r.yaw_rate, 3)],
      ['off bicycle, %', (r) => percent(r.yaw_rate_off)], ['front force off, %', (r) => percent(r.front_force_off)], ['rear force off, %', (r) => percent(r.rear_force_off)],
      ['roll, deg', (r) => degrees(r.roll, 3)], ['roll off, %', (r) => percent(r.roll_off)]]), '',
    `On a circle of about 100 m its understeer gradient is ${range(circle.map((r) => r.gradient), 3)} degrees per g.`);
}

export function excavator(read, say) {
  const rows = read('excavator/excavator.csv');
  const energy = read('excavator/energy.csv');
  const usual = rows.find((r) => r.formulation === 'hybrid' && Number(r.step) === 0.005);
  say('## Excavator: hydraulic cylinders', '',
    'A digging cycle with three cylinders, valves, a pump and soil (`cardan study excavator`): pressures are states, integrated in one system with the machine. Errors of the tip of the bucket against `hybrid` at a much shorter step;',
    `orders from one step to the next. In \`hybrid\` at 0.005 s ${digits(100 * usual.unaccounted)} % of the energy is not accounted for.`, '',
    table(rows, [['formulation', (r) => code(r.formulation), 'left'], ['h, s', (r) => digits(r.step)], ['tip off by, mm', (r) => (ok(r) ? digits(1e3 * r.error) : 'failed')], ['order', (r) => fixed(r.order, 2)],
      ['energy not accounted for, %', (r) => digits(100 * r.unaccounted)], ['iterations a step', (r) => fixed(r.iterations, 2)]]), '',
    'Where the energy goes, kJ: ' + energy.map((r) => `${r.part} ${fixed(1e-3 * r.joule, 2)}`).join('; ') + '.');
}
