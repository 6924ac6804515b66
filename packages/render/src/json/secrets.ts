import { formatNumber, transform, type Value } from '@terrane/cty';

/** The text that replaces a sensitive value of any type. */
export const REDACTED = '(sensitive value)';

/** The length from which a sensitive text or number is also found inside other texts. */
const MIN_INNER = 6;
/**
 * The length from which a text that equals a sensitive one counts as its copy. Texts of one or two characters cannot be
 * kept secret, and would hide keys, counts and flags.
 */
const MIN_EQUAL = 3;
/** The number of texts that are searched for within others; further ones are only compared with whole texts. */
const MAX_SEARCHED = 500;
/** Texts that are equal without being copies. */
const COMMON_TEXTS: ReadonlySet<string> = new Set(['true', 'false', 'null', REDACTED]);

/** Members of plan and state documents that have one of a few fixed texts. */
const FIXED_MEMBERS: ReadonlySet<string> = new Set([
  'action',
  'action_reason',
  'actions',
  'format_version',
  'kind',
  'mode',
  'status',
  'terraform_version',
]);
/** Members of plan and state documents that contain a value of the configuration, of an object or of an output. */
const VALUE_MEMBERS: ReadonlySet<string> = new Set([
  'after',
  'before',
  'config_values',
  'default',
  'identity',
  'value',
]);

type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * The texts and numbers in sensitive values. Providers copy sensitive values into attributes that nobody declared
 * sensitive, so values that repeat them are as sensitive as the original. A copy is a text or number that contains a
 * sensitive one of six or more characters, or a text that equals a sensitive one of three or more.
 */
export class Secrets {
  readonly #texts: Set<string> = new Set();
  readonly #numbers: Set<string> = new Set();
  #searched: readonly string[] | undefined;

  /** True if there is no sensitive text or number to find. */
  get isEmpty(): boolean {
    return this.#texts.size === 0 && this.#numbers.size === 0;
  }

  /** Remembers the texts and numbers in a sensitive value, given as JSON. */
  add(value: unknown): void {
    if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'number') this.#addNumber(String(value));
    else if (typeof value === 'object' && value !== null) {
      const digits = exactDigits(value);
      if (digits !== undefined) this.#addNumber(digits);
      else for (const part of Object.values(value)) this.add(part);
    }
  }

  /** Returns a document without copies; members of plan and state documents that are no values keep short texts. */
  removedFrom(document: unknown): unknown {
    return this.isEmpty ? document : this.#removed(document, false);
  }

  /** Returns true if a text contains a sensitive text or number of six or more characters. */
  includedIn(text: string): boolean {
    if (text.length < MIN_INNER) return false;
    if (this.#texts.has(text) || this.#numbers.has(text)) return true;
    this.#searched ??= [...this.#texts, ...this.#numbers]
      .filter(({ length }) => length >= MIN_INNER)
      .slice(0, MAX_SEARCHED);
    return this.#searched.some((secret) => text.includes(secret));
  }

  /** Returns true if the text of a value is a copy: it contains a sensitive one, or equals a short one. */
  isCopy(text: string): boolean {
    return this.#texts.has(text) || this.includedIn(text);
  }

  /** Returns true if a value, as JSON, has a copy in any part, or a name that contains a long sensitive text. */
  repeatedIn(value: unknown): boolean {
    if (this.isEmpty) return false;
    if (typeof value === 'string') return this.isCopy(value);
    if (typeof value === 'number') return this.includedIn(String(value));
    if (typeof value !== 'object' || value === null) return false;
    const digits = exactDigits(value);
    if (digits !== undefined) return this.includedIn(digits);
    return Object.entries(value).some(
      ([name, part]) => this.includedIn(name) || this.repeatedIn(part),
    );
  }

  /** Marks the copies in a value as sensitive, and maps and objects with a copy in a key as a whole. */
  marked(value: Value): Value {
    if (this.isEmpty) return value;
    return transform(value, (_path, part) => {
      if (part.isMarked || !part.isKnown || part.isNull) return part;
      return this.#isCopiedPart(part) ? part.mark('sensitive') : part;
    });
  }

  #isCopiedPart(part: Value): boolean {
    switch (part.type.kind) {
      case 'string':
        return this.isCopy(part.asString());
      case 'number':
        return this.includedIn(formatNumber(part.asNum()));
      case 'map':
      case 'object':
        return part.entries().some(([key]) => this.includedIn(key.asString()));
      default:
        return false;
    }
  }

  /**
   * Returns a message with the sensitive texts in it replaced. Short ones are replaced where they stand alone, unless
   * they look like a word of the sentence.
   */
  hiddenIn(message: string): string {
    let result = message;
    for (const text of [...this.#texts, ...this.#numbers].slice(0, MAX_SEARCHED)) {
      if (!result.includes(text)) continue;
      result =
        text.length >= MIN_INNER
          ? result.replaceAll(text, REDACTED)
          : result.replace(aloneIn(text), `$1${REDACTED}`);
    }
    return result;
  }

  #addText(text: string): void {
    if (text.length < MIN_EQUAL || COMMON_TEXTS.has(text)) return;
    this.#texts.add(text);
    this.#searched = undefined;
  }

  #addNumber(digits: string): void {
    if (digits.length < MIN_INNER) return;
    this.#numbers.add(digits);
    this.#searched = undefined;
  }

  #removed(part: unknown, isValue: boolean): unknown {
    if (typeof part === 'string')
      return (isValue ? this.isCopy(part) : this.includedIn(part)) ? REDACTED : part;
    if (typeof part === 'number') return isValue && this.includedIn(String(part)) ? REDACTED : part;
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map((item: unknown) => this.#removed(item, isValue));
    const digits = exactDigits(part);
    if (digits !== undefined) return isValue && this.includedIn(digits) ? REDACTED : part;
    const record = part as JsonRecord;
    return Object.fromEntries(
      Object.entries(record).map(([name, member]) => {
        if (!isValue && FIXED_MEMBERS.has(name)) return [name, member];
        return [name, this.#removed(member, isValue || isValueMember(record, name))];
      }),
    );
  }
}

/** Matches a short text between characters that are no letters and digits; one of letters only in quotes. */
function aloneIn(text: string): RegExp {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return /^\p{L}+$/u.test(text)
    ? new RegExp(`(["'\`])${escaped}(?=["'\`])`, 'gu')
    : new RegExp(`(^|[^\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'gu');
}

/** Returns true for a member that contains a value; `values` is one in objects, and structure at the top. */
function isValueMember(record: JsonRecord, name: string): boolean {
  return VALUE_MEMBERS.has(name) || (name === 'values' && 'address' in record);
}

/** Returns the digits of a number that was parsed exactly; undefined for any other object. */
export function exactDigits(part: object): string | undefined {
  const isRaw: unknown = Reflect.get(JSON, 'isRawJSON');
  if (typeof isRaw !== 'function' || Reflect.apply(isRaw, JSON, [part]) !== true) return undefined;
  return JSON.stringify(part);
}
