// The service behind the lifecycle provider: a file for each object, which tests change to make drift.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { valueFromJson, valueToJson } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { impliedType } from '@terrane/provider';
import type { Schema } from '@terrane/provider';

/** The objects that exist. */
export class Cloud {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** An id that none of this name had before. */
  newId(name: string): string {
    mkdirSync(this.#directory, { recursive: true });
    const path = join(this.#directory, `.made-${name}`);
    const made = existsSync(path) ? Number(readFileSync(path, 'utf8')) + 1 : 1;
    writeFileSync(path, String(made));
    return `${name}-${made}`;
  }

  put(id: string, value: Value, { block }: Schema): void {
    mkdirSync(this.#directory, { recursive: true });
    writeFileSync(this.#path(id), valueToJson(value, impliedType(block)));
  }

  /** Returns the stored object; attributes that the file lacks are null. */
  get(id: string, { block }: Schema): Value | undefined {
    const path = this.#path(id);
    if (!existsSync(path)) return undefined;
    const type = impliedType(block);
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const all = Object.fromEntries(type.names.map((name) => [name, stored[name] ?? null]));
    return valueFromJson(JSON.stringify(all), type);
  }

  /** The plain content of an object of any kind. */
  plain(id: string): Readonly<Record<string, unknown>> | undefined {
    const path = this.#path(id);
    if (!existsSync(path)) return undefined;
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  }

  /** The id of the newest object with a name. */
  newest(name: string): string | undefined {
    if (!existsSync(this.#directory)) return undefined;
    const numbers = readdirSync(this.#directory)
      .filter((file) => file.startsWith(`${name}-`) && file.endsWith('.json'))
      .map((file) => Number(file.slice(name.length + 1, -'.json'.length)))
      .filter((each) => Number.isInteger(each));
    return numbers.length === 0 ? undefined : `${name}-${Math.max(...numbers)}`;
  }

  remove(id: string): void {
    rmSync(this.#path(id), { force: true });
  }

  #path(id: string): string {
    return join(this.#directory, `${id}.json`);
  }
}
