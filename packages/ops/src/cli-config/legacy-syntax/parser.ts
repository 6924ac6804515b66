import {
  errorAt,
  type Item,
  type Key,
  LegacySyntaxError,
  type ListNode,
  type LiteralNode,
  type Node,
  type ObjectNode,
} from './node.ts';
import { literalValue, Scanner, type Token, type TokenType } from './scanner.ts';

/** Thrown at the end of the text; ends lists of items. */
class EndOfText extends Error {}

/** Reads text in the native syntax of HCL 1. Throws a LegacySyntaxError. */
export function parseNative(text: string): readonly Item[] {
  const scanner = new Scanner(text.replaceAll('\r\n', '\n'));
  try {
    const items = new Parser(scanner).items(false);
    if (scanner.error === undefined) return items;
  } catch (error) {
    if (error instanceof TooDeep) throw error.fault;
    if (scanner.error === undefined) throw error;
  }
  throw scanner.error;
}

const LITERALS: Readonly<Partial<Record<TokenType, LiteralNode['type']>>> = {
  NUMBER: 'number',
  FLOAT: 'float',
  BOOL: 'bool',
  STRING: 'string',
  HEREDOC: 'heredoc',
};

/** The most objects and lists inside one another. */
const MAX_DEPTH = 500;

/** Thrown through all levels without adding their context to the message. */
class TooDeep extends Error {
  readonly fault: LegacySyntaxError;

  constructor(fault: LegacySyntaxError) {
    super(fault.message);
    this.fault = fault;
  }
}

class Parser {
  readonly #scanner: Scanner;
  #token: Token = { type: 'EOF', place: { line: 1, column: 1 }, text: '' };
  #type: TokenType = 'EOF';
  #unread = false;
  #depth = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  #scan(): Token {
    if (this.#unread) this.#unread = false;
    else {
      this.#token = this.#scanner.scan();
      this.#type = this.#token.type;
    }
    return this.#token;
  }

  #peek(): TokenType {
    const { type } = this.#scan();
    this.#unread = true;
    return type;
  }

  /** item* with optional commas, up to `}` (which is not consumed) or the end */
  items(within: boolean): Item[] {
    const items: Item[] = [];
    for (;;) {
      if (within && this.#peek() === 'RBRACE') return items;
      try {
        items.push(this.#item());
      } catch (error) {
        if (error instanceof EndOfText) return items;
        throw error;
      }
      if (this.#scan().type !== 'COMMA') this.#unread = true;
    }
  }

  /** keys "=" value | keys object */
  #item(): Item {
    const keys = this.#keys();
    switch (this.#type) {
      case 'ASSIGN':
        return { keys, assigned: true, value: this.#value() };
      case 'LBRACE':
        return { keys, assigned: false, value: this.#object() };
      default:
        throw errorAt(
          this.#token.place,
          `key '${keys.map(({ text }) => text).join(' ')}' expected start of object ('{') or assignment ('=')`,
        );
    }
  }

  /** (IDENT | STRING)+ and the following token */
  #keys(): readonly Key[] {
    const keys: Key[] = [];
    const written: Key[] = [];
    for (;;) {
      const token = this.#scan();
      const { place, type } = token;
      switch (type) {
        case 'EOF':
          if (keys.length === 0) throw new EndOfText();
          return written;
        case 'ASSIGN':
          if (keys.length > 1) {
            throw errorAt(place, 'nested object expected: LBRACE got: ASSIGN');
          }
          if (keys.length === 0) throw errorAt(place, 'no object keys found!');
          return keys;
        case 'LBRACE':
          if (keys.length === 0) {
            throw errorAt(place, 'expected: IDENT | STRING got: LBRACE');
          }
          return keys;
        case 'IDENT':
        case 'STRING':
          keys.push({ text: this.#textOf(token), place });
          written.push({ text: token.text, place });
          break;
        case 'RBRACE':
          if (keys.length > 0) {
            // A key without a value at the end of an object.
            this.#type = 'EOF';
            return written;
          }
          throw this.#unexpectedKey(token);
        case 'ILLEGAL':
          throw errorAt(place, 'illegal character');
        default:
          throw this.#unexpectedKey(token);
      }
    }
  }

  #unexpectedKey({ type, place }: Token): LegacySyntaxError {
    return errorAt(place, `expected: IDENT | STRING | ASSIGN | LBRACE got: ${type}`);
  }

  #value(): Node {
    const token = this.#scan();
    const literal = this.#literal(token);
    if (literal !== undefined) return literal;
    switch (token.type) {
      case 'LBRACE':
        return this.#object();
      case 'LBRACK':
        return this.#list();
      case 'EOF':
        throw new EndOfText();
      default: {
        const { line, column } = token.place;
        throw errorAt(token.place, `Unknown token: ${line}:${column} ${token.type} ${token.text}`);
      }
    }
  }

  #literal(token: Token): LiteralNode | undefined {
    const type = LITERALS[token.type];
    if (type === undefined) return undefined;
    return { kind: 'literal', type, value: this.#textOf(token), place: token.place };
  }

  #textOf(token: Token): string {
    const value = literalValue(token);
    // Errors of the scanner keep their message.
    if (value !== undefined || this.#scanner.error !== undefined) return value ?? '';
    throw errorAt(token.place, `invalid string ${token.text}`);
  }

  /** Counts an object or list that is entered; ones that are nested too deeply would exhaust the stack. */
  #enter(): void {
    if (++this.#depth > MAX_DEPTH) {
      throw new TooDeep(errorAt(this.#token.place, `more than ${MAX_DEPTH} levels of nesting`));
    }
  }

  /** "{" item* "}", the brace having been read */
  #object(): ObjectNode {
    this.#enter();
    const { place } = this.#token;
    const items = this.items(true);
    const token = this.#scan();
    if (token.type !== 'RBRACE') {
      throw errorAt(token.place, `object expected closing RBRACE got: ${token.type}`);
    }
    this.#depth--;
    return { kind: 'object', items, place };
  }

  /** "[" (value ("," value)*)? "]", the bracket having been read */
  #list(): ListNode {
    this.#enter();
    const { place } = this.#token;
    const elements: Node[] = [];
    let needsComma = false;
    for (;;) {
      const token = this.#scan();
      if (needsComma && token.type !== 'COMMA' && token.type !== 'RBRACK') {
        throw errorAt(
          token.place,
          `error parsing list, expected comma or list end, got: ${token.type}`,
        );
      }
      const literal = this.#literal(token);
      if (literal !== undefined) {
        elements.push(literal);
        needsComma = true;
        continue;
      }
      switch (token.type) {
        case 'COMMA':
          needsComma = false;
          break;
        case 'LBRACE':
          elements.push(this.#nested(token, 'object', () => this.#object()));
          needsComma = true;
          break;
        case 'LBRACK':
          elements.push(this.#nested(token, 'list', () => this.#list()));
          break;
        case 'RBRACK':
          this.#depth--;
          return { kind: 'list', elements, place };
        default:
          throw errorAt(token.place, `unexpected token while parsing list: ${token.type}`);
      }
    }
  }

  #nested(token: Token, subject: 'object' | 'list', parse: () => Node): Node {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof LegacySyntaxError)) throw error;
      throw errorAt(
        token.place,
        `error while trying to parse ${subject} within list: ${error.message}`,
      );
    }
  }
}
