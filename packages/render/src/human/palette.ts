import type { Action } from '@terrane/engine';
import { displayWidth, padToWidth } from '../text/display-width.ts';
import { byteLength, padRight } from '../text/go-text.ts';
import { colorize, type TextStyle } from '../text/style.ts';

/** The short fixed texts of a diff, colored once. */
export interface Palette {
  readonly color: boolean;
  /** returns the width of a name for alignment; `pad` fills a name to a width */
  readonly widthOf: (text: string) => number;
  readonly pad: (text: string, width: number) => string;
  /** three columns wide: "  +", "-/+", " <=" … */
  readonly symbols: Readonly<Record<Action, string>>;
  readonly null: string;
  /** "->" between two values */
  readonly arrow: string;
  readonly toNull: string;
  readonly forcesReplacement: string;
  /** shows sensitive values */
  readonly showSensitive: boolean;
}

const SYMBOLS: Readonly<Record<Action, string>> = {
  'delete-then-create': '[red]-[reset]/[green]+[reset]',
  'create-then-delete': '[green]+[reset]/[red]-[reset]',
  create: '  [green]+[reset]',
  delete: '  [red]-[reset]',
  forget: ' [red].[reset]',
  'create-then-forget': ' [green]+[reset]/[red].[reset]',
  'forget-then-create': '  [red].[reset]/[green]+[reset]',
  read: ' [cyan]<=[reset]',
  update: '  [yellow]~[reset]',
  'no-op': '   ',
};

function makePalette(color: boolean, terminal: boolean): Palette {
  const symbols = { ...SYMBOLS };
  for (const action of Object.keys(symbols) as Action[]) {
    symbols[action] = colorize(SYMBOLS[action], color);
  }
  return {
    color,
    widthOf: terminal ? displayWidth : byteLength,
    pad: terminal ? padToWidth : padRight,
    symbols,
    null: colorize('[dark_gray]null[reset]', color),
    arrow: colorize('[yellow]->[reset]', color),
    toNull: colorize(' [dark_gray]-> null[reset]', color),
    forcesReplacement: colorize(' [red]# forces replacement[reset]', color),
    showSensitive: false,
  };
}

const PLAIN = makePalette(false, false);
const COLORED = makePalette(true, false);
const PLAIN_TERMINAL = makePalette(false, true);
const COLORED_TERMINAL = makePalette(true, true);

/** The palette of a style. */
export function paletteOf(style: Pick<TextStyle, 'color' | 'terminal' | 'showSensitive'>): Palette {
  const palette = commonPalette(style);
  return style.showSensitive === true ? { ...palette, showSensitive: true } : palette;
}

function commonPalette({ color, terminal }: Pick<TextStyle, 'color' | 'terminal'>): Palette {
  if (terminal === true) return color ? COLORED_TERMINAL : PLAIN_TERMINAL;
  return color ? COLORED : PLAIN;
}
