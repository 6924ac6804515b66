// The API for authors of providers.
export { action } from './action.ts';
export type { Action, InvokeContext, PlanActionContext } from './action.ts';
export {
  bigInt64,
  bool,
  customType,
  decimal,
  dynamic,
  int64,
  list,
  map,
  meaning,
  nullable,
  number,
  object,
  set,
  string,
  tuple,
} from './attributes.ts';
export type { Builder, MapOf, SequenceOf, TypeBehaviour } from './attributes.ts';
export {
  alsoRequires,
  atLeast,
  atLeastOneOf,
  atLeastSumOf,
  atMost,
  between,
  conflictsWith,
  elementsAre,
  exactlyOneOf,
  lengthAtLeast,
  lengthBetween,
  matches,
  oneOf,
  sizeBetween,
} from './attribute-validators.ts';
export { contractResource } from './contract-resource.ts';
export type {
  ContractContext,
  ContractResource,
  ContractResourceOptions,
} from './contract-resource.ts';
export { dataSource } from './data-source.ts';
export type { DataContext, DataSource } from './data-source.ts';
export type { ModifierAnswer, ModifierRequest, ValidatorRequest } from './definition.ts';
export { error, pathText, warning } from './diagnostics.ts';
export { ephemeralResource } from './ephemeral-resource.ts';
export type {
  CloseContext,
  EphemeralResource,
  OpenContext,
  RenewContext,
} from './ephemeral-resource.ts';
export { parameter, providerFunction } from './function.ts';
export type { CallContext, ParameterOptions, ProviderFunction } from './function.ts';
export { privateData } from './handler-types.ts';
export type { Findings, HandlerContext, PrivateAccess } from './handler-types.ts';
export type { Json } from './json-value.ts';
export type { ListContext, ListedObject } from './list-resource.ts';
export type { Log, LogFields } from './log.ts';
export {
  groupBlock,
  listBlock,
  listNested,
  mapBlock,
  mapNested,
  setBlock,
  setNested,
  singleBlock,
  singleNested,
} from './nested.ts';
export type { ManyBlockOf } from './nested.ts';
export {
  atLeastOneConfigured,
  conflicting,
  exactlyOneConfigured,
  requiredTogether,
} from './object-validators.ts';
export type { ObjectValidator } from './object-validators.ts';
export { deferred, gone, toBeRead } from './outcomes.ts';
export type { Deferral, Gone, ImportedOther, ToBeRead } from './outcomes.ts';
export {
  replaceIfMapValuesChange,
  requiresReplaceIf,
  useStateForUnknown,
} from './plan-modifiers.ts';
export type { ConfigureContext, ProviderOptions } from './provider-definition.ts';
export { ProviderError } from './provider-error.ts';
export { imported, resource } from './resource.ts';
export type {
  CreateContext,
  DeleteContext,
  IdentityContext,
  ImportContext,
  PlanContext,
  PlanDeleteContext,
  ReadContext,
  Resource,
  UpdateContext,
  ValidateContext,
} from './resource.ts';
export { planModifier, validator } from './rules.ts';
export type { AttributeValidator, PlanModifier } from './rules.ts';
export type {
  Attribute,
  AttributeChange,
  AttributeOf,
  AttributeOptions,
  AttributePlan,
  AttributePlanAnswer,
  Attributes,
  Block,
  Blocks,
  Complaint,
  ElementType,
  Mode,
  PlainViews,
} from './schema-types.ts';
export { sameIgnoringCase, sameJson, sameMoment } from './semantics.ts';
export { stateStore } from './state-store.ts';
export type {
  ConfigureStoreContext,
  OneStateContext,
  StateStoreDefinition,
  StoreContext,
  StoreLocks,
} from './state-store.ts';
export { moveFrom, upgradeFrom } from './state-upgraders.ts';
export type {
  FlatUpgradeContext,
  MoveContext,
  MoveSource,
  StateUpgrader,
  UpgradeContext,
} from './state-upgraders.ts';
export { timeouts, timeoutsBlock } from './timeouts.ts';
export type { TimedOperation, UsualTimeouts } from './timeouts.ts';
export { defineProvider } from './define-provider.ts';
export { ifKnown, isUnknown, unknown, Unknown } from './unknown.ts';
export type { KnownAbout } from './unknown.ts';
export type {
  ConfigOf,
  ImportedOf,
  PathIn,
  PlannedOf,
  ProposedOf,
  ResultOf,
  StateOf,
  WrittenOf,
} from './views.ts';
export { withClient } from './with-client.ts';
export type { Definers } from './with-client.ts';

// Retries and waits for eventually consistent remote systems
export type { Backoff, BackoffOptions } from '../consistency/backoff.ts';
export { exponentialBackoff } from '../consistency/backoff.ts';
export { Deadline } from '../consistency/deadline.ts';
export {
  DEFAULT_DELETION_TIMEOUT,
  DEFAULT_OPERATION_TIMEOUT,
  DEFAULT_PROPAGATION_TIMEOUT,
  durationText,
  hours,
  minutes,
  operationTimeout,
  seconds,
} from '../consistency/durations.ts';
export {
  EmptyResponseError,
  findError,
  isNotFound,
  NotFoundError,
  timedOut,
  TimeoutError,
  UnexpectedStateError,
} from '../consistency/errors.ts';
export type { NotFoundRetryOptions } from '../consistency/not-found-retry.ts';
export { withNotFoundRetry } from '../consistency/not-found-retry.ts';
export { OperationError } from '../consistency/operation-error.ts';
export type {
  ObjectWait,
  OperationRetry,
  RemoteObjectOptions,
  ValueWait,
} from '../consistency/remote-object.ts';
export { RemoteObject } from '../consistency/remote-object.ts';
export type { Attempt, RetryOptions } from '../consistency/retry.ts';
export { nonRetryable, retry, retryable, RetryError } from '../consistency/retry.ts';
export type { Observed, WaitOptions, WaitResult } from '../consistency/wait-for-state.ts';
export { waitForState } from '../consistency/wait-for-state.ts';

// Types used by the API
export type { Path, PathStep, Type, Value } from '@terrane/cty';
export type { LogEntry, LogLevel, Provider, ProviderDiagnostic } from '../contract.ts';
