// Undoes exactly what an explanation names, and nothing else.
import { convert, STRING, type Value } from '@terrane/cty';
import type { Cause, CauseKind, Explanation } from '@terrane/engine';
import type { Range } from '@terrane/hcl';
import { withoutJsonBlock } from './go-with.ts';
import { type Hunk, hunksOf, revert } from './hunks.ts';
import type { Moment } from './project.ts';

/** The edits that remove the causes of a change. */
export interface Undoing {
  readonly files: Readonly<Record<string, string>>;
  readonly choices: NonNullable<Moment['choices']>;
  /** what exists, and files that are read, are put back to what they were */
  readonly world: boolean;
  /** objects that are not tainted any more */
  readonly tainted: readonly string[];
  /** files of variables whose option is left out */
  readonly ungiven: readonly string[];
  /** options that are left out: `-replace=…`, `-destroy`, `-invoke=…` */
  readonly options: readonly string[];
  /** what the configuration was earlier, where that is known */
  readonly earlier: Moment['files'];
}

/** Kinds of which it cannot be undone mechanically what they name, and why. */
export const CANNOT: Readonly<Partial<Record<CauseKind, string>>> = {
  computed: 'only says that the provider decides',
  provider: 'the provider decides it, for reasons of its own',
  function: 'gives something new each time',
  environment: 'where a run takes place is not in the configuration',
  deposed: 'an earlier run left it',
  check: 'is read in every run',
  'schema-upgrade': 'the older provider is gone',
  'read-now': 'nothing is planned',
  equal: 'nothing is planned',
  ignored: 'nothing is planned',
  normalised: 'nothing is planned',
  'refresh-only': 'nothing is planned',
  'not-targeted': 'nothing is planned',
};

/** Kinds that tell in which way something is done, beside why. */
const MANNER: ReadonlySet<CauseKind> = new Set(['moved', 'import', 'forget']);

/** The causes at the ends of the chains of an explanation. */
export function leavesOf(causes: readonly Cause[]): readonly Cause[] {
  return causes.flatMap((cause) =>
    cause.causes.length > 0
      ? leavesOf(cause.causes)
      : cause.isExplainedElsewhere === true
        ? []
        : [cause],
  );
}

/** The causes at the ends that tell why something is done. */
export function reasonsOf(explanation: Explanation): readonly Cause[] {
  const leaves = leavesOf(explanation.causes);
  const reasons = leaves.filter(({ kind }) => !MANNER.has(kind));
  return reasons.length === 0 ? leaves : reasons;
}

/**
 * Returns the edits that undo the causes of an explanation without an earlier configuration: a text or variable is set
 * to the value that the explanation derives from the state, and new blocks are removed.
 */
export function undoByValues(explanation: Explanation, after: Moment): Undoing | string {
  const texts: { readonly range: Range; readonly text: string }[] = [];
  const variables = { ...after.choices?.variables };
  const [others, possible]: [Cause[], Cause[]] = [[], []];
  const withoutKeys = keysLeftOut(explanation.causes);
  for (const leaf of reasonsOf(explanation)) {
    const { kind, before, range, address = '', attribute, name } = leaf;
    const text = before === undefined ? withoutKeys.get(leaf) : literal(before);
    if (
      text !== undefined &&
      kind === 'variable' &&
      attribute === undefined &&
      isRootVariable(address)
    )
      variables[address.slice('var.'.length)] = isPlainText(text) ? text.slice(1, -1) : text;
    else if (text !== undefined && kind === 'source' && range !== undefined && name === undefined)
      texts.push({ range, text });
    else (leaf.possible === true ? possible : others).push(leaf);
  }
  const isNothing =
    texts.length === 0 &&
    Object.keys(variables).every((name) => after.choices?.variables?.[name] === variables[name]);
  if (isNothing && others.length === 0) others.push(...possible);
  const undone = { ...after, choices: { ...after.choices, variables }, files: { ...after.files } };
  for (const { range, text } of texts.sort((a, b) => b.range.from.byte - a.range.from.byte)) {
    const bytes = Buffer.from(undone.files[range.filename] ?? '');
    // The lines below keep their numbers.
    const lines = '\n'.repeat(range.to.line - range.from.line);
    const parts = [bytes.subarray(0, range.from.byte), text + lines, bytes.subarray(range.to.byte)];
    undone.files[range.filename] = Buffer.concat(parts.map((part) => Buffer.from(part))).toString();
  }
  if (others.length > 0) return undo({ ...explanation, causes: others }, { files: {} }, undone);
  const { files, choices } = undone;
  return { files, choices, world: false, tainted: [], ungiven: [], options: [], earlier: {} };
}

/** Returns for each cause a text for a repetition's keys that yields all keys except for the named one. */
function keysLeftOut(causes: readonly Cause[]): ReadonlyMap<Cause, string> {
  const texts = new Map<Cause, string>();
  for (const cause of causes) {
    const { kind, key, present } = cause;
    for (const [leaf, text] of keysLeftOut(cause.causes)) texts.set(leaf, text);
    if (kind !== 'repetition' || typeof key !== 'string' || present !== true) continue;
    for (const leaf of leavesOf(cause.causes)) {
      const text = leaf.after === undefined ? undefined : literal(leaf.after, key);
      if (text === undefined || leaf.attribute !== undefined) continue;
      const isSet = leaf.kind === 'source' && leaf.after?.type.kind === 'set';
      texts.set(leaf, isSet ? `toset(${text})` : text);
    }
  }
  return texts;
}

function isRootVariable(address: string): boolean {
  return /^var\.[\w-]+$/.test(address);
}

function isPlainText(text: string): boolean {
  return /^"[^"\\$%]*"$/.test(text);
}

/** A value as an expression, without one of its keys or elements; undefined where it is not known. */
function literal(marked: Value, without?: string): string | undefined {
  const value = marked.unmarkDeep().value;
  if (!value.isWhollyKnown()) return undefined;
  if (value.isNull) return 'null';
  switch (value.type.kind) {
    case 'string':
      return JSON.stringify(value.asString()).replaceAll(/[$%](?=\{)/g, (sign) => sign + sign);
    case 'bool':
      return String(value.asBool());
    case 'number':
      return convert(value, STRING).asString();
    case 'list':
    case 'tuple':
    case 'set': {
      const elements = value.elements().map((element) => literal(element));
      const kept = elements.filter((element) => element !== JSON.stringify(without));
      return `[${kept.join(', ')}]`;
    }
    case 'map':
      return `{${value
        .entries()
        .filter(([key]) => key.asString() !== without)
        .map(([key, member]) => `${literal(key)} = ${literal(member)}`)
        .join(', ')}}`;
    case 'object': {
      const names = value.type.names.filter((name) => name !== without);
      return `{${names.map((name) => `${JSON.stringify(name)} = ${literal(value.attr(name))}`).join(', ')}}`;
    }
    default:
      return undefined;
  }
}

/** Returns the edits that undo the causes of an explanation, or a text for a cause that did not change. */
export function undo(explanation: Explanation, before: Moment, after: Moment): Undoing | string {
  const chosen = new Map<string, Set<Hunk>>();
  const all = new Map<string, readonly Hunk[]>();
  for (const name of new Set([...Object.keys(before.files), ...Object.keys(after.files)]))
    all.set(name, hunksOf(before.files[name] ?? '', after.files[name] ?? ''));
  const put = (name: string, hunks: readonly Hunk[]): boolean => {
    const set = chosen.get(name) ?? new Set();
    for (const hunk of hunks) set.add(hunk);
    chosen.set(name, set);
    return hunks.length > 0;
  };
  let choices = { ...after.choices };
  let world = false;
  const taken = new Map<string, string>();
  const [tainted, ungiven, options]: [string[], string[], string[]] = [[], [], []];
  let undone = false;
  const cannot: string[] = [];
  for (const leaf of reasonsOf(explanation)) {
    const problem = undoOne(leaf);
    if (problem === undefined) undone = true;
    // At least one of the candidates is the cause.
    else if (leaf.possible !== true) return problem;
    else cannot.push(problem);
  }
  if (!undone) return cannot.join(', ');
  const files: Record<string, string> = { ...after.files, ...Object.fromEntries(taken) };
  for (const [name, hunks] of chosen)
    if (hunks.size > 0) files[name] = revert(after.files[name] ?? '', [...hunks]);
  return { files, choices, world, tainted, ungiven, options, earlier: before.files };

  function undoOne(leaf: Cause): string | undefined {
    const { kind, range, address = '', origin } = leaf;
    switch (kind) {
      case 'drift':
      case 'file':
      case 'data':
        world = true;
        return undefined;
      case 'tainted':
        tainted.push(address);
        return undefined;
      case 'replace-option':
        choices = { ...choices, replace: [] };
        options.push(`-replace=${address}`);
        return undefined;
      case 'destroy-mode':
        choices = { ...choices, mode: 'normal' };
        options.push('-destroy');
        return undefined;
      case 'invoke-option':
        options.push(`-invoke=${address}`);
        return undefined;
      case 'no-block':
      case 'no-module': {
        const header = headerOf(address);
        const isUndone = [...all].some(([name, hunks]) =>
          put(
            name,
            hunks.filter(({ lines }) => lines.some((line) => header.test(line))),
          ),
        );
        if (isUndone || undoMove()) return undefined;
        return `no block of ${address} went`;
      }
      default:
        break;
    }
    if (kind === 'variable' && origin?.name !== undefined && origin.line !== undefined)
      return undoFile(leaf, origin.name, origin.line, origin.source === 'default');
    if (kind === 'variable' && origin !== undefined) {
      const name = address.replace(/^var\./, '');
      const variables = { ...choices.variables };
      const was = before.choices?.variables?.[name];
      if (after.choices?.variables?.[name] === was) return `${address} was not given another value`;
      delete variables[name];
      choices = {
        ...choices,
        variables: was === undefined ? variables : { ...variables, [name]: was },
      };
      return undefined;
    }
    if (takeFromJson(leaf)) return undefined;
    if (CANNOT[kind] !== undefined) return `${kind} is no cause of an action`;
    if (range === undefined) return `${kind} of ${address} has no place`;
    const hunks = all.get(range.filename) ?? [];
    const [from, to] = [range.from.line - 1, range.to.line];
    const lines = (after.files[range.filename] ?? '').split('\n');
    const end = BLOCKS.has(kind) ? endOfBlock(lines, from) : to;
    if (!put(range.filename, touching(hunks, from, end)))
      return `${kind} at ${String(range)}: nothing changed there`;
    return undefined;
  }

  /** Takes a new block out of a new file in JSON, in which it may share its lines with others. */
  function takeFromJson({ kind, range, address = '' }: Cause): boolean {
    if (kind !== 'new-block' && kind !== 'new-output') return false;
    const name = range?.filename ?? '';
    if (!name.endsWith('.json') || (before.files[name] ?? '') !== '') return false;
    const parts = address.replaceAll(/\[[^\]]*\]/g, '').split('.');
    const mode = parts.at(-3) === 'data' ? 'data' : 'resource';
    const path = parts.at(-2) === 'output' ? parts.slice(-2) : [mode, ...parts.slice(-2)];
    const text = withoutJsonBlock(taken.get(name) ?? after.files[name] ?? '', path);
    if (text !== undefined) taken.set(name, text);
    return text !== undefined;
  }

  /** Undoes the move of an object to an undeclared address, which is the cause of its presence. */
  function undoMove(): boolean {
    const moves = leavesOf(explanation.causes).flatMap(({ kind, range }) =>
      kind === 'moved' && range !== undefined ? [range] : [],
    );
    return moves.some((range) => {
      const lines = (after.files[range.filename] ?? '').split('\n');
      const from = range.from.line - 1;
      const hunks = all.get(range.filename) ?? [];
      return put(range.filename, touching(hunks, from, endOfBlock(lines, from)));
    });
  }

  /** Undoes a change in the declaration of a variable's value: a block, or a variable file. */
  function undoFile(
    { range, address = '' }: Cause,
    name: string,
    line: number,
    isDefault: boolean,
  ): string | undefined {
    const file = (isDefault ? range?.filename : undefined) ?? name.replace(/^\.\//, '');
    if (
      after.variableFiles?.includes(file) === true &&
      before.variableFiles?.includes(file) !== true
    ) {
      ungiven.push(file);
      return undefined;
    }
    const hunks = all.get(file) ?? [];
    const lines = (after.files[file] ?? '').split('\n');
    const end = isDefault ? endOfBlock(lines, line - 1) : line;
    if (put(file, touching(hunks, line - 1, end))) return undefined;
    return `${address} at ${name}:${line}: nothing changed there`;
  }
}

/** The hunks between two lines. */
function touching(hunks: readonly Hunk[], from: number, end: number): readonly Hunk[] {
  return hunks.filter((hunk) => hunk.start < end && Math.max(hunk.end, hunk.start + 1) > from);
}

const BLOCKS: ReadonlySet<CauseKind> = new Set([
  'argument-removed',
  'block',
  'variable',
  'repetition-form',
  'new-block',
  'new-output',
  'sensitivity',
]);

function headerOf(address: string): RegExp {
  const parts = address.replaceAll(/\[[^\]]*\]/g, '').split('.');
  if (parts[0] === 'output') return new RegExp(`^output "${parts[1]}"`);
  const [type, name] = parts.slice(-2);
  return parts.at(-2) === 'module'
    ? new RegExp(`^module "${name}"`)
    : new RegExp(`^(resource|data) "${type}" "${name}"`);
}

/** The line after the block that begins at a line. */
function endOfBlock(lines: readonly string[], from: number): number {
  if (/\}\s*$/.test(lines[from] ?? '') && !/^\S.*\{\s*$/.test(lines[from] ?? '')) return from + 1;
  const end = lines.findIndex((line, at) => at > from && line === '}');
  return end < 0 ? lines.length : end + 1;
}
