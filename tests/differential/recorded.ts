// The recorded results of Terraform, as files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { casePath, here } from './case.ts';
import { elements, formatJson, isObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';

/** The file of a recording: of a case by its name, of another suite by its path from the folder `recorded`. */
function pathOf(name: string): string {
  return join(here, 'recorded', `${name.includes('/') ? name : casePath(name)}.json`);
}

/** The recorded result of a case (or of the file at a path from `recorded`), or undefined where none was recorded. */
export function readRecorded(name: string): JsonObject | undefined {
  if (!existsSync(pathOf(name))) return undefined;
  const record = JSON.parse(readFileSync(pathOf(name), 'utf8')) as JsonObject;
  let last: Json = null;
  for (const step of elements(record['steps'])) {
    if (!isObject(step) || step['state'] === undefined) continue;
    if (step['state'] === 'as before') step['state'] = last;
    else last = step['state'];
  }
  return record;
}

/** Writes a result; a state that equals the one before is written as a reference to it. */
export function writeRecorded(name: string, record: JsonObject): void {
  const copy = structuredClone(record);
  let last: string | undefined;
  for (const step of elements(copy['steps'])) {
    if (!isObject(step) || step['state'] === undefined) continue;
    const state = JSON.stringify(step['state']);
    if (state === last) step['state'] = 'as before';
    last = state;
  }
  mkdirSync(dirname(pathOf(name)), { recursive: true });
  writeFileSync(pathOf(name), `${formatJson(copy)}\n`);
}
