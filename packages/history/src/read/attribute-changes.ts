import type { Path } from '@terrane/cty';
import type { StoredObject } from '@terrane/engine';
import type { Secrets } from '@terrane/render';
import { sensitiveMember, type SensitivePart } from '../record/sensitive-tree.ts';

/** A value as JSON; `(sensitive value)` in texts stands for a sensitive one, which is not part of any output. */
export type PlainJson =
  | null
  | boolean
  | number
  | string
  | readonly PlainJson[]
  | { readonly [name: string]: PlainJson };

/** The change of one attribute, or of a part of it. */
export interface AttributeChange {
  /** such as `tags["Name"]` or `rule[0].port` */
  readonly path: string;
  /** undefined: absent, or sensitive */
  readonly before?: PlainJson;
  readonly after?: PlainJson;
  /** true: the values are omitted */
  readonly sensitive?: true;
}

/**
 * The sensitive parts of objects of a type: a tree, null if there are none, or undefined if the schema is not known, in
 * which case all values are treated as sensitive.
 */
export type KnownSensitive = SensitivePart | null | undefined;

/** Number of parts that are shown of one object. */
const MAX_PARTS = 1000;

/**
 * Returns the attributes that differ between two objects of a type. Sensitive values are omitted, and so are copies of
 * them and of `secrets`, to which those of the objects are added.
 */
export function attributeChanges(
  before: StoredObject | undefined,
  after: StoredObject | undefined,
  sensitive: KnownSensitive,
  secrets: Secrets,
): readonly AttributeChange[] {
  const changes: AttributeChange[] = [];
  const paths = [...(before?.sensitivePaths ?? []), ...(after?.sensitivePaths ?? [])];
  const secret: Secrecy = {
    part: sensitive === undefined ? true : (sensitive ?? undefined),
    paths,
  };
  const [old, now] = [attributesOf(before), attributesOf(after)];
  // Without the schema no value is shown, and it is not known which ones are sensitive.
  const known: Secrecy = sensitive === undefined ? { part: undefined, paths } : secret;
  collectSecrets(old, known, secrets);
  collectSecrets(now, known, secrets);
  compare('', old, now, secret, changes);
  return changes.slice(0, MAX_PARTS).map((change) => withoutCopies(change, secrets));
}

/** Adds the sensitive texts of an object to `secrets`. */
export function addObjectSecrets(
  object: StoredObject | undefined,
  sensitive: SensitivePart | null,
  secrets: Secrets,
): void {
  const secret: Secrecy = { part: sensitive ?? undefined, paths: object?.sensitivePaths ?? [] };
  collectSecrets(attributesOf(object), secret, secrets);
}

/**
 * Omits values that repeat a sensitive one: providers copy sensitive arguments into computed attributes, which neither
 * the schema nor the state declares sensitive.
 */
export function withoutCopies<T extends AttributeChange>(change: T, secrets: Secrets): T {
  const { path, before, after, ...rest } = change;
  const isInPath = secrets.includedIn(path);
  if (!isInPath && !secrets.repeatedIn(before) && !secrets.repeatedIn(after)) return change;
  // The type parameter only adds members, which are kept.
  return { ...rest, path: isInPath ? '(sensitive attribute)' : path, sensitive: true } as T;
}

/** Collects the texts in the sensitive parts of a value. */
function collectSecrets(value: PlainJson | undefined, stored: Secrecy, secrets: Secrets): void {
  const isDynamic = isDynamicValue(value);
  const content = isDynamic ? value.value : value;
  const secret = isDynamic ? insideDynamic(stored) : stored;
  const parts = partsOf(content);
  if (parts === undefined) {
    if (isSecret(secret)) secrets.add(content);
    return;
  }
  if (!hasSecrets(secret)) return;
  for (const [name, part] of parts)
    collectSecrets(part, isSecret(secret) ? secret : inside(secret, name), secrets);
}

/** The sensitive parts of a value: all of it (`true`), or the parts and paths. */
interface Secrecy {
  readonly part: SensitivePart | undefined;
  readonly paths: readonly Path[];
}

function attributesOf(object: StoredObject | undefined): PlainJson | undefined {
  if (object === undefined) return undefined;
  if (object.attributesFlat !== undefined) return { ...object.attributesFlat };
  // The state was validated when it was read.
  return JSON.parse(object.attributesJson ?? '{}') as PlainJson;
}

function compare(
  path: string,
  storedBefore: PlainJson | undefined,
  storedAfter: PlainJson | undefined,
  stored: Secrecy,
  changes: AttributeChange[],
): void {
  if (storedBefore === storedAfter || changes.length > MAX_PARTS) return;
  const isDynamic = isDynamicValue(storedBefore) || isDynamicValue(storedAfter);
  const [before, after] = isDynamic
    ? [dynamicContent(storedBefore), dynamicContent(storedAfter)]
    : [storedBefore, storedAfter];
  const secret = isDynamic ? insideDynamic(stored) : stored;
  if (isSecret(secret)) {
    if (JSON.stringify(before) !== JSON.stringify(after)) changes.push({ path, sensitive: true });
    return;
  }
  const [left, right] = [partsOf(before), partsOf(after)];
  const isRoot = path === '';
  // Objects and lists are compared part by part; a whole that appears or vanishes as well.
  if ((left !== undefined || isEmpty(before)) && (right !== undefined || isEmpty(after))) {
    const names = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])]);
    if (names.size > 0) {
      for (const name of names) {
        const inner = innerPath(path, name, isRoot);
        compare(inner, left?.get(name), right?.get(name), inside(secret, name), changes);
      }
      return;
    }
  }
  if (hasSecrets(secret)) {
    if (JSON.stringify(before) !== JSON.stringify(after)) changes.push({ path, sensitive: true });
    return;
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  // Absent and null arguments are the same.
  if (isEmpty(before) && isEmpty(after)) return;
  changes.push({
    path,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
}

const isEmpty = (value: PlainJson | undefined): boolean => value === undefined || value === null;

const isSecret = ({ part, paths }: Secrecy): boolean =>
  part === true || paths.some((path) => path.length === 0);

const hasSecrets = ({ part, paths }: Secrecy): boolean => part !== undefined || paths.length > 0;

function partsOf(value: PlainJson | undefined): Map<string | number, PlainJson> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isList(value)) return new Map(value.map((item, index) => [index, item]));
  return new Map(Object.entries(value));
}

const isList = (value: object): value is readonly PlainJson[] => Array.isArray(value);

function innerPath(path: string, name: string | number, isRoot: boolean): string {
  if (typeof name === 'number') return `${path}[${name}]`;
  if (isRoot) return name;
  return /^[A-Za-z_][\w-]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

function inside({ part, paths }: Secrecy, name: string | number): Secrecy {
  return {
    part: sensitiveMember(part, name),
    paths: paths.filter(([first]) => leadsTo(first, name)).map((path) => path.slice(1)),
  };
}

/**
 * Returns true for the stored form of a value whose type the schema leaves open: its type and its content. Paths do not
 * mention this form.
 */
function isDynamicValue(
  value: PlainJson | undefined,
): value is { readonly type: PlainJson; readonly value: PlainJson } {
  if (typeof value !== 'object' || value === null || isList(value)) return false;
  const { type } = value;
  const isType = isTypeName(type) || (typeof type === 'object' && type !== null && isList(type));
  return isType && 'value' in value && Object.keys(value).length === 2;
}

const isTypeName = (type: PlainJson | undefined): boolean =>
  type === 'string' || type === 'number' || type === 'bool' || type === 'dynamic';

function dynamicContent(value: PlainJson | undefined): PlainJson | undefined {
  return isDynamicValue(value) ? value.value : value;
}

/** An object may have the members of a dynamic value by chance: what is sensitive in either reading is sensitive. */
function insideDynamic(secret: Secrecy): Secrecy {
  const member = inside(secret, 'value');
  return { part: member.part ?? secret.part, paths: [...secret.paths, ...member.paths] };
}

function leadsTo(step: Path[number] | undefined, name: string | number): boolean {
  if (step === undefined) return false;
  if (step.kind === 'attr') return step.name === name;
  const { key } = step;
  if (!key.isKnown || key.isNull) return true;
  if (typeof name === 'number') return key.type.kind !== 'number' || key.asInt() === name;
  return key.type.kind !== 'string' || key.asString() === name;
}
