import {
  AbsResource,
  type InstanceAddr,
  type InstanceKey,
  type ModuleInstance,
  ProviderConfigAddr,
  ResourceAddr,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import {
  Bug,
  CtyError,
  parseJson,
  typeFromJson,
  typeToJson,
  valueFromJson,
  valueToJson,
  type Value,
} from '@terrane/cty';
import { readChecks } from './check-results.ts';
import type { StateEvent, StoredIdentity } from './event.ts';
import { JsonBytes } from './json-bytes.ts';
import { jsonString } from './json-writer.ts';
import type { StoredObject } from './model.ts';
import { base64FromBytes, ObjectSlice, ObjectSource, readSlice } from './object-json.ts';
import { sensitivePathsToJson } from './sensitive-paths.ts';
import { checksToJson } from './statefile-write.ts';

/** Encodes an event as a journal record: compact JSON, with verbatim attributes. */
export function eventToJson(event: StateEvent): string {
  switch (event.kind) {
    case 'intent': {
      const prior =
        event.prior === undefined
          ? ''
          : `,"prior":{"schema_version":${event.prior.schemaVersion},"identity":${event.prior.json}}`;
      const planned =
        event.planned === undefined ? '' : `,"planned":${objectToJson(event.planned)}`;
      const at = event.at === undefined ? '' : `,"at":${jsonString(event.at)}`;
      const carried = event.carried === true ? ',"carried":true' : '';
      return `{"kind":"intent","step":${event.step},"action":${jsonString(event.action)},"addr":${addressToJson(event.addr)}${deposedMember(event.deposed)}${prior}${planned}${at}${carried}}`;
    }
    case 'settled':
      return `{"kind":"settled","addr":${addressToJson(event.addr)}}`;
    case 'invoke':
      return `{"kind":"invoke","invocation":${jsonString(event.invocation)},"ended":${event.ended}}`;
    case 'put':
      return `{"kind":"put","addr":${addressToJson(event.addr)}${deposedMember(event.deposed)},"object":${objectToJson(event.object)}}`;
    case 'drop':
      return `{"kind":"drop","addr":${addressToJson(event.addr)}${deposedMember(event.deposed)}}`;
    case 'depose':
      return `{"kind":"depose","addr":${addressToJson(event.addr)},"as":${jsonString(event.as)}}`;
    case 'restore':
      return `{"kind":"restore","addr":${addressToJson(event.addr)},"from":${jsonString(event.from)}}`;
    case 'move':
      return `{"kind":"move","from":${addressToJson(event.from)},"to":${addressToJson(event.to)}}`;
    case 'outputs':
      return `{"kind":"outputs","values":{${[...event.values].map(outputToJson).join(',')}}}`;
    case 'checks':
      return `{"kind":"checks","results":${checksToJson(event.results)}}`;
    case 'batch':
      return `{"kind":"batch","events":[${event.events.map(eventToJson).join(',')}]}`;
  }
}

function deposedMember(deposed: string | undefined): string {
  return deposed === undefined ? '' : `,"deposed":${jsonString(deposed)}`;
}

/** Parts instead of a text, so that reading needs no parser of addresses. */
function addressToJson(address: InstanceAddr): string {
  // The short end is one text, so that a single concatenation remains.
  const end = `${keyMember(address.key)}]`;
  return resourceToJson(address.resource) + end;
}

/** The beginning of an address, up to the key of the instance. */
const resourceToJson = sameAsLast(({ module, resource }: AbsResource): string => {
  const steps = module.path.names.map(
    (name, i) => `[${jsonString(name)}${keyMember(module.keys[i])}]`,
  );
  return `[[${steps.join(',')}],${jsonString(resource.mode)},${jsonString(resource.type)},${jsonString(resource.name)}`;
});

const providerMember = sameAsLast((text: string): string => `{"provider":${jsonString(text)},`);

const dependenciesMember = sameAsLast(
  (texts: readonly string[]): string => `,"dependencies":[${texts.map(jsonString).join(',')}]`,
);

/** Returns the function with the result of its last call retained: the events of a large run repeat most of their parts. */
function sameAsLast<T extends AbsResource | string | readonly string[]>(
  encode: (part: T) => string,
): (part: T) => string {
  let lastPart: T | undefined;
  let lastText = '';
  return (part) => {
    if (part !== lastPart) {
      lastText = encode(part);
      lastPart = part;
    }
    return lastText;
  };
}

function keyMember(key: InstanceKey): string {
  if (key === undefined) return '';
  return typeof key === 'number' ? `,${key}` : `,${jsonString(key)}`;
}

/** The members of a statefile's object, and its provider. */
function objectToJson(object: StoredObject): string {
  const status = object.status === 'tainted' ? ',"status":"tainted"' : '';
  const version = `"schema_version":${object.schemaVersion}${status}`;
  let text = providerMember(object.provider.text) + version;
  if (object.attributesJson !== undefined) text += `,"attributes":${object.attributesJson}`;
  else text += `,"attributes_flat":${JSON.stringify(object.attributesFlat ?? {})}`;
  if (object.sensitivePaths.length > 0) {
    text += `,"sensitive_attributes":${sensitivePathsToJson(object.sensitivePaths)}`;
  }
  if (object.identityJson !== undefined) {
    text += `,"identity_schema_version":${object.identitySchemaVersion ?? 0},"identity":${object.identityJson}`;
  }
  if (object.private !== undefined && object.private.length > 0) {
    text += `,"private":"${base64FromBytes(object.private)}"`;
  }
  if (object.dependencies.length > 0) {
    text += dependenciesMember(object.dependencies);
  }
  if (object.createBeforeDestroy) text += ',"create_before_destroy":true';
  if (object.skipDestroy === true) text += ',"skip_destroy":true';
  return `${text}}`;
}

function outputToJson([name, marked]: readonly [string, Value]): string {
  const sensitive = marked.hasMarkDeep('sensitive');
  const value = marked.containsMarked() ? marked.unmarkDeep().value : marked;
  return `${jsonString(name)}:{"value":${valueToJson(value, value.type)},"type":${JSON.stringify(typeToJson(value.type))},"sensitive":${sensitive}}`;
}

/** Decodes a record of `eventToJson`; throws for malformed input. */
export function eventFromJson(bytes: Uint8Array): StateEvent {
  const json = new JsonBytes(bytes);
  return new EventReader(json).read(json.space(0));
}

class EventReader {
  readonly #json: JsonBytes;
  readonly #source: ObjectSource;

  constructor(json: JsonBytes) {
    this.#json = json;
    this.#source = new ObjectSource(json);
  }

  read(at: number): StateEvent {
    const members = this.#members(at);
    const positionOf = (name: string): number => {
      const position = members.get(name);
      if (position === undefined) throw new Bug(`journal record without ${name}`);
      return position;
    };
    const text = (name: string): string => this.#json.stringAt(positionOf(name));
    const deposed = members.has('deposed') ? { deposed: text('deposed') } : {};
    const kind = text('kind');
    switch (kind) {
      case 'intent': {
        const prior = members.get('prior');
        const planned = members.get('planned');
        return {
          kind,
          step: Number(this.#text(positionOf('step'))),
          action: text('action'),
          addr: this.#address(positionOf('addr')),
          ...deposed,
          ...(prior === undefined ? {} : { prior: this.#identity(prior) }),
          ...(planned === undefined ? {} : { planned: this.#object(planned) }),
          ...(members.has('at') ? { at: text('at') } : {}),
          ...(members.has('carried') ? { carried: true } : {}),
        };
      }
      case 'settled':
        return { kind, addr: this.#address(positionOf('addr')) };
      case 'invoke':
        return {
          kind,
          invocation: text('invocation'),
          ended: this.#text(positionOf('ended')) === 'true',
        };
      case 'put':
        return {
          kind,
          addr: this.#address(positionOf('addr')),
          ...deposed,
          object: this.#object(positionOf('object')),
        };
      case 'drop':
        return { kind, addr: this.#address(positionOf('addr')), ...deposed };
      case 'depose':
        return { kind, addr: this.#address(positionOf('addr')), as: text('as') };
      case 'restore':
        return { kind, addr: this.#address(positionOf('addr')), from: text('from') };
      case 'move':
        return {
          kind,
          from: this.#address(positionOf('from')),
          to: this.#address(positionOf('to')),
        };
      case 'outputs':
        return { kind, values: this.#outputs(positionOf('values')) };
      case 'checks':
        return { kind, results: readChecks(this.#text(positionOf('results'))) };
      case 'batch': {
        const events: StateEvent[] = [];
        this.#json.elements(positionOf('events'), (element) => {
          events.push(this.read(element));
          return this.#json.value(element);
        });
        return { kind, events };
      }
      default:
        throw new Bug(`journal record of the unknown kind ${kind}`);
    }
  }

  #members(at: number): ReadonlyMap<string, number> {
    const members = new Map<string, number>();
    this.#json.members(at, (key, value) => {
      members.set(this.#json.stringAt(key), value);
      return this.#json.value(value);
    });
    return members;
  }

  #text(at: number): string {
    return this.#json.text(at, this.#json.value(at));
  }

  #object(at: number): StoredObject {
    const provider = this.#members(at).get('provider');
    const address =
      provider === undefined ? undefined : ProviderConfigAddr.parse(this.#json.stringAt(provider));
    if (address === undefined) throw new Bug('journal record of an object without a provider');
    return readSlice(new ObjectSlice(this.#source, at), address);
  }

  #identity(at: number): StoredIdentity {
    const members = this.#members(at);
    const version = members.get('schema_version');
    const identity = members.get('identity');
    return {
      schemaVersion: version === undefined ? 0 : Number(this.#text(version)),
      json: identity === undefined ? 'null' : this.#text(identity),
    };
  }

  #address(at: number): InstanceAddr {
    const parsed: unknown = JSON.parse(this.#text(at));
    if (!Array.isArray(parsed)) throw new Bug('journal record with a malformed address');
    const [steps, mode, type, name, key]: readonly unknown[] = parsed;
    let module: ModuleInstance = ROOT_INSTANCE;
    for (const step of Array.isArray(steps) ? steps : []) {
      const [call, callKey]: readonly unknown[] = Array.isArray(step) ? step : [];
      module = module.child(String(call), keyOf(callKey));
    }
    if (mode !== 'managed' && mode !== 'data') throw new Bug('journal record of a foreign mode');
    const resource = ResourceAddr.of(mode, String(type), String(name));
    return AbsResource.of(module, resource).instance(keyOf(key));
  }

  #outputs(at: number): ReadonlyMap<string, Value> {
    const values = new Map<string, Value>();
    this.#json.members(at, (key, member) => {
      const parts = this.#members(member);
      const valueAt = parts.get('value');
      const typeAt = parts.get('type');
      if (valueAt === undefined || typeAt === undefined) throw new CtyError('incomplete output');
      const typeText = this.#text(typeAt);
      parseJson(typeText);
      const value = valueFromJson(this.#text(valueAt), typeFromJson(JSON.parse(typeText)));
      const sensitiveAt = parts.get('sensitive');
      const sensitive = sensitiveAt !== undefined && this.#json.bytes[sensitiveAt] === 0x74;
      values.set(this.#json.stringAt(key), sensitive ? value.mark('sensitive') : value);
      return this.#json.value(member);
    });
    return values;
  }
}

function keyOf(key: unknown): InstanceKey {
  return typeof key === 'number' || typeof key === 'string' ? key : undefined;
}
