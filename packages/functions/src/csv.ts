import { CtyError } from '@terrane/cty';

/** The error of Go's CSV reader. */
function fail(line: number, message: string): never {
  throw new CtyError(`CSV parse error on line ${line}: ${message}`);
}

/**
 * Returns the records of a CSV text, split as by Go's reader: commas, double quotes, empty lines skipped, all records
 * of the same length. Reading stops after `limit` records.
 */
export function parseCsv(text: string, limit: number = Infinity): string[][] {
  const records: string[][] = [];
  const reader = new CsvReader(text);
  for (let record = reader.next(); record !== undefined; record = reader.next()) {
    const fieldCount = records[0]?.length;
    if (fieldCount !== undefined && record.length !== fieldCount) {
      fail(reader.recordLine, 'wrong number of fields');
    }
    records.push(record);
    if (records.length >= limit) break;
  }
  return records;
}

class CsvReader {
  readonly #text: string;
  #at: number = 0;
  #line: number = 0;
  /** line on which the last record began */
  recordLine: number = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next line with its newline; CR LF becomes LF. */
  #readLine(): string | undefined {
    if (this.#at >= this.#text.length) return undefined;
    const newline = this.#text.indexOf('\n', this.#at);
    const end = newline < 0 ? this.#text.length : newline + 1;
    const line = this.#text.slice(this.#at, end);
    this.#at = end;
    this.#line++;
    if (line.endsWith('\r\n')) return `${line.slice(0, -2)}\n`;
    // A carriage return at the very end is dropped.
    return newline < 0 && line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  next(): string[] | undefined {
    let line = this.#readLine();
    while (line === '\n') line = this.#readLine();
    if (line === undefined || line === '') return undefined;
    this.recordLine = this.#line;
    const fields: string[] = [];
    let rest: string | undefined = line;
    while (rest !== undefined) {
      if (rest.startsWith('"')) {
        const quoted = this.#readQuoted(rest.slice(1));
        fields.push(quoted.field);
        rest = quoted.rest;
        continue;
      }
      const comma = rest.indexOf(',');
      const field = comma < 0 ? rest.replace(/\n$/, '') : rest.slice(0, comma);
      if (field.includes('"')) fail(this.#line, 'bare " in non-quoted-field');
      fields.push(field);
      rest = comma < 0 ? undefined : rest.slice(comma + 1);
    }
    return fields;
  }

  #readQuoted(text: string): { readonly field: string; readonly rest: string | undefined } {
    let field = '';
    let rest = text;
    for (;;) {
      const quote = rest.indexOf('"');
      if (quote < 0) {
        field += rest;
        const line = this.#readLine();
        if (line === undefined) fail(this.#line, 'extraneous or missing " in quoted-field');
        rest = line;
        continue;
      }
      field += rest.slice(0, quote);
      rest = rest.slice(quote + 1);
      if (rest.startsWith('"')) {
        field += '"';
        rest = rest.slice(1);
      } else if (rest.startsWith(',')) return { field, rest: rest.slice(1) };
      else if (rest === '' || rest === '\n') return { field, rest: undefined };
      else fail(this.#line, 'extraneous or missing " in quoted-field');
    }
  }
}
