// The record of the calls that a provider got, when each began and ended, in a form whose order can be compared.
import { appendFileSync } from 'node:fs';
import { valueToJson } from '@terrane/cty';
import type { Value } from '@terrane/cty';

/** A line of the log: the beginning or the end of a call. Ids are of a process. */
export type LogLine =
  | { readonly begin: string; readonly call: string }
  | { readonly end: string; readonly gave: string };

/** Appends to a file, which several processes may share. */
export class CallLog {
  readonly #file: () => string;
  readonly #place: string;
  #count = 0;

  constructor(file: () => string, place: string) {
    this.#file = file;
    this.#place = place;
  }

  begin(call: string): string {
    const id = `${this.#place}.${(this.#count += 1)}`;
    this.#write({ begin: id, call });
    return id;
  }

  end(id: string, gave: string): void {
    this.#write({ end: id, gave });
  }

  #write(line: LogLine): void {
    appendFileSync(this.#file(), `${JSON.stringify(line)}\n`);
  }
}

/** A value in few words: null attributes are left out, `?` is unknown. */
export function brief(v: Value | undefined): string {
  if (v === undefined) return '-';
  if (!v.isKnown) return unknownText(v);
  if (v.isNull) return 'null';
  switch (v.type.kind) {
    case 'object':
      return `{${v.type.names
        .filter((name) => !(v.attr(name).isKnown && v.attr(name).isNull))
        .map((name) => `${name}=${brief(v.attr(name))}`)
        .join(' ')}}`;
    case 'map':
      return `{${v
        .entries()
        .map(([key, each]) => `${key.asString()}=${brief(each)}`)
        .join(' ')}}`;
    case 'list':
    case 'set':
    case 'tuple':
      return `[${v
        .elements()
        .map((each) => brief(each))
        .join(' ')}]`;
    default:
      return valueToJson(v, v.type).replace(/^"([\w.-]+)"$/, '$1');
  }
}

function unknownText(v: Value): string {
  const { notNull, prefix } = v.refinement ?? {};
  return `?${notNull === true ? '!' : ''}${prefix ?? ''}`;
}
