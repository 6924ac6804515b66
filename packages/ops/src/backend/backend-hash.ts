import { hashText, object, quoteText, type Value } from '@terrane/cty';
import { crc32 } from 'node:zlib';
import type { BackendKind } from './backend-kind.ts';

type Recorded = Pick<BackendKind, 'type' | 'additional'>;

/** Returns the hash by which Terraform recognises an unchanged `backend` block: of its type and its unmarked value. */
export function backendHash(kind: Recorded, value: Value): number {
  const text = `<${quoteText(kind.type)};${hashText(recordedValue(kind, value))};>`;
  return crc32(text);
}

/** Returns the configuration that the hash covers: without null arguments that Terraform does not have. */
function recordedValue({ additional = [] }: Pick<Recorded, 'additional'>, value: Value): Value {
  const { type } = value;
  if (type.kind !== 'object') return value;
  const recorded = type.names.filter(
    (name) => !additional.includes(name) || !value.attr(name).isNull,
  );
  if (recorded.length === type.names.length) return value;
  return object(new Map(recorded.map((name) => [name, value.attr(name)])));
}
