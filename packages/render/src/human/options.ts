import type { PartAction } from '../diff/diff.ts';
import type { Palette } from './palette.ts';

/** Options that a part of a diff inherits from its parent. */
export interface DrawOptions {
  readonly palette: Palette;
  /** omit "-> null" for removed parts */
  readonly withoutNull: boolean;
  /** adds "forces replacement" even if the part itself does not */
  readonly forceReplacement: boolean;
  /** never adds "forces replacement" */
  readonly forbidReplacement: boolean;
  readonly showUnchanged: boolean;
  /** a state is shown, no change: no symbols and no room for them */
  readonly hideSymbols: boolean;
}

/** The options of the outermost part. */
export function topOptions(
  palette: Palette,
  more: { readonly showUnchanged?: boolean; readonly hideSymbols?: boolean } = {},
): DrawOptions {
  return {
    palette,
    withoutNull: false,
    forceReplacement: false,
    forbidReplacement: false,
    showUnchanged: more.showUnchanged ?? false,
    hideSymbols: more.hideSymbols ?? false,
  };
}

/** Returns the options for nested parts; replacement is determined separately at every level. */
export function innerOptions(
  options: DrawOptions,
  more: {
    readonly withoutNull?: boolean;
    readonly showUnchanged?: boolean;
    readonly forceReplacement?: boolean;
    readonly forbidReplacement?: boolean;
  } = {},
): DrawOptions {
  return {
    palette: options.palette,
    withoutNull: more.withoutNull ?? options.withoutNull,
    forceReplacement: more.forceReplacement ?? false,
    forbidReplacement: more.forbidReplacement ?? false,
    showUnchanged: more.showUnchanged ?? options.showUnchanged,
    hideSymbols: options.hideSymbols,
  };
}

const INDENTS: string[] = [];

/** Four spaces for every level. */
export function indentation(level: number): string {
  return (INDENTS[level] ??= '    '.repeat(level));
}

/** The symbol in front of a part, with the space after it. */
export function symbol(action: PartAction, options: DrawOptions): string {
  return options.hideSymbols ? '' : `${options.palette.symbols[action]} `;
}

/** Returns " -> null" for a removed part. */
export function nullSuffix(action: PartAction, options: DrawOptions): string {
  return !options.withoutNull && action === 'delete' ? options.palette.toNull : '';
}

/** Returns " # forces replacement" for a part that forces the replacement of the object. */
export function replacementSuffix(replace: boolean, options: DrawOptions): string {
  const isReplacing = (replace || options.forceReplacement) && !options.forbidReplacement;
  return isReplacing ? options.palette.forcesReplacement : '';
}
