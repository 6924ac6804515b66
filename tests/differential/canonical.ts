// Brings a record into a form that is the same for every correct run: generated ids, keys, times, lineages,
// versions and temporary paths become placeholders that say where the value came from.
import { X509Certificate, createPublicKey } from 'node:crypto';
import { PROGRAMS, type ReferenceProgram } from '../../scripts/oracle/install-programs.mjs';
import { elements, isObject, member, text } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import { instanceAddress } from './state-address.ts';

/** Attributes whose values are random, by resource type, the most telling first. */
const generated: Readonly<Record<string, readonly string[]>> = {
  terraform_data: ['id'],
  null_resource: ['id'],
  null_data_source: ['id', 'random'],
  random_id: ['id', 'b64_std', 'b64_url', 'dec', 'hex'],
  random_integer: ['result', 'id'],
  random_password: ['result', 'bcrypt_hash'],
  random_pet: ['id'],
  random_shuffle: ['id', 'result'],
  random_string: ['result', 'id'],
  random_uuid: ['result', 'id'],
  random_uuid4: ['result', 'id'],
  random_uuid7: ['result', 'id'],
  random_bytes: ['base64', 'hex'],
  tls_private_key: [
    'id',
    'private_key_pem',
    'private_key_openssh',
    'private_key_pem_pkcs8',
    'public_key_fingerprint_md5',
    'public_key_fingerprint_sha256',
    'public_key_openssh',
    'public_key_pem',
  ],
  tls_public_key: [
    'id',
    'public_key_fingerprint_md5',
    'public_key_fingerprint_sha256',
    'public_key_openssh',
    'public_key_pem',
  ],
  tls_self_signed_cert: ['id', 'cert_pem'],
  tls_locally_signed_cert: ['id', 'cert_pem'],
  tls_cert_request: ['id', 'cert_request_pem'],
};

/** Attributes of a local file that follow from its content. */
const digests = [
  'id',
  'content_base64',
  'content_md5',
  'content_sha1',
  'content_sha256',
  'content_sha512',
  'content_base64sha256',
  'content_base64sha512',
];

/** Attributes made of the current time where `rfc3339` or `id` is of now. */
const timeParts = new Set(['unix', 'year', 'month', 'day', 'hour', 'minute', 'second']);

const uuidPattern = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const timePattern = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const versionPattern = /\b1\.11\.\d+\b/g;
const deposedPattern = /\b(deposed(?: object)?[ :]*\(?)[0-9a-f]{8}\b/gi;
const window = 400 * 24 * 3600 * 1000;

function isNow(time: string): boolean {
  const at = Date.parse(time);
  return Number.isFinite(at) && Math.abs(at - Date.now()) < window;
}

/** Returns the part of a generated text that is equal in every run. */
function shape(type: string, attribute: string, value: string): string {
  if (value === '') return ' empty';
  if (/^random_(string|password)$/.test(type) && attribute === 'result')
    return ` ${[...value].length} characters`;
  if (attribute === 'bcrypt_hash') return ` ${value.slice(0, 7)} ${value.length} characters`;
  if (type === 'random_id' && attribute !== 'dec') return ` ${value.length} characters`;
  if (type === 'random_pet') return ` ${value.split(/[^a-z]+/).length} words`;
  if (type === 'random_bytes') return ` ${value.length} characters`;
  if (type.startsWith('random_uuid')) {
    // random_uuid fills all bits at random; the others say their version.
    const version = type === 'random_uuid' ? 'x' : (value[14] ?? '');
    const digits = value.replace(/[0-9a-f]/g, 'x');
    return ` ${digits.slice(0, 14)}${version}${digits.slice(15)}`;
  }
  try {
    if (attribute === 'cert_pem') {
      const certificate = new X509Certificate(value);
      const hours =
        (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 3_600_000;
      return ` ${JSON.stringify({
        subject: certificate.subject,
        issuer: certificate.issuer,
        ca: certificate.ca,
        names: certificate.subjectAltName,
        usage: certificate.keyUsage,
        hours,
      })}`;
    }
    if (/^(private|public)_key_pem/.test(attribute)) {
      const key = createPublicKey(value);
      return ` ${value.split('\n')[0] ?? ''} ${key.asymmetricKeyType} ${JSON.stringify(key.asymmetricKeyDetails ?? {}, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item))}`;
    }
  } catch (error) {
    return ` unreadable: ${String(error)}`;
  }
  if (/pem|openssh/.test(attribute)) return ` ${/^(-----.*-----|\S+)/.exec(value)?.[0] ?? ''}`;
  if (/fingerprint/.test(attribute)) return ` ${value.replace(/[0-9a-zA-Z+/]/g, 'x')}`;
  return '';
}

class Canonical {
  /** Distinct values seen at an attribute, in order. */
  readonly #seen = new Map<string, Json[]>();
  /** Placeholder of a generated text, wherever it shows. */
  readonly #tokens = new Map<string, string>();
  #ordered: (readonly [string, string])[] | undefined;
  readonly #uuids = new Map<string, string>();
  readonly #lineages = new Map<string, string>();
  readonly #paths: readonly (readonly [string, string])[];
  readonly #oracle: ReferenceProgram | undefined;

  constructor(paths: Readonly<Record<string, string>>, oracle: ReferenceProgram | undefined) {
    this.#oracle = oracle;
    this.#paths = Object.entries(paths).sort(([a], [b]) => b.length - a.length);
  }

  /** The placeholder of a generated attribute. */
  label(address: string, type: string, attribute: string, value: Json): string {
    const place = `${address}.${attribute}`;
    const seen = this.#seen.get(place) ?? [];
    this.#seen.set(place, seen);
    const key = JSON.stringify(value);
    let index = seen.findIndex((other) => JSON.stringify(other) === key);
    if (index === -1) index = seen.push(value) - 1;
    const generation = index === 0 ? '' : `#${index + 1}`;
    const detail = typeof value === 'string' ? shape(type, attribute, value) : '';
    return `<${place}${generation}${detail}>`;
  }

  /** The placeholder that a value had at another address, which shows that an object was moved. */
  movedLabel(address: string, value: Json): string | undefined {
    if (typeof value !== 'string' || value.length < 16) return undefined;
    const known = this.#tokens.get(value);
    return known === undefined || known.startsWith(`<${address}.`) ? undefined : known;
  }

  /** Learns which texts of a state are generated. */
  learn(state: Json | undefined): void {
    for (const resource of elements(member(state, 'resources'))) {
      const type = text(member(resource, 'type')) ?? '';
      for (const instance of elements(member(resource, 'instances'))) {
        for (const attribute of generated[type] ?? []) {
          const value = member(instance, 'attributes', attribute);
          if (value === undefined || value === null || value === '') continue;
          const label = this.label(instanceAddress(resource, instance), type, attribute, value);
          if (typeof value === 'string' && !this.#tokens.has(value)) this.#tokens.set(value, label);
        }
      }
    }
  }

  /** Learns digests of files whose contents are generated. */
  learnDigests(state: Json | undefined): void {
    for (const resource of elements(member(state, 'resources'))) {
      const type = text(member(resource, 'type')) ?? '';
      if (!type.startsWith('local_')) continue;
      for (const instance of elements(member(resource, 'instances'))) {
        const content = text(member(instance, 'attributes', 'content')) ?? '';
        const has = (token: string): boolean => token.length >= 6 && content.includes(token);
        if (![...this.#tokens.keys()].some(has)) continue;
        for (const attribute of digests) {
          const value = text(member(instance, 'attributes', attribute));
          if (value === undefined || this.#tokens.has(value)) continue;
          const address = instanceAddress(resource, instance);
          this.#tokens.set(value, this.label(address, type, attribute, value));
        }
      }
    }
  }

  string(value: string): string {
    this.#ordered ??= [...this.#tokens].sort(([a], [b]) => b.length - a.length);
    let result = value;
    if (this.#oracle !== undefined) result = neutral(result, this.#oracle);
    const exact = this.#tokens.get(value);
    if (exact !== undefined) return exact;
    for (const [path, placeholder] of this.#paths) result = result.replaceAll(path, placeholder);
    for (const [token, placeholder] of this.#ordered) {
      if (token.length >= 6 && result.includes(token))
        result = result.replaceAll(token, placeholder);
    }
    return (
      result
        .replace(
          /^Cycle: (.*)$/,
          (_, names: string) => `Cycle: ${names.split(', ').sort().join(', ')}`,
        )
        // Terraform lists what it forgets, and what it cannot move, in the order of a Go map.
        .replace(
          /(?<=(?:discard its tracking|could not move to|adjust resource instance)[^]*:\n)(?: +- .*\n)+/,
          (list) =>
            list
              .split(/(?<=\n)/)
              .sort()
              .join(''),
        )
        .replace(uuidPattern, (uuid) => {
          const known = this.#uuids.get(uuid) ?? `<uuid-${this.#uuids.size + 1}>`;
          this.#uuids.set(uuid, known);
          return known;
        })
        .replace(timePattern, (time) => (isNow(time) ? '<time>' : time))
        .replace(deposedPattern, '$1<deposed>')
        .replace(versionPattern, '<version>')
        // A program may call itself by its own name.
        .replace(/\bTerrane\b/g, 'Terraform')
        .replace(/\bterrane (?=-|[a-z]+)/g, 'terraform ')
    );
  }

  /** Attributes of an instance, in a state or in a plan. */
  attributes(value: Json, type: string, address: string): Json {
    if (!isObject(value)) return this.value(value);
    const result: JsonObject = {};
    const at = text(value['rfc3339']) ?? text(value['id']) ?? '';
    for (const [key, item] of Object.entries(value)) {
      // Terraform 1.16 writes the block even where it is absent, which earlier releases cannot read.
      if (type === 'terraform_data' && key === 'store' && item === null) continue;
      if ((generated[type] ?? []).includes(key) && item !== null && typeof item !== 'boolean') {
        result[key] = this.movedLabel(address, item) ?? this.label(address, type, key, item);
      } else if (type.startsWith('time_') && timeParts.has(key) && item !== null && isNow(at)) {
        result[key] = '<time>';
      } else {
        result[key] = this.value(item);
      }
    }
    return result;
  }

  value(value: Json): Json {
    if (typeof value === 'string') return this.string(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isObject(value)) return value;
    return this.object(value);
  }

  object(value: JsonObject): JsonObject {
    const type = text(value['type']);
    const known = type !== undefined && (generated[type] !== undefined || type.startsWith('time_'));
    const result: JsonObject = {};
    for (const [key, item] of Object.entries(value)) {
      if (this.#oracle?.program === 'tofu' && UNKNOWN_TO_TOFU.has(key)) continue;
      if (isUnusedIdentityVersion(key, value)) continue;
      if (key === 'lineage' && typeof item === 'string') {
        const placeholder = this.#lineages.get(item) ?? `<lineage-${this.#lineages.size + 1}>`;
        this.#lineages.set(item, placeholder);
        result[key] = placeholder;
      } else if (key === 'terraform_version') {
        result[key] = '<version>';
      } else if (key === 'serial' && typeof item === 'number') {
        result[key] = '<serial>';
      } else if (/^deposed(_key)?$/.test(key) && typeof item === 'string') {
        result[key] = '<deposed>';
      } else if (
        /^(relevant_attributes|check_results|objects|sensitive_attributes)$/.test(key) &&
        Array.isArray(item)
      ) {
        // Terraform writes these in the order of a Go map.
        result[key] = sorted(item.map((each) => this.value(each)));
      } else if (key === 'child_modules' && 'address' in value && Array.isArray(item)) {
        // Below the first level they come in the order in which planning was done with them.
        result[key] = byAddress(item).map((each) => this.value(each));
      } else if (known && key === 'instances' && Array.isArray(item)) {
        result[key] = item.map((instance) => this.instance(value, instance, type));
      } else if (known && key === 'values') {
        result[key] = this.attributes(item, type, text(value['address']) ?? '');
      } else if (known && key === 'change' && isObject(item)) {
        result[key] = this.change(item, type, text(value['address']) ?? '');
      } else {
        result[key] = this.value(item);
      }
    }
    for (const key of ['instances', 'resources', 'resource_changes']) {
      const list = result[key];
      if (Array.isArray(list)) result[key] = deposedSorted(list);
    }
    return result;
  }

  instance(resource: Json, instance: Json, type: string): Json {
    if (!isObject(instance)) return this.value(instance);
    const result: JsonObject = {};
    for (const [key, item] of Object.entries(instance)) {
      if (isUnusedIdentityVersion(key, instance)) continue;
      if (key === 'attributes')
        result[key] = this.attributes(item, type, instanceAddress(resource, instance));
      else if (key === 'deposed') result[key] = '<deposed>';
      else if (key === 'sensitive_attributes') result[key] = sorted(elements(this.value(item)));
      else result[key] = this.value(item);
    }
    return result;
  }

  change(change: JsonObject, type: string, address: string): JsonObject {
    const result: JsonObject = {};
    for (const [key, item] of Object.entries(change)) {
      result[key] =
        key === 'before' || key === 'after'
          ? this.attributes(item, type, address)
          : this.value(item);
    }
    return result;
  }
}

/** Terraform 1.12 and later write the version of an identity for instances without identity too. */
function isUnusedIdentityVersion(key: string, instance: JsonObject): boolean {
  return key === 'identity_schema_version' && instance['identity'] === undefined;
}

function byAddress(list: readonly Json[]): Json[] {
  const address = (item: Json): string => (isObject(item) ? (text(item['address']) ?? '') : '');
  return [...list].sort((a, b) => (address(a) < address(b) ? -1 : 1));
}

/** Deposed objects of an instance stand next to each other, in the order of their random keys. */
function deposedSorted(list: readonly Json[]): Json[] {
  const of = (item: Json | undefined): string | undefined =>
    isObject(item) && (item['deposed'] ?? item['deposed_key']) !== undefined
      ? JSON.stringify([item['address'] ?? null, item['index_key'] ?? null])
      : undefined;
  const result: Json[] = [];
  for (let start = 0; start < list.length;) {
    const instance = of(list[start]);
    let end = start + 1;
    if (instance !== undefined) while (end < list.length && of(list[end]) === instance) end += 1;
    const group = list.slice(start, end);
    result.push(...(group.length > 1 ? sorted(group) : group));
    start = end;
  }
  return result;
}

function sorted(list: Json[]): Json[] {
  return list
    .map((item) => [JSON.stringify(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, item]) => item);
}

/** Members of a plan's JSON that OpenTofu does not write. */
const UNKNOWN_TO_TOFU = new Set(['applyable', 'complete']);

/** Without what names the oracle: its name, its version, and OpenTofu's own registry. */
function neutral(value: string, oracle: ReferenceProgram): string {
  const text = value.replaceAll(oracle.version, '<version>');
  // Terraform 1.13 and later add what was given to what was required.
  if (oracle.program !== 'tofu') return text.replace(/(?<= required), but have [^.,;:\n]*/g, '');
  return text
    .replaceAll('registry.opentofu.org/', 'registry.terraform.io/')
    .replace(/\bOpenTofu\b/g, 'Terraform')
    .replace(/\btofu (?=-|[a-z]+)/g, 'terraform ');
}

/**
 * The canonical form of a record; `paths` are temporary paths and their placeholders. With an oracle other than
 * the Terraform on PATH, what names it is made neutral, so that `Terraform` and `OpenTofu` are the same.
 */
export function canonicalise(
  record: JsonObject,
  paths: Readonly<Record<string, string>>,
  oracle?: string,
): JsonObject {
  const canonical = new Canonical(paths, oracle === undefined ? undefined : PROGRAMS[oracle]);
  const states = elements(record['steps']).map((step) => member(step, 'state'));
  for (const state of states) canonical.learn(state);
  for (const state of states) canonical.learnDigests(state);
  const result = canonical.object(record);
  markSerials(record, result);
  return result;
}

/** The serial depends on how often a state was written; what counts is whether it grew when the state changed. */
function markSerials(record: JsonObject, result: JsonObject): void {
  let last: Json | undefined;
  for (const [index, step] of elements(record['steps']).entries()) {
    const serial = member(step, 'state', 'serial');
    const state = member(result, 'steps', index, 'state');
    if (!isObject(state) || serial === undefined) continue;
    state['serial'] =
      last === undefined
        ? '<serial>'
        : serial === last
          ? '<same serial>'
          : Number(serial) > Number(last)
            ? '<serial grew>'
            : '<serial fell>';
    last = serial;
  }
}
