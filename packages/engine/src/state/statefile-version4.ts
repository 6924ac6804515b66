import {
  AbsResource,
  type InstanceAddr,
  type InstanceKey,
  type ModuleInstance,
  parseModuleInstance,
  parseTarget,
  ProviderConfigAddr,
  ResourceAddr,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import { compareText, quoteText } from '@terrane/cty';
import { CtyError, parseJson, typeFromJson, valueFromJson } from '@terrane/cty';
import { errorDiagnostic, hasErrors, parseTraversal, Source, type Diagnostic } from '@terrane/hcl';
import { decodeBase64 } from '@terrane/provider';
import type { JsonBytes, JsonKind } from './json-bytes.ts';
import { parseLegacyProvider } from './legacy-provider.ts';
import { InstanceMap } from './instance-map.ts';
import { LayeredMap } from './layered-map.ts';
import type { DeposedKey, OutputState, StateFile } from './model.ts';
import { ObjectSlice, ObjectSource, readNumber, readStrings } from './object-json.ts';
import type { ObjectFields } from './object-fields.ts';
import { readStoredChecks } from './check-results.ts';
import { decodeAs, memberOf, type StructShape } from './json-struct.ts';
import { sensitivePathsFromJson } from './sensitive-paths.ts';
import {
  currentOf,
  DeposedRecord,
  deposedOf,
  Snapshot,
  type InstanceRecord,
  type ResourceRecord,
  type Slot,
} from './snapshot.ts';
import { CHECKS_SHAPE, OUTPUT_SHAPE, RESOURCE_SHAPE, VERSION4_SHAPE } from './statefile-shapes.ts';
import { withoutPlace } from './without-place.ts';

const VERSION =
  /^v?[0-9]+(\.[0-9]+)*?(-[0-9]+[0-9A-Za-z\-~]*(\.[0-9A-Za-z\-~]+)*|-?[A-Za-z\-~]+[0-9A-Za-z\-~]*(\.[0-9A-Za-z\-~]+)*)?(\+[0-9A-Za-z\-~]+(\.[0-9A-Za-z\-~]+)*)?$/;

/** Base64 as it is mostly written. */
const PLAIN_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function wrongValue(field: string, actual: string): string {
  return `The state file field "${field}" has invalid value ${actual}`;
}

/** Returns true if a text is a version number that Terraform accepts. */
export function isVersionText(text: string): boolean {
  return VERSION.test(text);
}

/**
 * Reads a state file of version 4, whose object is at `start`. It is `irregular` if members are duplicate, or have
 * names in other case: then it must be normalised before it can be validated. Throws JsonSyntaxError.
 */
export function readVersion4(json: JsonBytes, start: number): Version4 {
  return new Version4Reader(json).read(start);
}

/** The result of {@link readVersion4}. */
export interface Version4 {
  readonly file?: StateFile;
  readonly diagnostics: readonly Diagnostic[];
  readonly irregular: boolean;
}

/** An instance that was read before its resource is complete. */
interface PendingInstance {
  readonly key: InstanceKey;
  readonly deposed: DeposedKey | undefined;
  /** the provider instance, if it is stored with each object */
  readonly provider: string | undefined;
  readonly from: number;
  /** the reason why it cannot be used; the address is added to it */
  readonly problem: ((address: AbsResource) => Diagnostic) | undefined;
  readonly diagnostics: readonly Diagnostic[] | undefined;
}

/** The members of an object that were already read. */
class Members {
  readonly #shape: StructShape;
  /** a bit for each member, in the shape's order */
  #seen = 0;
  /** true if a member is duplicate, or has a name in other case */
  irregular = false;

  constructor(shape: StructShape) {
    this.#shape = shape;
  }

  /** Records and returns the name of the member with the key at this position; `undefined`: it is ignored. */
  name(json: JsonBytes, key: number): string | undefined {
    let bit = 1;
    for (const name of this.#shape.fields.keys()) {
      if (json.isString(key, name)) {
        if ((this.#seen & bit) !== 0) this.irregular = true;
        this.#seen |= bit;
        return name;
      }
      bit <<= 1;
    }
    if (memberOf(this.#shape, json.stringAt(key)) !== undefined) this.irregular = true;
    return undefined;
  }
}

class Version4Reader {
  readonly #json: JsonBytes;
  readonly #source: ObjectSource;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #outputDiagnostics: Diagnostic[] = [];
  readonly #records = new InstanceMap<InstanceRecord>();
  readonly #resources: Map<AbsResource, ResourceRecord> = new Map();
  readonly #modules: Map<string, ModuleInstance | readonly Diagnostic[]> = new Map();
  /** the error for the first value of a wrong type, as Go's decoder reports it */
  #mismatch: string | undefined;
  #irregular = false;
  #dependenciesFrom = -1;
  #dependenciesTo = -1;
  #dependencyProblems: readonly Diagnostic[] | undefined;

  constructor(json: JsonBytes) {
    this.#json = json;
    this.#source = new ObjectSource(json);
  }

  read(start: number): Version4 {
    const json = this.#json;
    let terraformVersion = '';
    let serial = 0;
    let lineage = '';
    let outputs: ReadonlyMap<string, OutputState> = new Map();
    let checks: ReturnType<typeof readStoredChecks> | undefined;
    const seen = new Members(VERSION4_SHAPE);
    const end = json.members(start, (key, value) => {
      const name = seen.name(json, key);
      if (name === 'resources' && json.bytes[value] === 0x5b) {
        return json.elements(value, (resource) => this.#resource(resource));
      }
      const after = json.value(value);
      switch (name) {
        case 'resources':
          this.#expect(value, 'array', name);
          break;
        case 'terraform_version':
          terraformVersion = this.#string(value, 'terraform_version') ?? '';
          break;
        case 'serial':
          serial = this.#number(value, 'serial') ?? 0;
          break;
        case 'lineage':
          lineage = this.#string(value, 'lineage') ?? '';
          break;
        case 'outputs':
          outputs = this.#outputs(value) ?? outputs;
          break;
        case 'check_results':
          checks = this.#checks(value) ?? checks;
          break;
        default:
      }
      return after;
    });
    const rest = json.space(end);
    if (rest < json.bytes.length) json.fail(rest);
    if (this.#irregular || seen.irregular) return { diagnostics: [], irregular: true };
    const irregular = false;
    if (this.#mismatch !== undefined) {
      const problem = errorDiagnostic('Invalid state file format', this.#mismatch);
      return { diagnostics: [problem], irregular };
    }
    const diagnostics: Diagnostic[] = [];
    if (terraformVersion !== '' && !isVersionText(terraformVersion)) {
      const detail = `State file claims to have been written by Terraform version ${quoteText(terraformVersion)}, which is not a valid version string.`;
      diagnostics.push(errorDiagnostic('Invalid Terraform version string', detail));
    }
    diagnostics.push(
      ...this.#diagnostics,
      ...this.#outputDiagnostics,
      ...(checks?.diagnostics ?? []),
    );
    if (hasErrors(diagnostics)) return { diagnostics, irregular };
    const [records, resources] = [LayeredMap.of(this.#records), LayeredMap.of(this.#resources)];
    const state = new Snapshot(outputs, checks?.checks, records, resources);
    return { file: { state, lineage, serial, terraformVersion }, diagnostics, irregular };
  }

  #checks(start: number): ReturnType<typeof readStoredChecks> | undefined {
    if (!this.#expect(start, 'array', 'check_results')) return undefined;
    const { text, mismatch } = decodeAs(CHECKS_SHAPE, this.#json, start);
    if (mismatch === undefined) return readStoredChecks(text);
    const field = ['check_results', mismatch.field].filter((name) => name !== '');
    this.#mismatch ??= wrongValue(field.join('.'), mismatch.actual);
    return undefined;
  }

  /** Returns true if the value is of the kind, and records a mismatch if it is of another one except null. */
  #expect(value: number, kind: JsonKind, field: string): boolean {
    const actual = this.#json.kind(value);
    if (actual === kind) return true;
    if (actual !== 'null') this.#mismatch ??= wrongValue(field, actual);
    return false;
  }

  #string(value: number, field: string): string | undefined {
    return this.#expect(value, 'string', field) ? this.#json.stringAt(value) : undefined;
  }

  #number(value: number, field: string): number | undefined {
    if (!this.#expect(value, 'number', field)) return undefined;
    const number = this.#json.digitsAt(value);
    if (number !== undefined) return number;
    const text = this.#json.text(value, this.#json.value(value));
    this.#mismatch ??= wrongValue(field, `number ${text}`);
    return undefined;
  }

  #outputs(value: number): ReadonlyMap<string, OutputState> | undefined {
    if (!this.#expect(value, 'object', 'outputs')) return undefined;
    const json = this.#json;
    const outputs = new Map<string, OutputState>();
    json.members(value, (key, member) => {
      const after = json.value(member);
      if (!this.#expect(member, 'object', 'outputs')) return after;
      let valueText: string | undefined;
      let typeText: string | undefined;
      let sensitive = false;
      const seen = new Members(OUTPUT_SHAPE);
      json.members(member, (name, part) => {
        const partEnd = json.value(part);
        switch (seen.name(json, name)) {
          case 'value':
            valueText = json.text(part, partEnd);
            break;
          case 'type':
            typeText = json.text(part, partEnd);
            break;
          case 'sensitive':
            if (this.#expect(part, 'bool', 'outputs.sensitive')) {
              sensitive = json.bytes[part] === 0x74;
            }
            break;
          default:
        }
        return partEnd;
      });
      const name = json.stringAt(key);
      if (seen.irregular || outputs.has(name)) this.#irregular = true;
      if (this.#irregular) return after;
      const output = this.#output(name, valueText, typeText, sensitive);
      if (output !== undefined) outputs.set(name, output);
      return after;
    });
    return new Map([...outputs].sort(([a], [b]) => compareText(a, b)));
  }

  #output(
    name: string,
    valueText: string | undefined,
    typeText: string | undefined,
    sensitive: boolean,
  ): OutputState | undefined {
    let type;
    try {
      if (typeText === undefined) throw new CtyError('EOF');
      type = typeFromJson(plainJson(typeText));
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      this.#outputDiagnostics.push(
        errorDiagnostic(
          'Invalid output value type in state',
          `The state file has an invalid type specification for output ${quoteText(name)}: ${error.message}.`,
        ),
      );
      return undefined;
    }
    try {
      if (valueText === undefined) throw new CtyError('EOF');
      return { value: valueFromJson(valueText, type), sensitive };
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      this.#outputDiagnostics.push(
        errorDiagnostic(
          'Invalid output value saved in state',
          `The state file has an invalid value for output ${quoteText(name)}: ${error.message}.`,
        ),
      );
      return undefined;
    }
  }

  #resource(at: number): number {
    const json = this.#json;
    if (json.bytes[at] !== 0x7b) {
      const after = json.value(at);
      this.#expect(at, 'object', 'resources');
      return after;
    }
    let module = '';
    let mode = '';
    let type = '';
    let name = '';
    let provider = '';
    let instances: readonly PendingInstance[] = [];
    const seen = new Members(RESOURCE_SHAPE);
    const end = json.members(at, (key, value) => {
      const member = seen.name(json, key);
      if (member === 'instances' && json.bytes[value] === 0x5b) {
        const pending: PendingInstance[] = [];
        instances = pending;
        return json.elements(value, (instance) => this.#instance(instance, pending));
      }
      const after = json.value(value);
      switch (member) {
        case 'module':
          module = this.#string(value, 'resources.module') ?? '';
          break;
        case 'mode':
          mode = this.#string(value, 'resources.mode') ?? '';
          break;
        case 'type':
          type = this.#string(value, 'resources.type') ?? '';
          break;
        case 'name':
          name = this.#string(value, 'resources.name') ?? '';
          break;
        case 'each':
          this.#string(value, 'resources.each');
          break;
        case 'provider':
          provider = this.#string(value, 'resources.provider') ?? '';
          break;
        case 'instances':
          this.#expect(value, 'array', 'resources.instances');
          break;
        default:
      }
      return after;
    });
    if (seen.irregular) this.#irregular = true;
    if (this.#irregular) return end;
    if (this.#mismatch === undefined) this.#place(module, mode, type, name, provider, instances);
    return end;
  }

  #instance(at: number, pending: PendingInstance[]): number {
    const json = this.#json;
    if (json.bytes[at] !== 0x7b) {
      const after = json.value(at);
      this.#expect(at, 'object', 'resources.instances');
      return after;
    }
    const f = this.#source.readFields(at);
    if (f.irregular) this.#irregular = true;
    if (this.#irregular) return f.end;
    this.#checkTypes(f);
    let diagnostics: readonly Diagnostic[] | undefined;
    let key: InstanceKey;
    let problem: PendingInstance['problem'];
    if (f.indexKey !== -1) {
      const kind = json.kind(f.indexKey);
      if (kind === 'string') key = json.stringAt(f.indexKey);
      else if (kind === 'number') key = Math.trunc(readNumber(json, f.indexKey));
      else {
        const text = json.text(f.indexKey, json.value(f.indexKey));
        problem = (address) =>
          invalid(
            `Resource ${address.text} has an instance with the invalid instance key ${text}.`,
          );
      }
    }
    if (f.sensitive !== -1 && json.bytes[json.space(f.sensitive + 1)] !== 0x5d) {
      const paths = sensitivePathsFromJson(json.text(f.sensitive, f.sensitiveEnd));
      if (paths.diagnostics.length > 0) problem ??= () => paths.diagnostics[0] ?? invalid('');
    }
    if (f.status !== -1 && problem === undefined) {
      const status = json.stringAt(f.status);
      if (status !== '' && status !== 'tainted') {
        problem = (address) =>
          invalid(
            `Instance ${address.instance(key).text} has invalid status ${quoteText(status)}.`,
          );
      }
    }
    if (f.dependencies !== -1 && problem === undefined) {
      diagnostics = this.#checkDependencies(f);
    }
    const deposedText = f.deposed === -1 ? '' : json.stringAt(f.deposed);
    pending.push({
      key,
      deposed: deposedText === '' ? undefined : deposedText,
      provider: f.provider === -1 ? undefined : json.stringAt(f.provider),
      from: at,
      problem,
      diagnostics,
    });
    return f.end;
  }

  #checkTypes(f: ObjectFields): void {
    const at = 'resources.instances';
    if (f.status !== -1) this.#expect(f.status, 'string', `${at}.status`);
    if (f.deposed !== -1) this.#expect(f.deposed, 'string', `${at}.deposed`);
    if (f.provider !== -1) this.#expect(f.provider, 'string', `${at}.provider`);
    if (f.schemaVersion !== -1) this.#number(f.schemaVersion, `${at}.schema_version`);
    if (f.private !== -1 && this.#expect(f.private, 'string', `${at}.private`)) {
      this.#checkBase64(f.private);
    }
    if (f.createBeforeDestroy !== -1) {
      this.#expect(f.createBeforeDestroy, 'bool', `${at}.create_before_destroy`);
    }
    if (f.skipDestroy !== -1) this.#expect(f.skipDestroy, 'bool', `${at}.skip_destroy`);
    if (f.dependencies !== -1 && this.#expect(f.dependencies, 'array', `${at}.dependencies`)) {
      if (!this.#sameDependencies(f)) {
        this.#json.elements(f.dependencies, (value) => {
          this.#expect(value, 'string', `${at}.dependencies`);
          return this.#json.value(value);
        });
      }
    }
    if (f.flat !== -1 && this.#expect(f.flat, 'object', `${at}.attributes_flat`)) {
      this.#json.members(f.flat, (_key, value) => {
        this.#expect(value, 'string', `${at}.attributes_flat`);
        return this.#json.value(value);
      });
    }
  }

  #checkBase64(value: number): void {
    const text = this.#json.stringAt(value);
    if (PLAIN_BASE64.test(text)) return;
    const bytes = decodeBase64(text, 'standard');
    if (typeof bytes === 'string') {
      this.#mismatch ??= `The state file does not conform to the expected JSON data structure: ${bytes}.`;
    }
  }

  /** Returns true if the dependencies equal, byte for byte, those checked last. Those of neighbours mostly do. */
  #sameDependencies(f: ObjectFields): boolean {
    const n = f.dependenciesEnd - f.dependencies;
    if (this.#dependenciesFrom === -1 || n !== this.#dependenciesTo - this.#dependenciesFrom) {
      return false;
    }
    const { bytes } = this.#json;
    for (let i = 0; i < n; i++) {
      if (bytes[f.dependencies + i] !== bytes[this.#dependenciesFrom + i]) return false;
    }
    return true;
  }

  #checkDependencies(f: ObjectFields): readonly Diagnostic[] {
    if (this.#mismatch !== undefined) return [];
    if (!this.#sameDependencies(f)) {
      this.#dependenciesFrom = f.dependencies;
      this.#dependenciesTo = f.dependenciesEnd;
      this.#dependencyProblems = readStrings(this.#json, f.dependencies).flatMap(checkDependency);
    }
    return this.#dependencyProblems ?? [];
  }

  #place(
    moduleText: string,
    mode: string,
    type: string,
    name: string,
    providerText: string,
    instances: readonly PendingInstance[],
  ): void {
    if (mode !== 'managed' && mode !== 'data') {
      this.#diagnostics.push(
        errorDiagnostic(
          'Invalid resource mode in state',
          `State contains a resource with mode ${quoteText(mode)} (${quoteText(type)} ${quoteText(name)}) which is not supported.`,
        ),
      );
      return;
    }
    const module = this.#module(moduleText);
    if (module === undefined) return;
    const resource = AbsResource.of(module, ResourceAddr.of(mode, type, name));
    const keyed =
      providerText === '' && instances.some((instance) => instance.provider !== undefined);
    const provider = keyed
      ? this.#sharedProvider(resource, instances)
      : (ProviderConfigAddr.parse(providerText) ?? parseLegacyProvider(providerText).provider);
    if (keyed && provider === undefined) return;
    if (provider === undefined) {
      // Terraform omits such a resource silently, and thus loses it.
      this.#diagnostics.push(
        errorDiagnostic(
          'Invalid provider configuration address',
          `The state file has the invalid provider configuration address ${quoteText(providerText)} for ${resource.text}.`,
        ),
      );
      return;
    }
    let count = this.#resources.get(resource)?.instances ?? 0;
    for (const pending of instances) {
      if (pending.problem !== undefined) {
        this.#diagnostics.push(pending.problem(resource));
        continue;
      }
      if (pending.diagnostics !== undefined) this.#diagnostics.push(...pending.diagnostics);
      if (this.#placeInstance(resource.instance(pending.key), pending)) count++;
    }
    this.#resources.set(resource, { provider, instances: count, ...(keyed ? { keyed } : {}) });
  }

  /** The configuration that the provider instances of all objects of a resource are instances of. */
  #sharedProvider(
    resource: AbsResource,
    instances: readonly PendingInstance[],
  ): ProviderConfigAddr | undefined {
    let shared: ProviderConfigAddr | undefined;
    for (const { key, provider: text } of instances) {
      if (text === undefined) {
        this.#diagnostics.push(
          errorDiagnostic(
            'Provider field missing state',
            `Resource ${resource.text} is missing a provider address, both on the resource and the resource instances.`,
          ),
        );
        return undefined;
      }
      const providerConfig = ProviderConfigAddr.parse(text);
      if (providerConfig === undefined) {
        this.#diagnostics.push(
          errorDiagnostic(
            'Invalid provider configuration address',
            `The state file has the invalid provider configuration address ${quoteText(text)} for ${resource.instance(key).text}.`,
          ),
        );
        return undefined;
      }
      if (shared !== undefined && shared !== providerConfig.configuration) {
        this.#diagnostics.push(
          errorDiagnostic(
            'Provider instance field conflict in state',
            `Resource ${resource.text} has instances with different provider addresses: ${quoteText(shared.text)} != ${quoteText(providerConfig.configuration.text)}.`,
          ),
        );
        return undefined;
      }
      shared = providerConfig.configuration;
    }
    return shared;
  }

  /** Adds an object to the record of its instance. Returns true if it is the first one of the instance. */
  #placeInstance(address: InstanceAddr, pending: PendingInstance): boolean {
    const { deposed } = pending;
    const existing = this.#records.get(address);
    const slot = new ObjectSlice(this.#source, pending.from);
    if (deposed === undefined) {
      if (currentOf(existing) !== undefined) {
        this.#duplicate(`Instance ${address.text} appears multiple times in the state file.`);
        return false;
      }
      const others = deposedOf(existing);
      this.#records.set(address, others === undefined ? slot : new DeposedRecord(slot, others));
      return existing === undefined;
    }
    if (new TextEncoder().encode(deposed).length !== 8) {
      this.#diagnostics.push(
        invalid(
          `Instance ${address.text} has an object with deposed key ${quoteText(deposed)}, which is not correctly formatted.`,
        ),
      );
      return false;
    }
    if (deposedOf(existing)?.has(deposed) === true) {
      this.#duplicate(
        `Instance ${address.text} deposed object ${quoteText(deposed)} appears multiple times in the state file.`,
      );
      return false;
    }
    const all: [DeposedKey, Slot][] = [...(deposedOf(existing) ?? []), [deposed, slot]];
    all.sort(([a], [b]) => compareText(a, b));
    this.#records.set(address, new DeposedRecord(currentOf(existing), new Map(all)));
    return existing === undefined;
  }

  #duplicate(detail: string): void {
    this.#diagnostics.push(errorDiagnostic('Duplicate resource instance in state', detail));
  }

  #module(text: string): ModuleInstance | undefined {
    if (text === '') return ROOT_INSTANCE;
    let moduleEntry = this.#modules.get(text);
    if (moduleEntry === undefined) {
      const { instance, diagnostics } = parseModuleInstance(text);
      moduleEntry = instance ?? diagnostics;
      this.#modules.set(text, moduleEntry);
    }
    if ('text' in moduleEntry) return moduleEntry;
    this.#diagnostics.push(...moduleEntry.map(withoutPlace));
    return undefined;
  }
}

function invalid(detail: string): Diagnostic {
  return errorDiagnostic('Invalid resource instance metadata in state', detail);
}

const PLAIN = /^(?:module\.[\w-]+\.)*(?:data\.)?(?!module\.)[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*$/;

function checkDependency(text: string): readonly Diagnostic[] {
  if (PLAIN.test(text)) return [];
  const { traversal, diagnostics } = parseTraversal(new Source('', text));
  if (traversal === undefined || hasErrors(diagnostics)) return diagnostics.map(withoutPlace);
  const parsed = parseTarget(text);
  if (parsed.target === undefined) return parsed.diagnostics.map(withoutPlace);
  switch (parsed.target.kind) {
    case 'resource':
      return [];
    case 'instance':
      return [
        errorDiagnostic(
          'Invalid address',
          'A resource address is required. This instance key identifies a specific resource instance, which is not expected here.',
        ),
      ];
    case 'module':
      return [
        errorDiagnostic(
          'Invalid address',
          'A resource address is required here. The module path must be followed by a resource specification.',
        ),
      ];
  }
}

/** JSON as plain data, for types, which hold no numbers. */
function plainJson(text: string): unknown {
  parseJson(text); // for its errors, which are CtyErrors
  return JSON.parse(text);
}
