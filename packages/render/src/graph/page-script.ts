/** The script of a graph page: plain JavaScript without dependencies. */
export const PAGE_SCRIPT = `'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const { resources, lines, box, colors } = data;
const $ = (id) => document.getElementById(id);
const canvas = $('graph'), context = canvas.getContext('2d'), details = $('details');
const SHOWN = 500, ALL_LINES = 4000;
const before = resources.map(() => []), after = resources.map(() => []);
for (const [from, to] of lines) { before[to].push(from); after[from].push(to); }

// Every instance is an entry of the list; a resource without instances is one by itself.
const entries = [];
resources.forEach((resource, node) => {
  if (resource.instances.length === 0) entries.push({ address: resource.address, action: 'none', text: '', node });
  for (const instance of resource.instances) entries.push({ ...instance, node });
});
// What is changed is what people look for.
entries.sort((a, b) => (a.action === 'none') - (b.action === 'none'));
const places = new Map(entries.map((entry, index) => [entry.address, index]));
resources.forEach((resource, node) => {
  if (!places.has(resource.address)) places.set(resource.address, entries.findIndex((entry) => entry.node === node));
});
for (const entry of entries) entry.searched = (entry.address + '\\n' + entry.text).toLowerCase();

let view = { x: 0, y: 0, scale: 1 }, selected = -1, near = new Set(), matching = new Set(), frame = 0;

function draw() {
  frame = 0;
  const ratio = window.devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== width * ratio || canvas.height !== height * ratio) { canvas.width = width * ratio; canvas.height = height * ratio; }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, -view.x * view.scale * ratio, -view.y * view.scale * ratio);
  const right = view.x + width / view.scale, bottom = view.y + height / view.scale;
  const isOut = (x1, y1, x2, y2) => x2 < view.x || x1 > right || y2 < view.y || y1 > bottom;
  context.lineWidth = 1 / Math.sqrt(view.scale);
  for (const [from, to] of lines) {
    const isNear = selected >= 0 && (from === selected || to === selected);
    if (!isNear && lines.length > ALL_LINES) continue;
    const a = resources[from], b = resources[to];
    const x1 = a.left + box.width, y1 = a.top + box.height / 2, x2 = b.left, y2 = b.top + box.height / 2;
    if (isOut(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2))) continue;
    const bend = Math.max(30, (x2 - x1) / 2);
    context.strokeStyle = isNear ? '#0969da' : selected >= 0 ? '#d8dee6' : '#a8b1bf';
    context.beginPath(); context.moveTo(x1, y1); context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2); context.stroke();
  }
  context.textAlign = 'center'; context.textBaseline = 'middle';
  resources.forEach((resource, node) => {
    if (isOut(resource.left, resource.top, resource.left + box.width, resource.top + box.height)) return;
    const [border, inside] = colors[resource.action];
    context.globalAlpha = !matching.has(node) || (selected >= 0 && node !== selected && !near.has(node)) ? 0.25 : 1;
    context.fillStyle = inside; context.strokeStyle = node === selected ? '#0969da' : border;
    context.lineWidth = node === selected ? 3 : 1;
    context.beginPath(); context.roundRect(resource.left, resource.top, box.width, box.height, 6); context.fill(); context.stroke();
    if (view.scale > 0.3) {
      const count = resource.instances.length > 1 ? ' \\u00d7' + resource.instances.length : '';
      const middle = resource.left + box.width / 2, inModule = resource.module !== '';
      context.fillStyle = '#1f2328'; context.font = '12px system-ui, sans-serif';
      context.fillText(resource.label + count, middle, resource.top + (inModule ? 12 : box.height / 2), box.width - 12);
      if (inModule) { context.fillStyle = '#57606a'; context.font = '10px system-ui, sans-serif'; context.fillText(resource.module, middle, resource.top + 25, box.width - 12); }
    }
    context.globalAlpha = 1;
  });
}
const redraw = () => { if (frame === 0) frame = requestAnimationFrame(draw); };

function fit() {
  const scale = Math.min(1.2, canvas.clientWidth / data.width, canvas.clientHeight / data.height);
  view = { scale, x: (data.width - canvas.clientWidth / scale) / 2, y: (data.height - canvas.clientHeight / scale) / 2 };
  redraw();
}
function zoom(factor, x, y) {
  const scale = Math.min(4, Math.max(0.02, view.scale * factor));
  view = { scale, x: view.x + x / view.scale - x / scale, y: view.y + y / view.scale - y / scale };
  redraw();
}
function center(node) {
  const { left, top } = resources[node], scale = Math.max(view.scale, 0.7);
  view = { scale, x: left + box.width / 2 - canvas.clientWidth / scale / 2, y: top + box.height / 2 - canvas.clientHeight / scale / 2 };
}

const element = (name, text, parent) => { const made = document.createElement(name); if (text !== undefined) made.textContent = text; if (parent) parent.append(made); return made; };
function link(address, parent, color) {
  const button = element('button', address, parent);
  button.className = 'link'; button.style.borderLeftColor = color;
  button.onclick = () => select(places.get(address));
  return button;
}
const classes = { '+': 'add', '-': 'del', '~': 'chg', ' ': '' };
function diff({ text, marks }, parent) {
  const pre = element('pre', undefined, parent);
  text.split('\\n').forEach((line, index) => {
    element('span', line + '\\n', pre).className = classes[marks[index]] || '';
  });
}
function neighbours(title, nodes) {
  if (nodes.length === 0) return;
  element('h3', title + ' (' + nodes.length + ')', details);
  for (const node of nodes.slice(0, SHOWN)) link(resources[node].address, details, colors[resources[node].action][0]);
  if (nodes.length > SHOWN) element('p', 'and ' + (nodes.length - SHOWN) + ' more', details);
}
function select(index, moves = true) {
  const entry = entries[index];
  selected = entry ? entry.node : -1;
  near = new Set(entry ? [...before[selected], ...after[selected]] : []);
  details.hidden = !entry;
  details.replaceChildren();
  if (entry) {
    element('h2', entry.address, details);
    element('p', entry.action === 'none' ? 'no change' : entry.action, details);
    if (entry.text !== '') diff(entry, details);
    const others = resources[selected].instances.filter(({ address }) => address !== entry.address);
    if (others.length > 0) {
      element('h3', 'Other instances (' + others.length + ')', details);
      for (const other of others.slice(0, SHOWN)) link(other.address, details, colors[other.action][0]);
      if (others.length > SHOWN) element('p', 'and ' + (others.length - SHOWN) + ' more', details);
    }
    neighbours('Builds on', before[selected]);
    neighbours('Is built on by', after[selected]);
    details.scrollTop = 0;
    if (moves) center(selected);
  }
  const hash = entry ? '#' + encodeURIComponent(entry.address) : ' ';
  if (location.hash !== hash) history.replaceState(null, '', hash);
  redraw();
}

const wanted = new Set();
function list() {
  const words = $('search').value.toLowerCase().split(/\\s+/).filter(Boolean);
  const found = entries.filter((entry) => (wanted.size === 0 || wanted.has(entry.action)) && words.every((word) => entry.searched.includes(word)));
  matching = new Set(found.map(({ node }) => node));
  $('count').textContent = found.length === entries.length ? entries.length + ' instances' : found.length + ' of ' + entries.length + ' instances';
  const rows = found.slice(0, SHOWN).map((entry) => {
    const row = element('li');
    link(entry.address, row, colors[entry.action][0]);
    return row;
  });
  if (found.length > SHOWN) rows.push(element('li', 'and ' + (found.length - SHOWN) + ' more'));
  $('list').replaceChildren(...rows);
  redraw();
}
const counts = new Map();
for (const { action } of entries) counts.set(action, (counts.get(action) || 0) + 1);
if (counts.size > 1) for (const [action, count] of counts) {
  const label = element('label', undefined, $('filters')), boxed = element('input', undefined, label);
  boxed.type = 'checkbox'; boxed.style.width = 'auto'; label.style.borderColor = colors[action][0];
  label.append(' ' + (action === 'none' ? 'no change' : action) + ' ' + count);
  boxed.onchange = () => { if (boxed.checked) wanted.add(action); else wanted.delete(action); list(); };
}
if (data.notes.text !== '') { const box = element('details'); element('summary', 'Outputs', box); diff(data.notes, box); $('summary').after(box); }

$('search').oninput = list;
$('search').onkeydown = (event) => { if (event.key === 'Enter') { const first = $('list').querySelector('button'); if (first) first.click(); } };
addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== $('search')) { event.preventDefault(); $('search').focus(); }
  if (event.key === 'Escape') select(-1);
});
canvas.onwheel = (event) => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY); };
let drag;
canvas.onpointerdown = (event) => { drag = { x: event.offsetX, y: event.offsetY, moved: 0 }; canvas.setPointerCapture(event.pointerId); };
canvas.onpointermove = (event) => {
  if (!drag) return;
  const [x, y] = [event.offsetX - drag.x, event.offsetY - drag.y];
  drag = { x: event.offsetX, y: event.offsetY, moved: drag.moved + Math.abs(x) + Math.abs(y) };
  view = { ...view, x: view.x - x / view.scale, y: view.y - y / view.scale };
  redraw();
};
canvas.onpointerup = (event) => {
  const still = drag && drag.moved < 4;
  drag = undefined;
  if (!still) return;
  const x = view.x + event.offsetX / view.scale, y = view.y + event.offsetY / view.scale;
  const node = resources.findIndex(({ left, top }) => x >= left && x <= left + box.width && y >= top && y <= top + box.height);
  select(node < 0 ? -1 : entries.findIndex((entry) => entry.node === node), false);
};
$('in').onclick = () => zoom(1.4, canvas.clientWidth / 2, canvas.clientHeight / 2);
$('out').onclick = () => zoom(1 / 1.4, canvas.clientWidth / 2, canvas.clientHeight / 2);
$('fit').onclick = fit;
new ResizeObserver(redraw).observe(canvas);
list();
fit();
if (location.hash.length > 1) select(places.get(decodeURIComponent(location.hash.slice(1))));
})();
`;
