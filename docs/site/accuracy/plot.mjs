// Curves over logarithmic axes as SVG, without anything else: for pages that are read in a repository too.

const kWidth = 860, kHeight = 520, kLeft = 70, kRight = 250, kTop = 20, kBottom = 50;
// Told apart in print and by most eyes; dashes tell the rest apart.
const kColors = ['#1f77b4', '#d62728', '#2ca02c', '#9467bd', '#ff7f0e', '#17becf', '#8c564b', '#e377c2', '#7f7f7f'];

const decades = (values) => [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];

/** `curves`: [{name, points: [[x, y], …]}]; both above zero. */
export function plot({xLabel, yLabel, curves}) {
  const all = curves.flatMap((curve) => curve.points);
  const [x0, x1] = decades(all.map(([x]) => x));
  const [y0, y1] = decades(all.map(([, y]) => y));
  const across = (x) => kLeft + ((Math.log10(x) - x0) / (x1 - x0)) * (kWidth - kLeft - kRight);
  const down = (y) => kHeight - kBottom - ((Math.log10(y) - y0) / (y1 - y0)) * (kHeight - kTop - kBottom);
  const lines = [];
  const text = (x, y, words, more = '') => lines.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${words}</text>`);
  const rule = (xa, ya, xb, yb) => lines.push(`<line x1="${xa.toFixed(1)}" y1="${ya.toFixed(1)}" x2="${xb.toFixed(1)}" y2="${yb.toFixed(1)}" stroke="#ddd"/>`);
  for (let k = x0; k <= x1; ++k) {
    rule(across(10 ** k), kTop, across(10 ** k), kHeight - kBottom);
    text(across(10 ** k), kHeight - kBottom + 18, `1e${k}`, 'text-anchor="middle"');
  }
  for (let k = y0; k <= y1; ++k) {
    rule(kLeft, down(10 ** k), kWidth - kRight, down(10 ** k));
    text(kLeft - 8, down(10 ** k) + 4, `1e${k}`, 'text-anchor="end"');
  }
  text((kLeft + kWidth - kRight) / 2, kHeight - 10, xLabel, 'text-anchor="middle"');
  text(16, (kTop + kHeight - kBottom) / 2, yLabel, `text-anchor="middle" transform="rotate(-90 16 ${(kTop + kHeight - kBottom) / 2})"`);
  curves.forEach(({name, points}, i) => {
    const style = `stroke="${kColors[i % kColors.length]}" stroke-width="1.6" fill="none"${i < kColors.length ? '' : ' stroke-dasharray="5 3"'}`;
    lines.push(`<polyline points="${points.map(([x, y]) => `${across(x).toFixed(1)},${down(y).toFixed(1)}`).join(' ')}" ${style}/>`);
    for (const [x, y] of points) lines.push(`<circle cx="${across(x).toFixed(1)}" cy="${down(y).toFixed(1)}" r="2.5" fill="${kColors[i % kColors.length]}"/>`);
    const row = kTop + 14 + 20 * i;
    lines.push(`<line x1="${kWidth - kRight + 14}" y1="${row}" x2="${kWidth - kRight + 44}" y2="${row}" ${style}/>`);
    text(kWidth - kRight + 50, row + 4, name);
  });
  return [`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${kWidth} ${kHeight}" font-family="sans-serif" font-size="13">`,
    `<rect width="${kWidth}" height="${kHeight}" fill="white"/>`, ...lines, '</svg>', ''].join('\n');
}
