import type { Range } from '@terrane/hcl';
import type { InputValue } from './collect-variables.ts';

/** The origin of a root module variable's value. */
export interface VariableOrigin {
  /** `default`: from its declaration */
  readonly source: InputValue['source'] | 'default';
  /** the file or the environment variable */
  readonly name?: string;
  /** the line in the file */
  readonly line?: number;
}

/** Returns the origins of input values by variable. */
export function variableOrigins(
  inputs: ReadonlyMap<string, InputValue>,
): ReadonlyMap<string, VariableOrigin> {
  const origins = new Map<string, VariableOrigin>();
  for (const [name, { source, sourceName, range }] of inputs) {
    const isFile = source === 'file' || source === 'autoFile';
    const place = isFile ? (range?.filename ?? sourceName) : sourceName;
    origins.set(name, {
      source,
      ...(place === undefined ? {} : { name: place }),
      ...(isFile && range !== undefined ? { line: range.from.line } : {}),
    });
  }
  return origins;
}

/** Returns the origin of a default value. */
export function defaultOrigin(range: Range): VariableOrigin {
  return { source: 'default', name: range.filename, line: range.from.line };
}
