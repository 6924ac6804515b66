import { hasErrors } from '../diagnostic/diagnostic.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import type { Diagnostic } from '../model.ts';
import { Source } from '../source/source.ts';
import { parseExpression } from '../syntax/parse.ts';
import { isValidIdentifier } from '../syntax/scanner.ts';
import { plainFromValue, type PlainValue } from '../toolkit/plain-value.ts';
import type { BodyEditor, Placement } from './editors.ts';
import {
  type AttributeTexts,
  commentLines,
  commentText,
  type EditedAttribute,
  type EditedBody,
  indentationAtEnd,
} from './nodes.ts';
import { removeInside, setInside } from './nested-value.ts';
import { endsWithHeredoc, type HclInput, inParentheses, sourceOf } from './source-text.ts';

/** An attribute of an edited text. */
export class AttributeNode implements EditedAttribute {
  readonly kind = 'attribute' as const;
  body: EditedBody | undefined;
  texts: AttributeTexts;

  constructor(body: EditedBody, texts: AttributeTexts) {
    this.body = body;
    this.texts = texts;
  }

  get name(): string {
    return this.texts.name;
  }

  get source(): string {
    return this.texts.value;
  }

  get indent(): string {
    return indentationAtEnd(this.texts.lead);
  }

  get comment(): string | undefined {
    return commentText(this.texts.lead);
  }

  get value(): PlainValue | undefined {
    const { expression, diagnostics } = parseExpression(new Source('', this.texts.value));
    if (expression === undefined || hasErrors(diagnostics)) return undefined;
    const problems: Diagnostic[] = [];
    const value = evaluate(expression, undefined, problems);
    return hasErrors(problems) ? undefined : plainFromValue(value);
  }

  get equalsColumn(): number | undefined {
    const space = /^([ \t]*)=/.exec(this.texts.equals)?.[1];
    return space === undefined ? undefined : this.texts.name.length + space.length;
  }

  set(value: HclInput): void {
    this.#replaceValue(sourceOf(value, this.indent, this.#eol));
  }

  setIn(path: readonly (string | number)[], value: HclInput): void {
    if (path.length === 0) this.set(value);
    else this.#replaceValue(setInside(this.texts.value, path, value, this.indent, this.#eol));
  }

  removeIn(path: readonly (string | number)[]): boolean {
    const value = removeInside(this.texts.value, path);
    if (value === undefined) return false;
    this.#replaceValue(value);
    return true;
  }

  rename(name: string): void {
    if (name === this.texts.name) return;
    if (!isValidIdentifier(name))
      throw new Error(`${JSON.stringify(name)} is not a valid attribute name`);
    if (this.body?.attribute(name) !== undefined) throw new Error(`${name} is set already`);
    this.texts = { ...this.texts, name };
  }

  setComment(text: string | undefined): void {
    const { indent } = this;
    if (text !== undefined) this.body?.ownLine(this);
    const comment = text === undefined ? '' : commentLines(text, this.indent, this.#eol);
    this.texts = { ...this.texts, lead: comment + (text === undefined ? indent : this.indent) };
  }

  remove(): void {
    this.body?.removeItem(this);
  }

  moveTo(body: BodyEditor, placement?: Placement): void {
    body.take(this, placement);
  }

  toString(): string {
    const { lead, name, equals, value, tail } = this.texts;
    return lead + name + equals + value + tail;
  }

  patch(texts: Partial<AttributeTexts>): void {
    this.texts = { ...this.texts, ...texts };
  }

  get #eol(): string {
    return this.body?.eol ?? '\n';
  }

  #replaceValue(source: string): void {
    const follows = !/^\r?\n/.test(this.texts.tail) && this.texts.tail !== '';
    const value = follows && endsWithHeredoc(source) ? inParentheses(source) : source;
    this.texts = { ...this.texts, value };
  }
}
