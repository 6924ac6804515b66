import {
  type ModuleInstance,
  ProviderConfigAddr,
  ResourceAddr,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import { compareText, quoteText } from '@terrane/cty';
import { CtyError, impliedJsonType, parseJson, typeToJson } from '@terrane/cty';
import { listType, mapType, type Type } from '@terrane/cty';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { JsonBytes } from './json-bytes.ts';
import { jsonString } from './json-writer.ts';
import {
  legacyProviderSource,
  parseLegacyProvider,
  parseLocalProvider,
} from './legacy-provider.ts';
import type { StateFile } from './model.ts';
import { base64FromBytes } from './object-json.ts';
import { readVersion4 } from './statefile-version4.ts';

type Json = Readonly<Record<string, unknown>>;

/** An error in a file of an old version; the message completes Terraform's sentence. */
class UpgradeError extends Error {}

/**
 * Upgrades a normalised state file of version 1, 2 or 3 to version 4 step by step as Terraform does. Attributes stay
 * flat: their types depend on the provider's schema.
 */
export function readLegacy(
  text: string,
  version: 1 | 2 | 3,
): { readonly file?: StateFile; readonly diagnostics: readonly Diagnostic[] } {
  const old = objectOf(JSON.parse(text));
  try {
    const upgraded = upgrade(version === 1 ? fromVersion1(old) : old, version < 3);
    const json = new JsonBytes(new TextEncoder().encode(upgraded));
    const { file, diagnostics } = readVersion4(json, 0);
    return file === undefined ? { diagnostics } : { file, diagnostics };
  } catch (error) {
    if (!(error instanceof UpgradeError)) throw error;
    return {
      diagnostics: [
        errorDiagnostic(
          'State format upgrade failed',
          `Error upgrading state file format from version 3 to version 4: ${error.message}.`,
        ),
      ],
    };
  }
}

/** Version 1 had no types of outputs, and a module path might be missing. */
function fromVersion1(old: Json): Json {
  return {
    ...old,
    modules: arrayOf(old['modules']).map((entry) => {
      const module = objectOf(entry);
      const path = arrayOf(module['path']);
      return {
        ...module,
        path: path.length === 0 ? ['root'] : path,
        outputs: Object.fromEntries(
          Object.entries(objectOf(module['outputs'])).map(([name, value]) => [
            name,
            { type: 'string', value, sensitive: false },
          ]),
        ),
      };
    }),
  };
}

function upgrade(old: Json, countsAreOld: boolean): string {
  const serial = typeof old['serial'] === 'number' ? old['serial'] : 0;
  if (serial < 0) throw new UpgradeError('state has serial less than zero, which is invalid');
  const outputs: Record<string, unknown> = Object.create(null);
  const resources: unknown[] = [];
  for (const entry of arrayOf(old['modules'])) {
    const module = objectOf(entry);
    const path = arrayOf(module['path']).map(textOf);
    if (!Array.isArray(module['path'])) {
      throw new UpgradeError('state contains invalid module path []string(nil)');
    }
    const address = moduleOf(path);
    resources.push(...upgradeResources(address, objectOf(module['resources']), countsAreOld));
    if (path.length === 1) {
      for (const [name, output] of Object.entries(objectOf(module['outputs']))) {
        outputs[name] = upgradeOutput(objectOf(output));
      }
    }
  }
  const version = textOf(old['terraform_version']);
  return JSON.stringify({
    version: 4,
    // Older formats may lack it, which means that it is older than any other.
    terraform_version: version === '' ? '0.0.0' : version,
    serial,
    lineage: textOf(old['lineage']),
    outputs,
    resources,
  });
}

function moduleOf(path: readonly string[]): ModuleInstance {
  const pathText = `[]string{${path.map(quoteText).join(', ')}}`;
  if (path[0] !== 'root') throw new UpgradeError(`state contains invalid module path ${pathText}`);
  let module = ROOT_INSTANCE;
  for (const name of path.slice(1)) {
    if (!/^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(name)) {
      throw new UpgradeError(
        `state contains invalid module path ${pathText}: ${quoteText(name)} is not a valid identifier; rename it in Terraform 0.11 before upgrading to Terraform 0.12`,
      );
    }
    module = module.child(name, undefined);
  }
  return module;
}

function upgradeResources(module: ModuleInstance, old: Json, countsAreOld: boolean): unknown[] {
  const resources = new Map<ResourceAddr, { instances: unknown[] }>();
  for (const [text, entry] of Object.entries(old).sort(([a], [b]) => compareText(a, b))) {
    const state = objectOf(entry);
    const { resource, key } = parseResource(text);
    let upgraded = resources.get(resource);
    if (upgraded === undefined) {
      const address = key === undefined ? resource.text : `${resource.text}[${key}]`;
      const provider = providerOf(textOf(state['provider']), module, resource, address);
      upgraded = {
        ...(module.isRoot ? {} : { module: module.text }),
        mode: resource.mode,
        type: resource.type,
        name: resource.name,
        provider: provider.text,
        instances: [],
      } as { instances: unknown[] };
      resources.set(resource, upgraded);
    }
    if (isObject(state['primary'])) {
      upgraded.instances.push(upgradeObject(state['primary'], key, undefined, countsAreOld));
    }
    arrayOf(state['deposed']).forEach((object, i) => {
      const deposed = (i + 1).toString(16).padStart(8, '0');
      upgraded.instances.push(upgradeObject(objectOf(object), key, deposed, countsAreOld));
    });
  }
  return [...resources.values()];
}

/** `aws_x.y`, `aws_x.y.0`, `data.aws_x.y` or `data.aws_x.y.0`. */
function parseResource(text: string): {
  readonly resource: ResourceAddr;
  readonly key: number | undefined;
} {
  let parts = text.split('.');
  if (parts.length < 2 || parts.length > 4) {
    throw new UpgradeError(`invalid internal resource address format: ${text}`);
  }
  const isData = parts.length > 2 && parts[0] === 'data';
  if (isData) parts = parts.slice(1);
  if (parts.length > 3 && !isData) {
    throw new UpgradeError(`invalid internal resource address format: ${text}`);
  }
  const resource = ResourceAddr.of(isData ? 'data' : 'managed', parts[0] ?? '', parts[1] ?? '');
  const index = parts[2];
  if (index === undefined) return { resource, key: undefined };
  const key = integerOf(index);
  if (typeof key === 'number') return { resource, key };
  throw new UpgradeError(
    `error parsing resource address ${quoteText(text)}: strconv.ParseInt: parsing ${quoteText(index)}: ${key}`,
  );
}

const INTEGER =
  /^(?<sign>[+-]?)(?:0[xX](?<hex>(?:_?[0-9a-fA-F])+)|0[bB](?<binary>(?:_?[01])+)|0[oO]?(?<octal>(?:_?[0-7])+)|(?<decimal>0|[1-9](?:_?[0-9])*))$/;

/** Parses a number as Go does in any base, or returns the reason for its failure. */
function integerOf(text: string): number | string {
  const parts = INTEGER.exec(text)?.groups;
  if (parts === undefined) return 'invalid syntax';
  const digits = (digits: string | undefined, prefix: string): bigint | undefined =>
    digits === undefined ? undefined : BigInt(prefix + digits.replaceAll('_', ''));
  const size =
    digits(parts['hex'], '0x') ??
    digits(parts['binary'], '0b') ??
    digits(parts['octal'], '0o') ??
    digits(parts['decimal'], '') ??
    0n;
  const value = parts['sign'] === '-' ? -size : size;
  if (value < -(2n ** 63n) || value >= 2n ** 63n) return 'value out of range';
  return Number(value);
}

function providerOf(
  text: string,
  module: ModuleInstance,
  resource: ResourceAddr,
  instance: string,
): ProviderConfigAddr {
  if (text === '') {
    return ProviderConfigAddr.of(module.path, legacyProviderSource(resource.impliedProvider));
  }
  const isAbsolute = text.includes('provider.');
  if (isAbsolute) {
    const { provider, error } = parseLegacyProvider(text);
    if (provider !== undefined) return provider;
    throw new UpgradeError(badProvider('', text, instance, error ?? ''));
  }
  const { name, alias, error } = parseLocalProvider(text);
  if (name === undefined)
    throw new UpgradeError(badProvider('legacy ', text, instance, error ?? ''));
  return ProviderConfigAddr.of(module.path, legacyProviderSource(name), alias);
}

function badProvider(kind: string, text: string, instance: string, error: string): string {
  const start = `invalid ${kind}provider config reference ${quoteText(text)} for ${instance}: `;
  return text.includes('${')
    ? `${start}this alias seems to contain a template interpolation sequence, which was not supported but also not error-checked in Terraform 0.11. To proceed, rename the associated provider alias to a valid identifier and apply the change with Terraform 0.11 before upgrading to Terraform 0.12`
    : start + error;
}

function upgradeObject(
  old: Json,
  key: number | undefined,
  deposed: string | undefined,
  countsAreOld: boolean,
): unknown {
  const meta = { ...objectOf(old['meta']) };
  let schemaVersion = 0;
  const storedVersion = meta['schema_version'];
  if (typeof storedVersion === 'string' && /^\d+$/.test(storedVersion)) {
    schemaVersion = Number(storedVersion);
    delete meta['schema_version'];
  } else if (typeof storedVersion === 'number') {
    schemaVersion = Math.trunc(storedVersion);
    delete meta['schema_version'];
  }
  const attributes = isObject(old['attributes'])
    ? new Map(Object.entries(old['attributes']).map(([name, value]) => [name, textOf(value)]))
    : new Map<string, string>();
  if (countsAreOld) upgradeCounts(attributes);
  const id = textOf(old['id']);
  if (id !== '' && (attributes.get('id') ?? '') === '') attributes.set('id', id);
  return {
    ...(key === undefined ? {} : { index_key: key }),
    ...(old['tainted'] === true ? { status: 'tainted' } : {}),
    ...(deposed === undefined ? {} : { deposed }),
    schema_version: schemaVersion,
    ...(attributes.size === 0 && !isObject(old['attributes'])
      ? {}
      : { attributes_flat: Object.fromEntries(attributes) }),
    ...(Object.keys(meta).length === 0
      ? {}
      : { private: base64FromBytes(new TextEncoder().encode(goJson(meta))) }),
  };
}

/** Until version 2 the lengths of maps were under "#"; since then they are under "%", and empty maps have none. */
function upgradeCounts(attributes: Map<string, string>): void {
  const prefixes = [...attributes.keys()].filter((name) => name.endsWith('.#'));
  for (const prefix of prefixes.map((name) => name.slice(0, -1)).sort(compareText)) {
    const keys = new Set<string>();
    for (const name of attributes.keys()) {
      if (!name.startsWith(prefix)) continue;
      const key = name.slice(prefix.length);
      const dot = key.indexOf('.');
      if (dot > 0) keys.add(key.slice(0, dot));
      else if (key !== '#') keys.add(key);
    }
    const count = attributes.get(`${prefix}#`) ?? '';
    if (keys.size === 0) attributes.delete(`${prefix}#`);
    else if ([...keys].some((key) => !/^[+-]?\d+$/.test(key))) {
      attributes.set(`${prefix}%`, count);
      attributes.delete(`${prefix}#`);
    }
  }
}

function upgradeOutput(old: Json): unknown {
  const text = JSON.stringify(old['value'] ?? null);
  try {
    const type = simplify(impliedJsonType(parseJson(text)));
    return {
      value: old['value'] ?? null,
      type: typeToJson(type),
      sensitive: old['sensitive'] === true,
    };
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new UpgradeError(`failed to parse output value from JSON: ${error.message}`);
  }
}

/** Old versions had no tuples and objects, so what could be a list or map was one. */
function simplify(type: Type): Type {
  if (type.kind === 'tuple') {
    const first = type.elements[0];
    if (first === undefined || type.elements.some((element) => element !== first)) return type;
    return listType(simplify(first));
  }
  if (type.kind === 'object') {
    const first = type.types[0];
    if (first === undefined || type.types.some((element) => element !== first)) return type;
    return mapType(simplify(first));
  }
  return type;
}

/** Formats JSON as Go does: maps are sorted, and HTML characters escaped. */
function goJson(value: unknown): string {
  if (typeof value === 'string') return jsonString(value);
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort(compareText);
  return `{${names.map((name) => `${jsonString(name)}:${goJson(value[name])}`).join(',')}}`;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
