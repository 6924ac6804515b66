import type { InstanceAddr } from '@terrane/addresses';
import { nullOf, SENSITIVE_MARKS, STRING, type Value } from '@terrane/cty';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import {
  type Answer,
  type Awaitable,
  chain,
  type CheckedProvider,
  containsSensitive,
  impliedType,
  isPromise,
  type ReadAnswer,
  type ReadRequest,
  type Schema,
  sensitivePaths,
  type UpgradeAnswer,
  type UpgradeRequest,
} from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import { diagnosticsOf, type Whereabouts } from '../session/provider-diagnostics.ts';
import { encodeStored, namesNulls } from '../state/stored-value.ts';
import { withoutForeignAttributes } from '../state/foreign-attributes.ts';
import type { StoredObject } from '../state/model.ts';
import type { DeferredReason } from './change.ts';
import type { RunEvent } from './event.ts';
import type { ObjectRun } from './run.ts';
import {
  newerIdentityError,
  storedIdentity,
  upgradeIdentity,
  withIdentity,
} from './stored-identity.ts';

/** A stored object and its value, with sensitive marks, in the current schema. */
export interface LiveObject {
  readonly stored: StoredObject;
  readonly value: Value;
  /** the resource identity, if the provider supplies it */
  readonly identity?: Value;
}

/** An instance and its current or deposed object. */
export interface Subject {
  readonly addr: InstanceAddr;
  readonly schema: Schema;
  readonly provider: CheckedProvider;
  readonly resource: Resource | undefined;
  /** The value of the module's `provider_meta` block. */
  readonly providerMeta?: Value;
  readonly deposed?: string;
}

/** Returns the source range and address for diagnostics about a subject. */
export function whereabouts(subject: Subject): Whereabouts {
  return { body: subject.resource?.body, address: subject.addr.text };
}

/**
 * Reads a stored object in the current schema; undefined after errors. The result is immediate if the provider responds
 * synchronously.
 */
export function upgradeStored(
  subject: Subject,
  stored: StoredObject,
  diagnostics: Diagnostic[],
): Awaitable<LiveObject | undefined> {
  const { addr, schema } = subject;
  if (stored.schemaVersion > schema.version) {
    diagnostics.push(newerIdentityError(addr));
    return undefined;
  }
  const response = requestUpgrade(subject, stored, stored.attributesJson);
  // A synchronous response creates no closures: this is done for every instance.
  return isPromise(response)
    ? response.then((received) => acceptUpgrade(subject, stored, received, diagnostics))
    : acceptUpgrade(subject, stored, response, diagnostics);
}

/** Converts the first response, or sends a second request without attributes that the schema does not have any more. */
function acceptUpgrade(
  subject: Subject,
  stored: StoredObject,
  response: UpgradeAnswer,
  diagnostics: Diagnostic[],
): Awaitable<LiveObject | undefined> {
  const { schema } = subject;
  const currentJson = stored.schemaVersion === schema.version ? stored.attributesJson : undefined;
  const isRejected = response.diagnostics?.some(({ severity }) => severity === 'error') === true;
  if (isRejected && currentJson !== undefined) {
    const ours = withoutForeignAttributes(currentJson, impliedType(schema.block));
    if (ours !== undefined)
      return chain(requestUpgrade(subject, stored, ours), (second) =>
        upgradedObject(subject, stored, second, undefined, diagnostics),
      );
  }
  return upgradedObject(subject, stored, response, currentJson, diagnostics);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function requestUpgrade(
  { addr, provider }: Subject,
  { schemaVersion, attributesFlat }: StoredObject,
  json: string | undefined,
): Awaitable<UpgradeAnswer> {
  const { type } = addr.resource.resource;
  const request: Mutable<UpgradeRequest> = { type, version: schemaVersion, address: addr.text };
  if (json !== undefined) request.json = json;
  if (attributesFlat !== undefined) request.flatmap = attributesFlat;
  return provider.upgradeResourceState(request);
}

/** Converts a response. `currentJson` is the stored JSON if it may be retained. Undefined after errors. */
function upgradedObject(
  subject: Subject,
  stored: StoredObject,
  response: UpgradeAnswer,
  currentJson: string | undefined,
  diagnostics: Diagnostic[],
): Awaitable<LiveObject | undefined> {
  if (isRefused(response, subject, diagnostics)) return undefined;
  const { state } = response;
  const { sensitivePaths } = stored;
  const value =
    sensitivePaths.length === 0
      ? state
      : state.markWithPaths(sensitivePaths.map((path) => ({ path, marks: SENSITIVE_MARKS })));
  const isKept = currentJson !== undefined && namesNulls(currentJson, state);
  if (stored.identityJson === undefined) {
    const object = isKept ? stored : restore(stored, value, subject.schema, stored.private);
    return { stored: object, value };
  }
  return chain(
    upgradeIdentity(subject, stored, whereabouts(subject), diagnostics),
    (identified) => {
      if (identified === undefined) return undefined;
      const identity = storedIdentity(subject, identified);
      const current = isKept
        ? identified
        : restore(identified, value, subject.schema, stored.private);
      const object = { stored: current, value };
      return identity === undefined ? object : { ...object, identity };
    },
  );
}

/** Reports the provider's diagnostics; returns true if they contain errors. */
export function isRefused(
  { diagnostics: reported }: Answer,
  subject: Subject,
  diagnostics: Diagnostic[],
): boolean {
  if (reported === undefined || reported.length === 0) return false;
  const problems = diagnosticsOf(reported, whereabouts(subject));
  diagnostics.push(...problems);
  return hasErrors(problems);
}

/** Returns the stored form of a changed value; all other properties are retained. */
export function restore(
  stored: StoredObject,
  value: Value,
  schema: Schema,
  privateData: Uint8Array | undefined,
): StoredObject {
  const { status, dependencies, createBeforeDestroy, skipDestroy, provider } = stored;
  const { identityJson, identitySchemaVersion } = stored;
  return encodeStored(value, impliedType(schema.block), {
    status,
    schemaVersion: schema.version,
    dependencies,
    createBeforeDestroy,
    provider,
    ...(skipDestroy === undefined ? {} : { skipDestroy }),
    ...(identityJson === undefined ? {} : { identityJson }),
    ...(identitySchemaVersion === undefined ? {} : { identitySchemaVersion }),
    ...(privateData === undefined ? {} : { private: privateData }),
  });
}

/** The result of a refresh; `object` is `undefined` if the object no longer exists. */
export interface Refreshed {
  readonly object: LiveObject | undefined;
  readonly failed: boolean;
  /** Set if the provider deferred the refresh; then only the value is the provider's. */
  readonly deferred?: DeferredReason;
  /** Private data that the provider returned with a missing object. */
  readonly remainingPrivate?: Uint8Array;
}

/**
 * Refreshes a stored object: compares it with the remote object. The result is immediate if the provider responds
 * synchronously.
 */
export function refreshStored(
  run: ObjectRun,
  subject: Subject,
  live: LiveObject,
  diagnostics: Diagnostic[],
): Awaitable<Refreshed> {
  const id = idOf(live.value);
  emitRefresh(run, 'refresh-start', subject, id);
  const { value: prior, paths } = live.value.unmarkDeepWithPaths();
  const { addr, provider, providerMeta } = subject;
  const request: Mutable<ReadRequest> = {
    type: addr.resource.resource.type,
    prior,
    address: addr.text,
    capabilities: run.capabilities,
  };
  if (providerMeta !== undefined) request.providerMeta = providerMeta;
  if (live.identity !== undefined) request.identity = live.identity;
  if (live.stored.private !== undefined) request.private = live.stored.private;
  const unread: Unread = { live, id, prior, paths };
  const read = provider.readResource(request);
  return isPromise(read)
    ? read.then((received) => refreshedObject(run, subject, unread, received, diagnostics))
    : refreshedObject(run, subject, unread, read, diagnostics);
}

function emitRefresh(
  run: ObjectRun,
  kind: 'refresh-start' | 'refresh-complete',
  { addr, deposed }: Subject,
  { idKey, idValue }: ObjectId,
): void {
  const event: Mutable<Extract<RunEvent, { kind: 'refresh-start' | 'refresh-complete' }>> = {
    kind,
    addr,
  };
  if (deposed !== undefined) event.deposed = deposed;
  if (idKey !== undefined) event.idKey = idKey;
  if (idValue !== undefined) event.idValue = idValue;
  run.emit(event);
}

/** An object that is refreshed, and its value without marks. */
interface Unread {
  readonly live: LiveObject;
  readonly id: ObjectId;
  readonly prior: Value;
  readonly paths: ReturnType<Value['unmarkDeepWithPaths']>['paths'];
}

/** Compares the response with the object before. */
function refreshedObject(
  run: ObjectRun,
  subject: Subject,
  { live, id, prior, paths }: Unread,
  read: ReadAnswer,
  diagnostics: Diagnostic[],
): Refreshed {
  const { schema } = subject;
  if (isRefused(read, subject, diagnostics)) return { object: live, failed: true };
  if (read.deferred !== undefined) {
    const marked = read.state.isNull ? read.state : read.state.markWithPaths(paths);
    const object = { ...live, value: withSchemaMarks(marked, schema) };
    return { object, failed: false, deferred: read.deferred.reason };
  }
  const unchanged = read.state.rawEquals(prior);
  const isMissing = read.state.isNull;
  const plain = unchanged || isMissing ? live.value : read.state.markWithPaths(paths);
  const value = withSchemaMarks(plain, schema);
  const refreshedId = isMissing ? NO_ID : value === live.value ? id : idOf(value);
  emitRefresh(run, 'refresh-complete', subject, refreshedId);
  if (isMissing) {
    const remaining = read.private === undefined ? {} : { remainingPrivate: read.private };
    return { object: undefined, failed: false, ...remaining };
  }
  const samePrivate = samePrivateData(read.private, live.stored.private);
  const sameIdentity = isSameIdentity(read.identity, live.identity);
  if (samePrivate && sameIdentity && value === live.value) return { object: live, failed: false };
  const privateData = samePrivate ? live.stored.private : read.private;
  const identified = sameIdentity ? live.stored : withIdentity(subject, live.stored, read.identity);
  const storedObject = restore(identified, value, schema, privateData);
  const identityPart = read.identity === undefined ? {} : { identity: read.identity };
  return { object: { stored: storedObject, value, ...identityPart }, failed: false };
}

function isSameIdentity(a: Value | undefined, b: Value | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.rawEquals(b));
}

function samePrivateData(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === b) return true;
  const [left, right] = [a ?? NOTHING, b ?? NOTHING];
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

const NOTHING = new Uint8Array();

/** Adds the marks of the schema to a value; returns the same value if it has them already. */
export function withSchemaMarks(value: Value, schema: Schema): Value {
  if (!containsSensitive(schema.block)) return value;
  const paths = sensitivePaths(schema.block, value);
  if (paths.length === 0) return value;
  const marked = value.markWithPaths(paths.map((path) => ({ path, marks: SENSITIVE_MARKS })));
  return marked.rawEquals(value) ? value : marked;
}

/** An attribute that identifies an object to users. */
export interface ObjectId {
  readonly idKey?: string;
  readonly idValue?: string;
}

/**
 * Returns the attribute that identifies an object in progress messages (`ObjectValueID`): its `id`, or its `name` if
 * its type has no id.
 */
export function idOf(value: Value): ObjectId {
  if (!isPlainObject(value)) return NO_ID;
  return isText(value, 'id')
    ? textAt(value, 'id')
    : isText(value, 'name')
      ? textAt(value, 'name')
      : NO_ID;
}

const NO_ID: ObjectId = {};

/** Variant for an object that is about to be changed, with more candidates (`ObjectValueIDOrName`). */
export function idOrNameOf(value: Value): ObjectId {
  const id = idOf(value);
  if (id.idKey !== undefined || !isPlainObject(value)) return id;
  if (isText(value, 'name')) return textAt(value, 'name');
  if (value.type.kind !== 'object' || value.type.indexOf('tags') === undefined) return {};
  const tags = value.attr('tags');
  if (tags.isNull || !tags.isWhollyKnown() || tags.isMarked) return {};
  if (tags.type.kind !== 'map' || tags.type.element !== STRING) return {};
  for (const key of ['name', 'Name']) {
    const tag = tags.get(key);
    if (tag === undefined) continue;
    return tag.isNull || tag.isMarked ? {} : { idKey: `tags.${key}`, idValue: tag.asString() };
  }
  return {};
}

function isPlainObject(value: Value): boolean {
  return !value.isNull && value.isKnown && !value.isMarked && value.type.kind === 'object';
}

function isText(value: Value, name: string): boolean {
  if (value.type.kind !== 'object') return false;
  const index = value.type.indexOf(name);
  return index !== undefined && value.type.types[index] === STRING;
}

function textAt(value: Value, name: string): ObjectId {
  const text = value.attr(name);
  const usable = text.isKnown && !text.isNull && !text.isMarked;
  return usable ? { idKey: name, idValue: text.asString() } : {};
}

/** A null object of a schema's type. */
export function nothing(schema: Schema): Value {
  return nullOf(impliedType(schema.block));
}
