// A backend opened in this process, as the engine opens it.
import {
  BACKEND_KINDS,
  type Backend,
  type BackendKind,
  type BackendProblem,
} from '@terrane/backends';
import { nullOf, objectOf, type Value } from '@terrane/cty';
import { nodeHost, type Environment, type Host, type LockInfo } from '@terrane/host';
import { impliedType } from '@terrane/provider';

/** The host of this process, with other environment variables. */
export function hostWith(variables: Readonly<Record<string, string>>): Host {
  const host = nodeHost();
  const environment: Environment = {
    ...host.environment,
    cwd: host.environment.cwd,
    get: (name) => variables[name],
    entries: () => Object.entries(variables),
  };
  return { ...host, environment };
}

async function kindOf(type: string): Promise<BackendKind> {
  const kind = await BACKEND_KINDS.get(type)?.();
  if (kind === undefined) throw new Error(`no backend ${type}`);
  return kind;
}

async function configOf(
  type: string,
  values: Readonly<Record<string, Value>>,
): Promise<readonly [BackendKind, Value]> {
  const kind = await kindOf(type);
  const implied = impliedType(kind.schema);
  if (implied.kind !== 'object') throw new Error('a schema is an object');
  const attributes = implied.names.map(
    (name, at) => values[name] ?? nullOf(implied.types[at] ?? implied),
  );
  return [kind, objectOf(implied, attributes)];
}

/** Opens a backend of a configuration; what is not given is null. */
export async function openBackend(
  type: string,
  values: Readonly<Record<string, Value>>,
  variables: Readonly<Record<string, string>> = {},
  host: Host = hostWith(variables),
): Promise<Backend> {
  const [kind, config] = await configOf(type, values);
  return await kind.open(config, { host, userAgent: 'Terrane/test' });
}

/** Returns the diagnostics of a configuration. */
export async function problemsOf(
  type: string,
  values: Readonly<Record<string, Value>>,
  variables: Readonly<Record<string, string>> = {},
): Promise<readonly BackendProblem[]> {
  const [kind, config] = await configOf(type, values);
  return kind.check(config, { host: hostWith(variables) });
}

/** Information of a lock with a number. */
export function lockOf(id: string): LockInfo {
  return {
    id,
    operation: 'OperationTypeApply',
    info: '',
    who: 'tester@machine',
    version: '1.11.4',
    created: '2026-11-22T00:00:00.000Z',
    path: '',
  };
}

/** A state in bytes. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes as text. */
export function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}
