import { cutToWidth } from '@terrane/render';
import xterm from '@xterm/headless';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveScreen } from './live-screen.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A screen on a terminal that shows some lines, and what is on it. */
function screenOf(lines: () => readonly string[], columns = 60) {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows: 12,
    scrollback: 1000,
    allowProposedApi: true,
    convertEol: true,
  });
  let resized = (): void => undefined;
  const stdout = {
    isTerminal: true,
    write: (text: string | Uint8Array) => terminal.write(text),
    get columns() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    onResize: (listener: () => void) => {
      resized = listener;
      return () => void (resized = () => undefined);
    },
  };
  const screen = new LiveScreen({ stdout, stderr: stdout }, (size) =>
    lines().map((line) => cutToWidth(line, size.columns - 1)),
  );
  const shown = (): readonly string[] => {
    let flushed = false;
    terminal.write('', () => void (flushed = true));
    while (!flushed) vi.advanceTimersByTime(1);
    const { active } = terminal.buffer;
    const result = Array.from({ length: active.length }, (_, i) => active.getLine(i)).map(
      (line) => line?.translateToString(true) ?? '',
    );
    while (result.at(-1) === '') result.pop();
    return result;
  };
  const resize = (cols: number, rows: number): void => {
    shown();
    terminal.resize(cols, rows);
    resized();
  };
  return { screen, shown, resize };
}

describe('lines at the bottom of a terminal', () => {
  it('stay below the output, and disappear without a trace', () => {
    let lines = ['one', 'two'];
    const { screen, shown } = screenOf(() => lines);
    screen.stdout.write('before\n');
    screen.start();
    vi.advanceTimersByTime(100);
    expect(shown()).toEqual(['before', 'one', 'two']);
    screen.start();
    screen.stdout.write('told\nand told\n');
    screen.stderr.write('trouble\n');
    expect(shown()).toEqual(['before', 'told', 'and told', 'trouble']);
    screen.start();
    vi.advanceTimersByTime(100);
    expect(shown()).toEqual(['before', 'told', 'and told', 'trouble', 'one', 'two']);
    screen.stop();
    lines = ['three'];
    expect(shown()).toEqual(['before', 'told', 'and told', 'trouble']);
  });

  it('are brought up to date', () => {
    let count = 0;
    const { screen, shown } = screenOf(() => [
      `${++count}`,
      'same',
      ...(count > 2 ? ['more'] : []),
    ]);
    screen.start();
    vi.advanceTimersByTime(50);
    expect(shown()).toEqual(['1', 'same']);
    screen.stop();
    screen.start();
    vi.advanceTimersByTime(50);
    vi.advanceTimersByTime(50);
    expect(shown()).toEqual(['2', 'same']);
    screen.stop();
    screen.start();
    vi.advanceTimersByTime(50);
    expect(shown()).toEqual(['3', 'same', 'more']);
    screen.stop();
  });

  it('do not come behind a question', () => {
    const { screen, shown } = screenOf(() => ['live']);
    screen.start();
    vi.advanceTimersByTime(50);
    screen.stdout.write('Enter a value: ');
    vi.advanceTimersByTime(1000);
    expect(shown()).toEqual(['Enter a value: ']);
    screen.stdout.write('yes\n');
    vi.advanceTimersByTime(50);
    expect(shown()).toEqual(['Enter a value: yes', 'live']);
    screen.stop();
  });

  it('scroll with other output', () => {
    const { screen, shown } = screenOf(() => ['live 1', 'live 2', 'live 3']);
    screen.start();
    for (let i = 0; i < 30; i++) {
      screen.stdout.write(`line ${i}\n`);
      vi.advanceTimersByTime(60);
      shown();
    }
    screen.stop();
    expect(shown()).toEqual(Array.from({ length: 30 }, (_, i) => `line ${i}`));
  });

  it('fit when the terminal becomes narrower and wider, and leave nothing behind', () => {
    const long = 'a line that is longer than a narrow terminal is wide, and more';
    const { screen, shown, resize } = screenOf(() => [
      long,
      '寿司寿司寿司寿司寿司寿司寿司寿司寿司',
    ]);
    screen.stdout.write('before\n');
    screen.start();
    vi.advanceTimersByTime(50);
    for (const columns of [30, 80, 20, 59, 33]) {
      resize(columns, 12);
      vi.advanceTimersByTime(50);
      const lines = shown();
      expect(lines).toHaveLength(3);
      expect(lines[1]).toBe(cutToWidth(long, columns - 1));
    }
    screen.stop();
    expect(shown()).toEqual(['before']);
  });
});
