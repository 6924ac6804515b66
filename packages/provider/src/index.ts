// The provider contract, schemas and their object algorithms, and the rules that every provider must satisfy. The API
// for provider authors is `@terrane/provider/sdk`.
export type {
  AttributeSchema,
  BlockSchema,
  DescriptionKind,
  FunctionParameter,
  FunctionSignature,
  NestedAttributes,
  NestedBlock,
  ProviderCapabilities,
  ProviderSchema,
  Schema,
} from './schema/model.ts';
export { identityText } from './schema/identity-text.ts';
export { attributeType, impliedType } from './schema/implied-type.ts';
export { decodeSpec } from './schema/decode-spec.ts';
export { coerceValue } from './schema/coerce-value.ts';
export { emptyValue } from './schema/empty-value.ts';
export { attributeByPath } from './schema/attribute-by-path.ts';
export {
  containsSensitive,
  containsWriteOnly,
  sensitivePaths,
  writeOnlyPaths,
} from './schema/value-paths.ts';
export { memberOf } from './schema/member-of.ts';
export { schemaToJson } from './schema/schema-json.ts';
export { validateSchema } from './schema/validate-schema.ts';

export type { ContractError } from './change/contract-error.ts';
export { formatContractError, formatContractErrorAt } from './change/contract-error.ts';
export { includes } from './change/includes.ts';
export { normalizeLegacyObject } from './change/legacy-object.ts';
export { assertObjectCompatible, assertValueCompatible } from './change/object-compatible.ts';
export { assertPlanValid } from './change/plan-valid.ts';
export { plannedDataResource, proposedNew } from './change/proposed-new.ts';

export { decodeBase64 } from './go-syntax/base64.ts';
export { describePath, describeType, describeValue } from './go-syntax/describe.ts';

export { parseInt64 } from './go-syntax/parse-int.ts';

export type {
  Addressed,
  Answer,
  ApplyAnswer,
  ApplyResourceRequest,
  Awaitable,
  CallAnswer,
  CallRequest,
  ClientCapabilities,
  ConfigureRequest,
  Deferred,
  EphemeralRequest,
  FunctionsAnswer,
  GenerateConfigAnswer,
  GenerateConfigRequest,
  HeldEphemeralRequest,
  Identity,
  ImportAnswer,
  ImportedObject,
  ImportRequest,
  InvokeActionRequest,
  ListedResource,
  ListRequest,
  LockAnswer,
  LogEntry,
  LogLevel,
  LogSink,
  MoveAnswer,
  MoveRequest,
  OpenAnswer,
  PlanActionAnswer,
  PlanActionRequest,
  PlanAnswer,
  PlanResourceRequest,
  Provider,
  ProviderDiagnostic,
  ProviderFactory,
  ReadAnswer,
  ReadDataAnswer,
  ReadDataRequest,
  ReadRequest,
  RenewAnswer,
  StateStore,
  UpgradeAnswer,
  UpgradeIdentityAnswer,
  UpgradeIdentityRequest,
  UpgradeRequest,
  ValidateActionRequest,
  ValidateDataRequest,
  ValidateListRequest,
  ValidateResourceRequest,
} from './contract.ts';
export { chain, chainWith, isPromise } from './awaitable.ts';
export type { CheckedProvider } from './enforce/enforce-contract.ts';
export { enforceContract } from './enforce/enforce-contract.ts';
export { deferralViolation } from './enforce/violations.ts';
export { unknownIdentity } from './enforce/check-identity.ts';
export type {
  BundledProvider,
  ProviderPorts,
  RemoteStateAnswer,
  RemoteStateRequest,
} from './bundled.ts';

export type { TextResult } from './expression-text/expression-text.ts';
export { decodeTfvars, encodeExpression, encodeTfvars } from './expression-text/expression-text.ts';

export { error, pathText, warning } from './sdk/diagnostics.ts';

// Retries and waits for eventually consistent remote systems
export type { Backoff, BackoffOptions } from './consistency/backoff.ts';
export { exponentialBackoff } from './consistency/backoff.ts';
export { Deadline } from './consistency/deadline.ts';
export {
  DEFAULT_DELETION_TIMEOUT,
  DEFAULT_OPERATION_TIMEOUT,
  DEFAULT_PROPAGATION_TIMEOUT,
  durationText,
  hours,
  minutes,
  operationTimeout,
  seconds,
} from './consistency/durations.ts';
export {
  EmptyResponseError,
  findError,
  isNotFound,
  NotFoundError,
  timedOut,
  TimeoutError,
  UnexpectedStateError,
} from './consistency/errors.ts';
export type { NotFoundRetryOptions } from './consistency/not-found-retry.ts';
export { withNotFoundRetry } from './consistency/not-found-retry.ts';
export { OperationError } from './consistency/operation-error.ts';
export type {
  ObjectWait,
  OperationRetry,
  RemoteObjectOptions,
  ValueWait,
} from './consistency/remote-object.ts';
export { RemoteObject } from './consistency/remote-object.ts';
export type { Attempt, RetryOptions } from './consistency/retry.ts';
export { nonRetryable, retry, retryable, RetryError } from './consistency/retry.ts';
export type { Observed, WaitOptions, WaitResult } from './consistency/wait-for-state.ts';
export { waitForState } from './consistency/wait-for-state.ts';

export type { MockValues } from './mock/computed-values.ts';
export type { RandomBytes } from './mock/made-up-value.ts';
export { mockProvider } from './mock/mock-provider.ts';
export type { MockedType, MockedTypes } from './mock/mock-provider.ts';
export { overridingProvider } from './mock/overriding-provider.ts';
export type { OverrideOf } from './mock/overriding-provider.ts';
