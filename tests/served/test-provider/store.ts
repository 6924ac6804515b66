// The store of the test provider: a file per object, which tests can change or remove to cause drift.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  appendFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { valueFromJson, valueToJson } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { impliedType } from '@terrane/provider';
import type { Schema } from '@terrane/provider';

export class Store {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  put(type: string, id: string, value: Value, { block }: Schema): void {
    mkdirSync(this.#directory, { recursive: true });
    writeFileSync(this.#path(type, id), valueToJson(value, impliedType(block)));
  }

  get(type: string, id: string, { block }: Schema): Value | undefined {
    const path = this.#path(type, id);
    return existsSync(path)
      ? valueFromJson(readFileSync(path, 'utf8'), impliedType(block))
      : undefined;
  }

  putObject(type: string, id: string, object: Readonly<Record<string, unknown>>): void {
    mkdirSync(this.#directory, { recursive: true });
    const names = Object.keys(object).sort();
    const sorted = Object.fromEntries(names.map((name) => [name, object[name]]));
    writeFileSync(this.#path(type, id), JSON.stringify(sorted));
  }

  getObject(type: string, id: string): unknown {
    const path = this.#path(type, id);
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  }

  remove(type: string, id: string): void {
    rmSync(this.#path(type, id), { force: true });
  }

  /** Notes something that happened, in order. */
  note(line: string): void {
    mkdirSync(this.#directory, { recursive: true });
    appendFileSync(join(this.#directory, 'notes.txt'), `${line}\n`);
  }

  /** Notes that something happened, once or more often. */
  mark(name: string): void {
    mkdirSync(this.#directory, { recursive: true });
    writeFileSync(join(this.#directory, name), 'yes\n');
  }

  #path(type: string, id: string): string {
    return join(this.#directory, `${type}-${id}.json`);
  }
}
