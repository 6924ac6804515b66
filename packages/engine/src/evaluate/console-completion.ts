import { compareText, type Type, type Value } from '@terrane/cty';
import { isValidIdentifier, Source } from '@terrane/hcl';
import type { Module } from '../config/model.ts';

/** Completion candidates. Each replaces `partial`, the end of the text. */
export interface Completions {
  readonly partial: string;
  readonly candidates: readonly string[];
}

/** The sources of completion candidates. */
export interface CompletionSources {
  readonly module: Module;
  /** Names of functions. */
  readonly functions: Iterable<string>;
  /** Evaluates an expression; undefined if it is invalid. */
  readonly valueOf: (source: Source) => Value | undefined;
}

/** A name that is being typed, with the value that it is an attribute of. */
const NAME =
  /((?:[\p{ID_Start}_][\p{ID_Continue}\-:]*|\])[^\s(){},?!=<>+*/%&|"$]*\.)?([\p{ID_Continue}\-:]*)$/u;
/** A key in quotes that is being typed. */
const KEY = /([\p{ID_Start}_][^\s(){},?!=<>+*/%&|"$]*)\["([^"]*)$/u;
/** An open index bracket: the text after it is a separate expression to complete. */
const INDEX_OPEN = /\[(?![^[\]]*\])/g;

/** Completes a partially typed expression with names of objects, functions and attributes, and keys of maps. */
export function completionsFor(typed: string, sources: CompletionSources): Completions {
  const key = KEY.exec(typed);
  if (key !== null) {
    const [, of = '', partial = ''] = key;
    return matching(partial, partNames(afterOpenIndex(of), sources), (name) => `${name}"]`);
  }
  const name = NAME.exec(typed);
  const partial = name?.[2] ?? '';
  const of = afterOpenIndex(name?.[1]?.slice(0, -1) ?? '');
  if (of === '') return matching(partial, rootNames(sources, partial));
  const declared = declaredNames(of.split('.'), sources.module);
  const names = declared ?? partNames(of, sources).filter(isValidIdentifier);
  return matching(partial, names);
}

function afterOpenIndex(text: string): string {
  const lastOpen = [...text.matchAll(INDEX_OPEN)].at(-1);
  return lastOpen === undefined ? text : text.slice(lastOpen.index + 1);
}

function matching(
  partial: string,
  names: Iterable<string>,
  written: (name: string) => string = (name) => name,
): Completions {
  const matches = [...new Set(names)].filter((name) => name.startsWith(partial)).sort(compareText);
  return { partial, candidates: matches.map(written) };
}

function rootNames({ module, functions }: CompletionSources, partial: string): Iterable<string> {
  const types = [...module.resources.values()]
    .filter(({ addr }) => addr.mode === 'managed')
    .map(({ addr }) => `${addr.type}.`);
  const roots = [
    ...['path.', 'terraform.', 'true', 'false', 'null'],
    ...(module.variables.size > 0 ? ['var.'] : []),
    ...(module.locals.size > 0 ? ['local.'] : []),
    ...(module.calls.size > 0 ? ['module.'] : []),
    ...[...module.resources.values()].flatMap(({ addr }) =>
      addr.mode === 'managed' ? [] : [`${addr.mode}.`],
    ),
  ];
  // There are too many functions and aliases to list all of them.
  const named = [...functions].filter(
    (name) => partial !== '' && (partial.startsWith('core') || !name.startsWith('core::')),
  );
  return [...roots, ...types, ...named.map((name) => `${name}(`)];
}

/** The names that the configuration declares below a path; undefined if they depend on the value at the path. */
function declaredNames(path: readonly string[], module: Module): Iterable<string> | undefined {
  const [first = '', second] = path;
  if (first === 'resource' && path.length > 1) return declaredNames(path.slice(1), module);
  const mode = first === 'data' || first === 'ephemeral' ? first : 'managed';
  const type = mode === 'managed' ? first : second;
  const ofMode = [...module.resources.values()]
    .map(({ addr }) => addr)
    .filter((addr) => addr.mode === mode);
  if (path.length === 1) {
    switch (first) {
      case 'var':
        return module.variables.keys();
      case 'local':
        return module.locals.keys();
      case 'module':
        return module.calls.keys();
      case 'path':
        return ['cwd', 'module', 'root'];
      case 'terraform':
      case 'tofu':
        return ['applying', 'workspace'];
      case 'resource':
        return ofMode.map((addr) => `${addr.type}.`);
    }
    if (mode !== 'managed') return ofMode.map((addr) => `${addr.type}.`);
  }
  if (path.length !== (mode === 'managed' ? 1 : 2)) return undefined;
  const names = ofMode.filter((addr) => addr.type === type).map((addr) => addr.name);
  return names.length === 0 ? undefined : names;
}

/** Returns the names of the parts of an expression's value, without keys of sensitive maps. */
function partNames(expression: string, { valueOf }: CompletionSources): readonly string[] {
  const value = valueOf(new Source('<completion>', expression));
  if (value === undefined) return [];
  const names = namesOfType(value.type);
  if (names !== undefined) return names;
  if (value.type.kind !== 'map' || value.marks.size > 0 || !value.isKnown || value.isNull)
    return [];
  return [...value.entries()].map(([key]) => key.asString());
}

function namesOfType(type: Type): readonly string[] | undefined {
  return type.kind === 'object' ? type.names : undefined;
}
