import type {
  AbsResource,
  CheckableKind,
  InstanceAddr,
  InstanceKey,
  ProviderConfigAddr,
} from '@terrane/addresses';
import type { Path, Value } from '@terrane/cty';

/**
 * A stored object of a resource instance. Attributes stay JSON text until they are decoded. Plain data: it may be
 * spread and compared by field.
 */
export interface StoredObject {
  /** `tainted`: exists, but is to be replaced */
  readonly status: 'ready' | 'tainted';
  /** version of the resource type's schema by which the attributes were written */
  readonly schemaVersion: number;
  /** JSON text of the attributes; either this or `attributesFlat` is defined */
  readonly attributesJson?: string;
  /** attributes as Terraform wrote them before 0.12: flat names to strings */
  readonly attributesFlat?: Readonly<Record<string, string>>;
  /** paths in the attributes that are sensitive because of the configuration */
  readonly sensitivePaths: readonly Path[];
  /** opaque bytes of the provider */
  readonly private?: Uint8Array;
  /** texts of configuration resources this object depended on, in order; arrays are shared */
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
  /** true if it is to be forgotten, not destroyed, regardless of the configuration at that time (OpenTofu) */
  readonly skipDestroy?: boolean;
  /** JSON text of the resource identity */
  readonly identityJson?: string;
  readonly identitySchemaVersion?: number;
  /** the provider configuration that created the object and can destroy it */
  readonly provider: ProviderConfigAddr;
}

/** Key of a deposed object: eight hexadecimal digits. */
export type DeposedKey = string;

/** The objects of a resource instance, at least one. */
export interface InstanceState {
  readonly current: StoredObject | undefined;
  /** objects replaced but not destroyed yet, sorted by key */
  readonly deposed: ReadonlyMap<DeposedKey, StoredObject>;
}

/** A root output; the value is unmarked. */
export interface OutputState {
  readonly value: Value;
  readonly sensitive: boolean;
}

/** Outcome of a check; `error`: it could not be evaluated. */
export type CheckStatus = 'pass' | 'fail' | 'error' | 'unknown';

/** The checks of one instance of a checkable object. */
export interface CheckObjectResult {
  readonly address: string;
  readonly status: CheckStatus;
  /** error messages of the failed ones */
  readonly messages: readonly string[];
}

/** The checks of one checkable object of the configuration. */
export interface CheckResult {
  readonly kind: CheckableKind;
  readonly configAddr: string;
  readonly status: CheckStatus;
  readonly objects: readonly CheckObjectResult[];
}

/** Check results of the last run, in any order. */
export type CheckResults = readonly CheckResult[];

/** An immutable snapshot of the state. */
export interface State {
  readonly outputs: ReadonlyMap<string, OutputState>;
  /** `undefined`: written by a program without support for checks */
  readonly checks: CheckResults | undefined;
  /** Returns the objects of an instance; `undefined` if there are none. Each call may return a new value. */
  instance(address: InstanceAddr): InstanceState | undefined;
  /** Returns the instances of one resource by key, in the order of their keys. Prefer `instancesOf`, which copies nothing. */
  resourceInstances(resource: AbsResource): ReadonlyMap<InstanceKey, InstanceAddr>;
  /** Returns the instances of one resource, in the order of their keys; empty when it is unknown. */
  instancesOf(resource: AbsResource): readonly InstanceAddr[];
  /** Returns all resources with objects, in the order of the state file. */
  resources(): Iterable<AbsResource>;
  /** The provider configuration of a resource. */
  resourceProvider(resource: AbsResource): ProviderConfigAddr | undefined;
  /** Returns all instances, in the order of the state file. */
  instances(): Iterable<InstanceAddr>;
  /** Returns the instances of managed resources, in the order of the state file. */
  managedInstances(): Iterable<InstanceAddr>;
  readonly instanceCount: number;
  /** Returns true if an ASCII text may occur in the stored form of an object: a filter before objects are parsed. */
  mayContain(text: string): boolean;
  /** Neither resources nor outputs. */
  readonly isEmpty: boolean;
}

/** A state with the metadata of its state file. */
export interface StateFile {
  readonly state: State;
  /** identity of the state over all its versions; a UUID, or "" in files of old versions */
  readonly lineage: string;
  /** grows by one with each change */
  readonly serial: number;
  /** version of the program that wrote it; "" when the file did not say */
  readonly terraformVersion: string;
}
