import { isDeepStrictEqual } from 'node:util';

/** The result of comparing a response with the expected one. */
export type Outcome = 'identical' | 'equivalent' | 'different';

interface Range {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers of a server, compared by their fields
type Json = any;

/** Compares an answer with the one that terraform-ls gives. */
export function compareAnswers(method: string, actual: unknown, expected: unknown): Outcome {
  if (isDeepStrictEqual(actual ?? null, expected ?? null)) return 'identical';
  const isEquivalent = EQUIVALENT[method]?.(actual, expected) ?? false;
  return isEquivalent ? 'equivalent' : 'different';
}

const list = (value: Json): Json[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];

/** The encoding of a URI is free: an @ may be encoded or not. */
const place = (location: Json): string => {
  const uri = decodeURIComponent(location.targetUri ?? location.uri);
  return `${uri}:${(location.targetRange ?? location.range).start.line}`;
};

/** Same targets: one may name the block, the other its header, so lines are compared. */
function sameTargets(actual: Json, expected: Json): boolean {
  const places = (value: Json): string[] => [...new Set(list(value).map(place))].sort();
  return isDeepStrictEqual(places(actual), places(expected));
}

const labels = (answer: Json): string[] =>
  list(answer?.items ?? answer).map(({ label }: { readonly label: string }) => label);

/**
 * Everything that terraform-ls offers is offered. It replaces whole references, such as "module.a.b"; Terrane offers
 * the last step of one.
 */
function offersAll(actual: Json, expected: Json): boolean {
  const offered = new Set(labels(actual));
  return labels(expected).every(
    (label) => offered.has(label) || offered.has(label.slice(label.lastIndexOf('.') + 1)),
  );
}

function sameHover(actual: Json, expected: Json): boolean {
  const text = actual?.contents?.value;
  const range = (value: Json): Range | undefined => value?.range;
  if (typeof text !== 'string') return false;
  // The wording differs; the subject, and what its schema says about it, must be there.
  const [subject = ''] = /[\w-]+/.exec(String(expected?.contents?.value)) ?? [];
  return text.includes(subject) && isDeepStrictEqual(range(actual), range(expected));
}

function symbols(answer: Json): string[] {
  return list(answer).flatMap((symbol) => [
    `${symbol.name}@${(symbol.location?.range ?? symbol.range).start.line}`,
    ...symbols(symbol.children),
  ]);
}

/** Every symbol of terraform-ls is there, at the same line. Names are compared without quotes. */
function sameSymbols(actual: Json, expected: Json): boolean {
  const names = new Set(symbols(actual).map((name) => name.replaceAll('"', '')));
  return symbols(expected).every((name) => names.has(name.replaceAll('"', '')));
}

/** Decodes positions of semantic tokens; types and modifiers have other numbers in each legend. */
function tokenPlaces(answer: Json): Set<string> {
  const data: readonly number[] = answer?.data ?? [];
  const places = new Set<string>();
  let [line, character] = [0, 0];
  for (let index = 0; index + 4 < data.length; index += 5) {
    const [lines = 0, characters = 0, length = 0] = data.slice(index, index + 3);
    character = lines === 0 ? character + characters : characters;
    line += lines;
    places.add(`${line}:${character}+${length}`);
  }
  return places;
}

function coversTokens(actual: Json, expected: Json): boolean {
  const places = tokenPlaces(actual);
  return [...tokenPlaces(expected)].every((token) => places.has(token));
}

function sameSignature(actual: Json, expected: Json): boolean {
  const [own] = list(actual?.signatures);
  const [other] = list(expected?.signatures);
  const parameters = (signature: Json): string[] =>
    list(signature?.parameters).map(({ label }: Json) =>
      typeof label === 'string'
        ? label.split(' ')[0]
        : signature.label.slice(...label).split(' ')[0],
    );
  return (
    own !== undefined &&
    isDeepStrictEqual(
      parameters(own).map((name) => name.replace(/[:.…]+/g, '')),
      parameters(other).map((name) => name.replace(/[:.…]+/g, '')),
    ) &&
    // By the protocol, the first parameter is active if none is named.
    (actual.activeParameter ?? 0) === (expected.activeParameter ?? 0)
  );
}

/** Applies edits of a document's lines; both sides must lead to the same text. */
function editedLines(edits: Json): string {
  return list(edits)
    .map(({ range, newText }: Json) => `${range.start.line}:${newText}`)
    .join('\n');
}

const EQUIVALENT: Readonly<Record<string, (actual: Json, expected: Json) => boolean>> = {
  'textDocument/definition': sameTargets,
  'textDocument/declaration': sameTargets,
  'textDocument/references': sameTargets,
  'textDocument/completion': offersAll,
  'textDocument/hover': sameHover,
  'textDocument/documentSymbol': sameSymbols,
  'workspace/symbol': sameSymbols,
  'textDocument/semanticTokens/full': coversTokens,
  'textDocument/signatureHelp': sameSignature,
  'textDocument/formatting': (actual, expected) => editedLines(actual) === editedLines(expected),
  'textDocument/codeLens': (actual, expected) => list(actual).length >= list(expected).length,
  'textDocument/documentLink': (actual, expected) =>
    isDeepStrictEqual(
      list(actual).map(({ range }) => range),
      list(expected).map(({ range }) => range),
    ),
  'textDocument/codeAction': (actual, expected) =>
    list(expected).every(({ kind }) => list(actual).some((action) => action.kind === kind)),
};
