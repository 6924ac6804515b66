import {
  HighlightStyle,
  StreamLanguage,
  type StreamParser,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

/** The position in a text: inside templates, heredocs and comments. */
interface State {
  /** "quote" for a string, "brace" for an interpolation, or the end marker of a heredoc after "<<" */
  readonly stack: string[];
  inComment: boolean;
}

const KEYWORDS = new Set(['for', 'in', 'if', 'else', 'endif', 'endfor']);
const ATOMS = new Set(['true', 'false', 'null']);

const PARSER: StreamParser<State> = {
  name: 'hcl',
  startState: () => ({ stack: [], inComment: false }),
  copyState: ({ stack, inComment }) => ({ stack: [...stack], inComment }),
  languageData: { commentTokens: { line: '#', block: { open: '/*', close: '*/' } } },
  token(stream, state) {
    if (state.inComment) {
      if (stream.skipTo('*/')) {
        stream.match('*/');
        state.inComment = false;
      } else stream.skipToEnd();
      return 'comment';
    }
    const top = state.stack.at(-1) ?? '';
    if (top.startsWith('<<')) {
      if (stream.sol() && stream.string.trim() === top.slice(2)) {
        stream.skipToEnd();
        state.stack.pop();
        return 'string';
      }
      return templateToken(stream, state, false);
    }
    if (top === 'quote') return templateToken(stream, state, true);
    if (stream.eatSpace()) return null;
    if (stream.match('#') || stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) {
      state.inComment = true;
      return 'comment';
    }
    if (stream.eat('"')) {
      state.stack.push('quote');
      return 'string';
    }
    const heredoc = stream.match(/^<<-?([\w-]+)\s*$/);
    if (heredoc !== null && heredoc !== true && heredoc !== false) {
      state.stack.push(`<<${heredoc[1] ?? ''}`);
      return 'string';
    }
    if (stream.match(/^\d[\d.]*(?:[eE][+-]?\d+)?/)) return 'number';
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_-]*/u)) {
      const word = stream.current();
      if (ATOMS.has(word)) return 'atom';
      if (stream.match(/^\s*\(/, false)) return 'function';
      if (stream.match(/^\s*=(?!=|>)/, false)) return 'property';
      if (stream.column() === stream.indentation() && stream.match(/^\s*(?:"[^"]*"\s*)*\{/, false))
        return 'keyword';
      return KEYWORDS.has(word) ? 'keyword' : 'variable';
    }
    const next = stream.next();
    if (next === '{' && state.stack.length > 0) state.stack.push('brace');
    if (next === '}' && top === 'brace') {
      state.stack.pop();
      return 'brace';
    }
    return next === '{' || next === '}' ? 'brace' : 'operator';
  },
  tokenTable: {
    function: tags.function(tags.variableName),
    property: tags.propertyName,
    brace: tags.brace,
    variable: tags.variableName,
  },
};

/** Reads a part of a template: text up to an interpolation, or the beginning or end of it. */
function templateToken(
  stream: Parameters<StreamParser<State>['token']>[0],
  state: State,
  isQuoted: boolean,
): string {
  if (stream.match(/^[$%]\{/)) {
    state.stack.push('brace');
    return 'brace';
  }
  while (!stream.eol()) {
    if (stream.match(/^[$%]\{/, false)) break;
    if (stream.match(/^(?:\\.|\$\$\{|%%\{)/)) continue;
    if (stream.next() === '"' && isQuoted) {
      state.stack.pop();
      break;
    }
  }
  return 'string';
}

const STYLE = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.string, color: 'var(--create)' },
  { tag: tags.keyword, color: 'var(--replace)' },
  { tag: [tags.number, tags.atom, tags.bool], color: 'var(--read)' },
  { tag: tags.function(tags.variableName), color: 'var(--update)' },
  { tag: tags.propertyName, color: 'var(--fg)' },
]);

/** Highlighting of the Terraform language. */
export const HCL: Extension = [StreamLanguage.define(PARSER), syntaxHighlighting(STYLE)];
