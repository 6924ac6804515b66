import type { Action } from '@terrane/engine';
import { colorize } from '../text/style.ts';

/** The short fixed texts of a diff, colored once. */
export interface Palette {
  readonly color: boolean;
  /** three columns wide: "  +", "-/+", " <=" … */
  readonly symbols: Readonly<Record<Action, string>>;
  readonly null: string;
  /** "->" between two values */
  readonly arrow: string;
  readonly toNull: string;
  readonly forcesReplacement: string;
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

function makePalette(color: boolean): Palette {
  const symbols = { ...SYMBOLS };
  for (const action of Object.keys(symbols) as Action[]) {
    symbols[action] = colorize(SYMBOLS[action], color);
  }
  return {
    color,
    symbols,
    null: colorize('[dark_gray]null[reset]', color),
    arrow: colorize('[yellow]->[reset]', color),
    toNull: colorize(' [dark_gray]-> null[reset]', color),
    forcesReplacement: colorize(' [red]# forces replacement[reset]', color),
  };
}

const PLAIN = makePalette(false);
const COLORED = makePalette(true);

/** The palette with or without color. */
export function paletteOf(color: boolean): Palette {
  return color ? COLORED : PLAIN;
}
