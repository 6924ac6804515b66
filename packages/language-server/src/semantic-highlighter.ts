import {
  type SemanticToken,
  semanticTokens,
  type SourceDocument,
  type Span,
  STANDARD_MODIFIERS,
  STANDARD_TYPES,
  TOKEN_MODIFIERS,
  TOKEN_TYPES,
} from '@terrane/analysis';
import type {
  ClientCapabilities,
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensLegend,
} from 'vscode-languageserver';
import type { Positions } from './positions.ts';

/** Documents whose last tokens are kept for deltas. */
const MAX_KEPT = 50;

/** Encodes semantic tokens with the names that the client knows, and differences to the last ones it received. */
export class SemanticHighlighter {
  readonly legend: SemanticTokensLegend;
  readonly #positions: Positions;
  readonly #types: readonly number[];
  readonly #modifiers: readonly (number | undefined)[];
  readonly #last = new Map<string, { readonly id: string; readonly data: readonly number[] }>();
  #nextId = 1;

  constructor(capabilities: ClientCapabilities, positions: Positions) {
    this.#positions = positions;
    const { tokenTypes = [], tokenModifiers = [] } =
      capabilities.textDocument?.semanticTokens ?? {};
    const knownTypes = new Set(tokenTypes);
    const knownModifiers = new Set(tokenModifiers);
    const types: string[] = [];
    this.#types = TOKEN_TYPES.map((type) =>
      indexIn(types, knownTypes.has(type) ? type : STANDARD_TYPES[type]),
    );
    const modifiers: string[] = [];
    this.#modifiers = TOKEN_MODIFIERS.map((modifier) => {
      const name = knownModifiers.has(modifier) ? modifier : STANDARD_MODIFIERS[modifier];
      return name === undefined ? undefined : indexIn(modifiers, name);
    });
    this.legend = { tokenTypes: types, tokenModifiers: modifiers };
  }

  full(document: SourceDocument): SemanticTokens {
    const data = this.#encoded(document, semanticTokens(document));
    return { resultId: this.#keep(document.path, data), data };
  }

  /** Returns the difference to an earlier result as one replaced range. */
  delta(document: SourceDocument, previous: string): SemanticTokens | SemanticTokensDelta {
    const last = this.#last.get(document.path);
    if (last?.id !== previous) return this.full(document);
    const data = this.#encoded(document, semanticTokens(document));
    const before = last.data;
    let start = 0;
    while (start < before.length && start < data.length && before[start] === data[start]) start++;
    let end = 0;
    const maxCommon = Math.min(before.length, data.length) - start;
    while (end < maxCommon && before[before.length - 1 - end] === data[data.length - 1 - end])
      end++;
    const resultId = this.#keep(document.path, data);
    const deleteCount = before.length - start - end;
    const inserted = data.slice(start, data.length - end);
    return {
      resultId,
      edits:
        deleteCount === 0 && inserted.length === 0 ? [] : [{ start, deleteCount, data: inserted }],
    };
  }

  range(document: SourceDocument, within: Span): SemanticTokens {
    return { data: this.#encoded(document, semanticTokens(document, within)) };
  }

  #keep(path: string, data: readonly number[]): string {
    const id = String(this.#nextId++);
    this.#last.delete(path);
    this.#last.set(path, { id, data });
    const [oldest] = this.#last.keys();
    if (this.#last.size > MAX_KEPT && oldest !== undefined) this.#last.delete(oldest);
    return id;
  }

  #encoded({ text }: SourceDocument, tokens: readonly SemanticToken[]): number[] {
    const data: number[] = [];
    let [lastLine, lastCharacter, lastEnd] = [0, 0, 0];
    for (const { start, end, type, modifiers } of tokens) {
      // Overlapping tokens and those over several lines are not part of the protocol.
      if (start < lastEnd) continue;
      const from = this.#positions.positionOf(text, start);
      const length = this.#positions.lengthOf(text.slice(start, end));
      const line = from.line - lastLine;
      data.push(
        line,
        line === 0 ? from.character - lastCharacter : from.character,
        length,
        this.#types[TOKEN_TYPES.indexOf(type)] ?? 0,
        this.#bits(modifiers),
      );
      [lastLine, lastCharacter, lastEnd] = [from.line, from.character, end];
    }
    return data;
  }

  #bits(modifiers: SemanticToken['modifiers']): number {
    let bits = 0;
    for (const modifier of modifiers) {
      const index = this.#modifiers[TOKEN_MODIFIERS.indexOf(modifier)];
      if (index !== undefined) bits |= 1 << index;
    }
    return bits;
  }
}

function indexIn(names: string[], name: string): number {
  const known = names.indexOf(name);
  return known >= 0 ? known : names.push(name) - 1;
}
