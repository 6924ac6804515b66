// A terminal recording as an animated SVG: all lines once, uncovered and moved over time.
import { COLUMNS, type Line, type RecordedCommand } from './record.ts';

const FONT = 14;
const WIDTH = 8.4;
const HEIGHT = 19;
const ROWS = 26;
const PADDING = 16;
const BAR = 36;

/** Colors of terminals 0 to 15, on a dark background, with a contrast of at least 4.5. */
const PALETTE = [
  '#8b949e',
  '#ff7b72',
  '#56d364',
  '#e3b341',
  '#79c0ff',
  '#d2a8ff',
  '#56d4dd',
  '#e6edf3',
];
const BACKGROUND = '#0d1117';
const FOREGROUND = '#e6edf3';

/** Seconds. */
const TYPING = 0.045;
const LINE = 0.045;
const READING = 0.12;
const END = 4;

interface Frame {
  readonly time: number;
  /** lines that are uncovered */
  readonly lines: number;
  /** characters of the last line that are uncovered; undefined for all */
  readonly typed?: number;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const round = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Returns the lines of a recording and when each is uncovered. */
function timeline(commands: readonly RecordedCommand[]): {
  readonly lines: readonly Line[];
  readonly frames: readonly Frame[];
  readonly duration: number;
} {
  const lines: Line[] = [];
  const frames: Frame[] = [];
  let time = 0.5;
  for (const { text, lines: printed } of commands) {
    lines.push([
      { text: '$ ', color: 2, bold: true },
      { text, color: undefined, bold: true },
    ]);
    for (let typed = 2; typed <= text.length + 2; typed += 1) {
      frames.push({ time, lines: lines.length, typed });
      time += TYPING;
    }
    time += 0.4;
    for (const line of printed) {
      lines.push(line);
      frames.push({ time, lines: lines.length });
      time += LINE;
    }
    time += 1 + printed.length * READING;
    lines.push([]);
  }
  return { lines, frames, duration: time + END };
}

/** Returns the text element of a line. */
function lineText(line: Line, index: number): string {
  let column = 0;
  const spans = line.map(({ text, color, bold }) => {
    const start = column + (text.length - text.trimStart().length);
    column += text.length;
    const shown = text.trim();
    if (shown === '') return '';
    const fill = color === undefined ? '' : ` fill="${PALETTE[color % 8]}"`;
    const weight = bold ? ' font-weight="bold"' : '';
    return `<tspan x="${round(start * WIDTH)}" textLength="${round(shown.length * WIDTH)}"${fill}${weight}>${escape(shown)}</tspan>`;
  });
  const content = spans.join('');
  return content === '' ? '' : `<text y="${index * HEIGHT + FONT}">${content}</text>\n`;
}

/** Returns an animated SVG of recorded commands. */
export function recordingSvg(title: string, commands: readonly RecordedCommand[]): string {
  const { lines, frames, duration } = timeline(commands);
  const scroll = (count: number): number => Math.max(0, count - ROWS) * HEIGHT;
  const last = frames.at(-1);
  if (last === undefined) throw new Error(`the recording "${title}" has no commands`);
  const keyframes = (transform: (frame: Frame) => string): string => {
    const first = frames[0] ?? last;
    let previous = transform(first);
    let text = `0%{transform:${previous}}`;
    for (const frame of frames) {
      const next = transform(frame);
      if (next === previous) continue;
      previous = next;
      text += `${round((frame.time / duration) * 100)}%{transform:${next}}`;
    }
    return `${text}100%{transform:${previous}}`;
  };
  const moved = ({ lines: count }: Frame): string => `translate(0,${-scroll(count)}px)`;
  const covered = ({ lines: count }: Frame): string => `translate(0,${count * HEIGHT}px)`;
  const untyped = ({ lines: count, typed }: Frame): string =>
    typed === undefined
      ? `translate(0,${-10 * HEIGHT}px)`
      : `translate(${round(typed * WIDTH)}px,${(count - 1) * HEIGHT}px)`;
  const width = Math.ceil(COLUMNS * WIDTH) + 2 * PADDING;
  const height = ROWS * HEIGHT + BAR + PADDING;
  // The end is shown first, so that there is something to read at once.
  const animation = `${round(duration)}s step-end ${round(END - duration)}s infinite`;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (color, index) => `<circle cx="${20 + index * 20}" cy="18" r="6" fill="${color}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">
<style>
text{font:${FONT}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${FOREGROUND};white-space:pre}
.m{transform:${moved(last)}}.c{transform:${covered(last)}}.t{transform:${untyped(last)}}
@media (prefers-reduced-motion:no-preference){
.m{animation:m ${animation}}.c{animation:c ${animation}}.t{animation:t ${animation}}
@keyframes m{${keyframes(moved)}}
@keyframes c{${keyframes(covered)}}
@keyframes t{${keyframes(untyped)}}
}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${BACKGROUND}" stroke="#30363d"/>
${dots.join('')}
<svg x="${PADDING}" y="${BAR}" width="${width - PADDING - 1}" height="${ROWS * HEIGHT}">
<g class="m">
${lines.map(lineText).join('')}<rect class="t" width="${width}" height="${HEIGHT}" fill="${BACKGROUND}"/>
<rect class="c" width="${width}" height="${(lines.length + 1) * HEIGHT}" fill="${BACKGROUND}"/>
</g>
</svg>
</svg>
`;
}
