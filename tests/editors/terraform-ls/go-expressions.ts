import { join } from 'node:path/posix';
import { pathToFileURL } from 'node:url';
import type { Token } from './go-tokens.ts';

/** A value of an expression: a text, a directory, a literal with fields, or undefined for what is not understood. */
export type GoValue =
  | string
  | number
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, GoValue> }
  | undefined;

/** The environment of a test function's expressions. */
export interface GoScope {
  readonly variables: Map<string, GoValue>;
  /** directory of the test */
  readonly directory: string;
  /** folder of the package */
  readonly packageFolder: string;
  readonly name: string;
  /** called for directories that the test creates */
  readonly onDirectory: (path: string) => void;
}

/** Reads expressions from tokens. Only what tests of terraform-ls use is evaluated; everything else is undefined. */
export class GoReader {
  readonly #tokens: readonly Token[];
  readonly #scope: GoScope;
  position: number;

  constructor(tokens: readonly Token[], position: number, scope: GoScope) {
    this.#tokens = tokens;
    this.position = position;
    this.#scope = scope;
  }

  peek(offset = 0): string {
    return this.#tokens[this.position + offset]?.text ?? '';
  }

  #next(): Token {
    const token = this.#tokens[this.position++];
    if (token === undefined) throw new Error('the Go source ends in an expression');
    return token;
  }

  /** Skips a balanced group that begins at the current token. */
  skipGroup(): void {
    let depth = 0;
    do {
      const { text, kind } = this.#next();
      if (kind !== 'sign') continue;
      if ('([{'.includes(text)) depth++;
      else if (')]}'.includes(text)) depth--;
    } while (depth > 0);
  }

  /** Reads an expression; stops before a comma, a closing bracket or the next statement. */
  expression(): GoValue {
    let value = this.#operand();
    while (this.peek() === '+') {
      this.position++;
      const right = this.#operand();
      value = typeof value === 'string' && typeof right === 'string' ? value + right : undefined;
    }
    return value;
  }

  /** Reads arguments in parentheses. */
  arguments(): GoValue[] {
    const values: GoValue[] = [];
    this.position++;
    while (this.peek() !== ')') {
      values.push(this.expression());
      while (this.peek() !== ',' && this.peek() !== ')') {
        if ('([{'.includes(this.peek()) && this.peek() !== '') this.skipGroup();
        else this.position++;
      }
      if (this.peek() === ',') this.position++;
    }
    this.position++;
    return values;
  }

  #operand(): GoValue {
    if (this.peek() === '&' || this.peek() === '*' || this.peek() === '!') this.position++;
    const token = this.#next();
    if (token.kind === 'string') return token.value;
    if (token.kind === 'number') return Number(token.text);
    if (token.text === '(') {
      const value = this.expression();
      this.position++;
      return value;
    }
    if (token.text === '[') {
      // A slice or array type: a conversion such as []byte(x), or a literal.
      while (this.peek() !== '(' && this.peek() !== '{') this.position++;
      if (this.peek() === '(') return this.arguments()[0];
      this.skipGroup();
      return undefined;
    }
    if (token.kind !== 'name' || token.text === 'func' || token.text === 'map') {
      while (this.peek() !== '{' && this.peek() !== '') this.position++;
      this.skipGroup();
      if (this.peek() === '(') this.skipGroup();
      return undefined;
    }
    return this.#selectors(token.text);
  }

  /** Reads what follows a name: selectors, calls, and literals of structures. */
  #selectors(first: string): GoValue {
    let name = first;
    let value: GoValue = this.#scope.variables.get(first);
    for (;;) {
      if (this.peek() === '.') {
        const member = this.peek(1);
        this.position += 2;
        name += `.${member}`;
        if (this.peek() !== '(' && typeof value === 'object' && value.kind === 'directory') {
          value = member === 'URI' ? pathToFileURL(value.path).href : undefined;
        } else if (this.peek() === '(') {
          const values = this.arguments();
          value = this.#call(name, values, value);
        } else value = undefined;
      } else if (this.peek() === '(') value = this.#call(name, this.arguments(), undefined);
      else if (this.peek() === '{' && name.includes('.')) value = this.#literal();
      else if (this.peek() === '[') {
        this.skipGroup();
        value = undefined;
      } else return value;
    }
  }

  #literal(): GoValue {
    const fields = new Map<string, GoValue>();
    this.position++;
    while (this.peek() !== '}') {
      const key = this.peek();
      if (this.peek(1) === ':') {
        this.position += 2;
        fields.set(key, this.expression());
      } else this.expression();
      while (this.peek() !== ',' && this.peek() !== '}') {
        if ('([{'.includes(this.peek()) && this.peek() !== '') this.skipGroup();
        else this.position++;
      }
      if (this.peek() === ',') this.position++;
    }
    this.position++;
    return { kind: 'fields', fields };
  }

  #call(name: string, values: readonly GoValue[], receiver: GoValue): GoValue {
    if (typeof receiver === 'object' && receiver.kind === 'directory' && name.endsWith('.Path')) {
      return receiver.path;
    }
    const texts = values.filter((value) => typeof value === 'string');
    switch (name) {
      case 'fmt.Sprintf':
        return format(values);
      case 'filepath.Join':
        return texts.length === values.length ? join(...texts) : undefined;
      case 'filepath.Abs':
        return texts[0] === undefined ? undefined : join(this.#scope.packageFolder, texts[0]);
      case 'TempDir': {
        for (const nested of texts) this.#scope.onDirectory(join(this.#scope.directory, nested));
        return { kind: 'directory', path: this.#scope.directory };
      }
      case 'document.DirHandleFromPath':
        return texts[0] === undefined ? undefined : { kind: 'directory', path: texts[0] };
      case 'uri.FromPath':
        return texts[0] === undefined ? undefined : pathToFileURL(texts[0]).href;
      case 'string':
        return texts[0];
      case 't.Name':
        return this.#scope.name;
      default:
        return undefined;
    }
  }
}

/** fmt.Sprintf of %s, %q, %d and %v; undefined if a value is not understood. */
function format([text, ...values]: readonly GoValue[]): GoValue {
  if (typeof text !== 'string') return undefined;
  let index = 0;
  let isKnown = true;
  const result = text.replace(/%([sqdv%])/g, (_, verb: string) => {
    if (verb === '%') return '%';
    const value = values[index++];
    if (typeof value !== 'string' && typeof value !== 'number') isKnown = false;
    return verb === 'q' ? JSON.stringify(String(value)) : String(value);
  });
  return isKnown ? result : undefined;
}
