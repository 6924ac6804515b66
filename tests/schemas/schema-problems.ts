// Documents for programs, compared with the schemas in `schemas/`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const directory = resolve(import.meta.dirname, '../../schemas');
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
const compiled = new Map<string, ValidateFunction>();
for (const file of readdirSync(directory)) {
  const schema: unknown = JSON.parse(readFileSync(join(directory, file), 'utf8'));
  if (typeof schema !== 'object' || schema === null) throw new Error(`${file} is no schema`);
  compiled.set(file.replace(/\.schema\.json$/, ''), ajv.compile(schema));
}

/** Returns what a document has that its schema does not describe, or the other way round; empty if nothing. */
export function schemaProblems(name: string, document: unknown): string {
  const validate = compiled.get(name);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  if (validate(document) === true) return '';
  return ajv.errorsText(validate.errors, { dataVar: name, separator: '\n' });
}
