// The cockpit with a drive of the test's own, which does what it is told: what the page sends, shows and survives.
import assert from 'node:assert/strict';
import {after, afterEach, before, test} from 'node:test';
import {open, ready, settled, stop} from './fixture.mjs';
import {FakeDrive, toyInputs} from './fake_drive.mjs';

let drive, address, page;
before(async () => {
  drive = new FakeDrive();
  address = await drive.start();
});
afterEach(() => page?.close());
after(async () => {
  await stop();
  await drive.stop();
});

const control = (name) => `.control[data-input="${name}"] [role=slider]`;
/** Until the drive has heard something, or too long. */
async function heard(found, what) {
  const end = Date.now() + 60000;
  for (;;) {
    const message = drive.received.find(found);
    if (message) return message;
    assert.ok(Date.now() < end, `the drive did not hear ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
async function fresh(options) {
  drive.mode = 0;
  drive.scale = 1;
  drive.goBack({t: 0, x: 0, y: 0, yaw: 0, v: 0});
  Object.assign(drive.inputs, Object.fromEntries(toyInputs.map(({name, start}) => [name, start])));
  page = await open(address, options);
  drive.received.length = 0;
}
async function input(name, condition) {
  await page.waitForFunction(([name, condition]) => new Function('value', `return ${condition}`)(cardan.input(name)), [name, condition]);
}

test('every input has a control with its name, limits, value and keys', async () => {
  await fresh();
  for (const {name, min, max} of toyInputs) {
    const slider = page.locator(control(name));
    assert.equal(await slider.getAttribute('aria-label'), name);
    assert.equal(await slider.getAttribute('aria-valuemin'), max === null ? null : String(min));
    assert.equal(await slider.getAttribute('aria-valuemax'), max === null ? null : String(max));
    assert.notEqual(await slider.getAttribute('aria-valuenow'), null);
  }
  const classes = await page.locator('.control').evaluateAll((all) => Object.fromEntries(all.map((one) => [one.dataset.input, one.className.replace('control ', '')])));
  assert.deepEqual(classes, {throttle: 'pedal', brake: 'pedal', steer: 'wheel', boom_lever: 'lever', swing_lever: 'lever', height: 'slider', cruise: 'field'});
  const keys = await page.locator('.control').evaluateAll((all) => Object.fromEntries(all.map((one) => [one.dataset.input, [...one.querySelectorAll('kbd')].map((key) => key.textContent).join('')])));
  assert.deepEqual(keys, {throttle: '↑', brake: '↓', steer: '←→', boom_lever: 'WS', swing_lever: 'AD', height: 'IK', cruise: 'TG'});
  assert.equal(await page.textContent('.control[data-input=height] .control-value'), '0.5 m');
  assert.deepEqual(page.complaints, []);
});

test('everything that can be pressed or moved has a name', async () => {
  await fresh();
  const nameless = await page.locator('button, select, input, [role=slider], canvas').evaluateAll((all) => all.filter((one) =>
    !(one.getAttribute('aria-label') || one.textContent?.trim() || one.labels?.length || one.title)).map((one) => one.outerHTML));
  assert.deepEqual(nameless, []);
});

test('keys: pedal and wheel follow while they are held and spring back; the picture follows', async () => {
  await fresh();
  const before = await page.evaluate(() => cardan.cockpit.stage.camera.position.toArray());
  await page.keyboard.down('ArrowUp');
  await input('throttle', 'value === 1');
  await page.keyboard.down('ArrowLeft');
  await input('steer', 'value === 1');
  await page.waitForFunction(() => cardan.value('chassis.qz') > 0.1); // while it turns: on a slow machine it may go round
  await page.keyboard.up('ArrowLeft');
  await page.waitForFunction(() => cardan.value('speed') > 3);
  await page.keyboard.up('ArrowUp');
  await input('steer', 'value === 0');
  await input('throttle', 'value === 0');
  const first = drive.received.find(({inputs}) => inputs?.throttle !== undefined);
  assert.ok(first.inputs.throttle > 0 && first.inputs.throttle < 0.2, 'the first message has the first bit of the way');
  assert.deepEqual(Object.keys(first.inputs), ['throttle'], 'only what has changed');
  const stamps = drive.received.filter(({stamp}) => stamp !== undefined).map(({stamp}) => stamp);
  assert.ok(stamps.every((stamp, i) => i === 0 || stamp === stamps[i - 1] + 1), 'stamps count up');
  await settled(page);
  const now = await page.evaluate(() => cardan.cockpit.stage.camera.position.toArray());
  assert.ok(Math.hypot(...now.map((x, i) => x - before[i])) > 3, 'the chase camera goes along');
  await page.waitForFunction(() => cardan.cockpit.latency.count > 0 && Number.isFinite(cardan.cockpit.latency.toScreen));
  assert.match(await page.locator('.loop').textContent(), /Key to frame[\d.]+ ms/);
  assert.deepEqual(page.complaints, []);
});

test('frames come by a thread of the page, and without one where there is none', async () => {
  await fresh();
  assert.equal(page.workers().length, 1);
  await page.addInitScript(() => {
    window.Worker = function () {
      throw new Error('no threads here');
    };
  });
  await page.reload();
  await ready(page);
  assert.equal(page.workers().length, 0);
  await page.keyboard.down('ArrowUp');
  await input('throttle', 'value === 1');
  await page.waitForFunction(() => cardan.value('speed') > 1);
  await page.keyboard.up('ArrowUp');
  assert.deepEqual(page.complaints, []);
});

test('keys of a window that is left are let go', async () => {
  await fresh();
  await page.keyboard.down('ArrowUp');
  await input('throttle', 'value > 0.5');
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await input('throttle', 'value === 0');
  await page.keyboard.up('ArrowUp');
});

test('a pair of keys moves what does not spring back, and Tab goes to each control', async () => {
  await fresh();
  await page.keyboard.down('i');
  await input('height', 'value > 0.6');
  await page.keyboard.up('i');
  const value = await page.evaluate(() => cardan.input('height'));
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => cardan.input('height')), value);
  await page.focus(control('height'));
  await page.keyboard.press('End');
  assert.equal(await page.evaluate(() => cardan.input('height')), 2);
  await page.keyboard.press('ArrowDown');
  assert.ok(Math.abs((await page.evaluate(() => cardan.input('height'))) - 1.98) < 1e-12);
  assert.equal(await page.evaluate(() => cardan.input('brake')), 0, 'the arrow went to the control that has the frame');
  await page.fill('.control[data-input=cruise] input', '12.5');
  await page.keyboard.press('Enter');
  await heard(({inputs}) => inputs?.cruise === 12.5, 'the number in the field');
  await page.fill('.control[data-input=cruise] input', '-3');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => cardan.input('cruise')), 0, 'within its limit');
});

test('the spring can be switched off', async () => {
  await fresh();
  await page.click('.control[data-input=steer] .spring');
  await page.keyboard.down('ArrowRight');
  await input('steer', 'value < -0.3');
  await page.keyboard.up('ArrowRight');
  const value = await page.evaluate(() => cardan.input('steer'));
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => cardan.input('steer')), value);
});

test('mouse: pedals, sliders, the wheel and the handle of a field', async () => {
  await fresh();
  const at = async (name, x, y) => {
    const box = await page.locator(control(name)).boundingBox();
    return [box.x + x * box.width, box.y + y * box.height];
  };
  await page.mouse.move(...(await at('brake', 0.5, 0.5)));
  await page.mouse.down();
  await input('brake', 'Math.abs(value - 0.5) < 0.02');
  await page.mouse.up();
  await input('brake', 'value === 0');
  await page.mouse.move(...(await at('height', 0.75, 0.5)));
  await page.mouse.down();
  await page.mouse.up();
  assert.ok(Math.abs((await page.evaluate(() => cardan.input('height'))) - 1.5) < 0.03);
  await page.mouse.move(...(await at('steer', 0.5, 0.1)));
  await page.mouse.down();
  await page.mouse.move(...(await at('steer', 0.1, 0.5)), {steps: 4}); // a quarter to the left
  await input('steer', 'Math.abs(value - 90/135) < 0.05');
  await page.mouse.up();
  const [x, y] = await at('cruise', 0.5, 0.5);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 20, y);
  await input('cruise', 'value > 5.5');
  await page.mouse.up();
  assert.deepEqual(page.complaints, []);
});

test('touch: two fingers on two controls at once', async () => {
  await fresh({width: 400, height: 800, hasTouch: true});
  await page.locator(control('throttle')).scrollIntoViewIfNeeded();
  const middle = async (name, part) => {
    const box = await page.locator(control(name)).boundingBox();
    return {x: box.x + box.width / 2, y: box.y + (1 - part) * box.height};
  };
  const fingers = await page.context().newCDPSession(page);
  const one = {...(await middle('throttle', 0.75)), id: 0};
  const two = {...(await middle('brake', 0.25)), id: 1};
  await fingers.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [one]});
  await fingers.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [one, two]});
  await page.waitForFunction(() => Math.abs(cardan.input('throttle') - 0.75) < 0.03 && Math.abs(cardan.input('brake') - 0.25) < 0.03);
  const moved = {...(await middle('throttle', 0.4)), id: 0};
  await fingers.send('Input.dispatchTouchEvent', {type: 'touchMove', touchPoints: [moved, two]});
  await page.waitForFunction(() => Math.abs(cardan.input('throttle') - 0.4) < 0.03 && Math.abs(cardan.input('brake') - 0.25) < 0.03);
  await fingers.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
  await page.waitForFunction(() => cardan.input('throttle') === 0 && cardan.input('brake') === 0);
  await heard(({inputs}) => inputs?.brake === 0, 'that the brake is let go');
  assert.deepEqual(page.complaints, []);
});

test('gamepad: sticks and triggers with a dead zone, and another axis by the menu', async () => {
  await fresh();
  await page.evaluate(() => {
    window.pad = {id: 'Pad of the test', connected: true, axes: [0, 0, 0, 0], buttons: Array.from({length: 17}, () => ({value: 0, pressed: false}))};
    navigator.getGamepads = () => [null, window.pad];
  });
  await page.evaluate(() => {
    pad.axes[0] = -1; // to the left
    pad.buttons[7].value = 0.56;
  });
  await page.waitForFunction(() => cardan.input('steer') === 1 && Math.abs(cardan.input('throttle') - 0.5) < 1e-9);
  await page.evaluate(() => {
    pad.axes[0] = 0.08;
    pad.buttons[7].value = 0;
  });
  await page.waitForFunction(() => cardan.input('steer') === 0 && cardan.input('throttle') === 0);
  await page.click('summary:has-text("Gamepad")');
  assert.match(await page.textContent('.drive-side'), /Pad of the test/);
  await page.getByLabel('steer', {exact: true}).and(page.locator('select')).selectOption('axis 2');
  await page.evaluate(() => (pad.axes[2] = 1));
  await page.waitForFunction(() => cardan.input('steer') === 1);
  await page.evaluate(() => (pad.connected = false));
  await page.waitForFunction(() => cardan.input('steer') === 0);
  assert.deepEqual(page.complaints, []);
});

test('pause, single step, pace, reset', async () => {
  await fresh();
  await page.keyboard.press(' ');
  await page.waitForFunction(() => document.querySelector('.state').textContent === 'paused');
  await settled(page); // the picture shows that state, too
  const time = await page.evaluate(() => cardan.time);
  await page.keyboard.press('.');
  await page.waitForFunction((then) => Math.abs(cardan.time - then - 0.001) < 1e-9, time);
  await page.click('button[aria-label^="Go on"]');
  await page.waitForFunction(() => document.querySelector('.state').textContent === 'driving');
  await page.getByLabel('Pace', {exact: true}).selectOption('0.1');
  await heard(({command, number}) => command === 'scale' && number === 0.1, 'the pace');
  await page.evaluate(() => document.activeElement.blur()); // lists have keys of their own
  await page.keyboard.press('+');
  await heard(({command, number}) => command === 'scale' && number === 0.2, 'a faster pace');
  await page.keyboard.down('i');
  await input('height', 'value > 0.6');
  await page.keyboard.up('i');
  await page.keyboard.press('r');
  await heard(({command}) => command === 'reset', 'reset');
  assert.equal(await page.evaluate(() => cardan.input('height')), 0.5, 'inputs start again, too');
  assert.deepEqual(page.complaints, []);
});

test('save and return: the state and the inputs of then', async () => {
  await fresh();
  await page.keyboard.down('i');
  await input('height', 'value > 0.7');
  await page.keyboard.up('i');
  const height = await page.evaluate(() => cardan.input('height'));
  await page.keyboard.press('Shift+Digit3');
  await heard(({command, number}) => command === 'save' && number === 3, 'save');
  const then = drive.places.get(3).t;
  await page.keyboard.down('k');
  await input('height', 'value < 0.3');
  await page.keyboard.up('k');
  await page.waitForFunction((then) => cardan.time > then + 0.5, then);
  assert.equal(await page.locator('.places select').inputValue(), '3');
  await page.keyboard.press(' ');
  await page.waitForFunction(() => document.querySelector('.state').textContent === 'paused');
  await page.click('.places button:has-text("Return")');
  await page.waitForFunction((then) => Math.abs(cardan.time - then) < 1e-9, then);
  assert.equal(await page.evaluate(() => cardan.input('height')), height);
  await page.keyboard.press('7');
  assert.ok(!drive.received.some(({command, number}) => command === 'go_back' && number === 7), 'there is nothing in place 7');
});

test('a failure says why, and Reset drives on from the start', async () => {
  await fresh();
  drive.fail('not converged at t = 3.2 s: <b>wheel</b>');
  await page.waitForFunction(() => /failed: not converged at t = 3\.2 s: <b>wheel/.test(document.querySelector('.banner').textContent));
  assert.equal(await page.textContent('.state'), 'failed');
  await page.click('.banner button');
  await page.waitForFunction(() => document.querySelector('.banner').hidden && document.querySelector('.state').textContent === 'driving');
  drive.end();
  await page.waitForFunction(() => /come to its end/.test(document.querySelector('.banner').textContent));
  await page.click('.banner button');
  await page.waitForFunction(() => document.querySelector('.banner').hidden);
});

test('a lost connection is said, tried again and found', async () => {
  await fresh();
  await page.fill('.control[data-input=cruise] input', '7');
  await page.keyboard.press('Enter');
  const {port} = drive;
  await drive.stop();
  await page.waitForFunction(() => /lost/.test(document.querySelector('.banner:not([hidden])')?.textContent ?? '') && document.querySelector('.state').textContent === 'no connection');
  await page.waitForFunction(() => /again in 1 s/.test(document.querySelector('.banner').textContent)); // growing pauses
  drive.received.length = 0;
  drive.state.t = 0;
  await drive.start(port);
  await page.waitForFunction(() => document.querySelector('.banner').hidden && document.querySelector('.state').textContent === 'driving');
  const told = await heard(({inputs}) => inputs !== undefined, 'the inputs again');
  assert.deepEqual(Object.keys(told.inputs).sort(), toyInputs.map(({name}) => name).sort());
  assert.equal(told.inputs.cruise, 7);
  await page.waitForFunction(() => cardan.time < 60 && cardan.time > 0.2);
  const others = page.complaints.filter((text) => !/WebSocket|ERR_CONNECTION|ERR_EMPTY/.test(text)); // the browser's own words about the loss
  assert.deepEqual(others, []);
});

test('cameras: behind, at the seat, free', async () => {
  await fresh();
  drive.state.yaw = 1;
  await page.waitForFunction(() => Math.abs(cardan.value('chassis.qz') - Math.sin(0.5)) < 1e-9);
  const place = () => page.evaluate(() => {
    const {camera} = cardan.cockpit.stage;
    const e = camera.matrixWorld.elements;
    return {at: camera.position.toArray(), ahead: [-e[8], -e[9], -e[10]], body: ['x', 'y', 'z'].map((suffix) => cardan.value(`chassis.${suffix}`))};
  });
  await page.waitForFunction(() => {
    const e = cardan.cockpit.stage.camera.matrixWorld.elements;
    return Math.atan2(-e[9], -e[8]) > 0.9; // has come round
  });
  const chase = await place();
  assert.ok(Math.hypot(chase.at[0] - chase.body[0], chase.at[1] - chase.body[1]) > 2 && chase.at[2] > 1);
  assert.equal(await page.getAttribute('[data-camera=chase]', 'aria-pressed'), 'true');
  await page.keyboard.press('c');
  await settled(page);
  const cockpit = await place();
  assert.ok(Math.hypot(...cockpit.at.map((x, i) => x - cockpit.body[i] - [0, 0, 0.7][i])) < 1e-6, `the seat is 0.7 m above the centre, the camera at ${cockpit.at}`);
  assert.ok(Math.abs(Math.atan2(cockpit.ahead[1], cockpit.ahead[0]) - 1) < 1e-6, 'looks ahead');
  await page.click('[data-camera=orbit]');
  await settled(page);
  const before = await place();
  const box = await page.locator('.stage > canvas').boundingBox();
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 200, {steps: 3});
  await page.mouse.up();
  await settled(page);
  const turned = await place();
  assert.ok(Math.hypot(...turned.at.map((x, i) => x - before.at[i])) > 0.1, 'the hand turns it');
  assert.deepEqual(page.complaints, []);
});

test('gauges and strips of outputs that one chooses, in the same memory', async () => {
  await fresh();
  const gauges = () => page.locator('.gauge-name').allTextContents();
  assert.deepEqual(await gauges(), ['speed', 'chassis.vx']);
  await page.fill('input[aria-label="Add an output"]', 'wagon1.y');
  await page.keyboard.press('Enter');
  assert.deepEqual(await gauges(), ['speed', 'chassis.vx', 'wagon1.y']);
  await page.click('button[aria-label="Leave out speed"]');
  assert.deepEqual(await gauges(), ['speed', 'chassis.vx', 'wagon1.y'], 'the speed of the vehicle itself is there then');
  await page.keyboard.down('ArrowUp');
  await page.waitForFunction(() => Number(document.querySelector('.gauge-number').textContent) > 3);
  const drawn = await page.locator('canvas.strips').evaluate((canvas) => {
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.some((byte) => byte !== 0);
  });
  assert.ok(drawn);
  await page.keyboard.up('ArrowUp');
  assert.deepEqual(await page.evaluate(() => cardan.cockpit.strips.strips.map(({t}) => t.length)), [600, 600]);
});

for (const colorScheme of ['light', 'dark']) {
  test(`a phone of 400 pixels, ${colorScheme}: nothing beside the screen, controls large enough for a finger`, async () => {
    await fresh({width: 400, height: 800, colorScheme, hasTouch: true});
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400);
    for (const {name} of toyInputs) {
      const box = await page.locator(control(name)).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 400, `${name} is at ${box.x}, ${box.width} wide`);
      assert.ok(box.width >= 36 && box.height >= 36, `${name} is ${box.width} by ${box.height}`);
    }
    const wheel = await page.locator(control('steer')).boundingBox();
    const pedal = await page.locator(control('throttle')).boundingBox();
    assert.ok(Math.max(wheel.y + wheel.height, pedal.y + pedal.height) < 800, 'wheel and pedals are on the first screen');
    const contrast = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const light = (name) => {
        const value = parseInt(style.getPropertyValue(name).trim().slice(1), 16);
        const [r, g, b] = [16, 8, 0].map((shift) => ((value >> shift) & 255) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      return ['--text', '--muted'].map((name) => {
        const [a, b] = [light(name), light('--panel')].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
      });
    });
    for (const ratio of contrast) assert.ok(ratio >= 4.5, `contrast ${ratio}`);
    assert.deepEqual(page.complaints, []);
    });
}

test('messages that are no frames and words that are no JSON change nothing', async () => {
  await fresh();
  drive.write(2, Buffer.alloc(10));
  drive.write(2, Buffer.alloc(48 + 8 * drive.columns.length));
  drive.write(1, Buffer.from('{'));
  drive.write(1, Buffer.from('[1, 2]'));
  drive.say({error: 'there is no input <i>x</i>'});
  await page.waitForFunction(() => /there is no input <i>x/.test(document.querySelector('.messages').textContent));
  const time = await page.evaluate(() => cardan.time);
  await page.waitForFunction((then) => cardan.time > then + 0.2, time);
  assert.deepEqual(page.complaints, []);
});
