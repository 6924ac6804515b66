import { Bug, conforms, nullOf, quoteText } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { errorText } from '@terrane/host';
import { chain, isPromise } from '../awaitable.ts';
import type {
  Addressed,
  Answer,
  ApplyAnswer,
  ApplyResourceRequest,
  Awaitable,
  CallAnswer,
  CallRequest,
  ConfigureRequest,
  EphemeralRequest,
  FunctionsAnswer,
  GenerateConfigAnswer,
  GenerateConfigRequest,
  HeldEphemeralRequest,
  ImportAnswer,
  ImportRequest,
  InvokeActionRequest,
  ListedResource,
  ListRequest,
  LogSink,
  MoveAnswer,
  MoveRequest,
  OpenAnswer,
  PlanActionAnswer,
  PlanActionRequest,
  PlanAnswer,
  PlanResourceRequest,
  Provider,
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
} from '../contract.ts';
import { impliedType } from '../schema/implied-type.ts';
import type { ProviderSchema, Schema } from '../schema/model.ts';
import { checkUpgradeIdentity } from './check-stored.ts';
import {
  APPLY,
  type Failure,
  identitySchema,
  IMPORT,
  type Kind,
  MOVE,
  OPEN,
  type Operation,
  ownOf,
  PLAN,
  READ,
  READ_DATA,
  throwUnsupported,
  UPGRADE,
} from './operations.ts';
import type { Subject } from './violations.ts';
import { PROVIDER_BUG, violation } from './violations.ts';

/**
 * A provider wrapped by contract checks. It has all optional methods; `known` is its schema after the first request.
 */
export type CheckedProvider = Required<Omit<Provider, 'sideEffects'>> & {
  readonly sideEffects: boolean;
  readonly known: ProviderSchema | undefined;
};

/**
 * Wraps a provider and checks every lifecycle rule that can be checked on one request and its response. A violation
 * becomes an error diagnostic with Terraform's text, and the response is made safe to use: see the `check…` function of
 * each request. Exceptions of the provider become error diagnostics too. Requests about a resource instance carry its
 * address. Synchronous responses of the provider remain synchronous, except for the first request if the schema is
 * asynchronous.
 *
 * @param providerAddress source address ("registry.terraform.io/hashicorp/random")
 * @param configAddress address of the configuration block, unless it is the default of the root module
 */
export function enforceContract(
  provider: Provider,
  providerAddress: string,
  configAddress: string = `provider[${quoteText(providerAddress)}]`,
): CheckedProvider {
  return new ContractEnforcer(provider, quoteText(providerAddress), configAddress);
}

class ContractEnforcer implements CheckedProvider {
  readonly sideEffects: boolean;
  readonly #inner: Provider;
  readonly #provider: string;
  readonly #config: string;
  readonly #quotedConfig: string;
  #schema: (ProviderSchema & Answer) | undefined;

  constructor(inner: Provider, provider: string, config: string) {
    this.#inner = inner;
    this.#provider = provider;
    this.#config = config;
    this.#quotedConfig = quoteText(config);
    this.sideEffects = inner.sideEffects ?? true;
  }

  get known(): ProviderSchema | undefined {
    return this.#schema;
  }

  schema(): Awaitable<ProviderSchema & Answer> {
    if (this.#schema !== undefined) return this.#schema;
    return chain(this.#inner.schema(), (schema) => {
      this.#schema ??= schema;
      return this.#schema;
    });
  }

  validateProviderConfig(request: {
    readonly config: Value;
  }): Awaitable<Answer & { readonly prepared?: Value }> {
    return callGuarded(
      this.#failing('validating its configuration'),
      () => this.#inner.validateProviderConfig(request),
      failed,
    );
  }

  validateResourceConfig(request: ValidateResourceRequest): Awaitable<Answer> {
    let answer: Awaitable<Answer>;
    // Without the closures of `callGuarded`: it is called for each instance.
    try {
      answer = this.#inner.validateResourceConfig(request);
    } catch (error) {
      return failureOf(this.#failing('validating', subjectOf(request)), error);
    }
    return isPromise(answer)
      ? recoverLater(this.#failing('validating', subjectOf(request)), answer, failed)
      : answer;
  }

  validateDataSourceConfig(request: ValidateDataRequest): Awaitable<Answer> {
    return callGuarded(
      this.#failing('validating', subjectOf(request)),
      () => this.#inner.validateDataSourceConfig(request),
      failed,
    );
  }

  validateEphemeralResourceConfig(request: EphemeralRequest): Awaitable<Answer> {
    return callGuarded(
      this.#failing('validating', subjectOf(request)),
      () => this.#inner.validateEphemeralResourceConfig?.(request) ?? {},
      failed,
    );
  }

  configure(request: ConfigureRequest): Awaitable<Answer> {
    return callGuarded(
      this.#failing('being configured'),
      () => this.#inner.configure(request),
      failed,
    );
  }

  upgradeResourceState(request: UpgradeRequest): Awaitable<UpgradeAnswer> {
    return this.#execute(UPGRADE, request.type, request);
  }

  readResource(request: ReadRequest): Awaitable<ReadAnswer> {
    return this.#execute(READ, request.type, request);
  }

  planResourceChange(request: PlanResourceRequest): Awaitable<PlanAnswer> {
    return this.#execute(PLAN, request.type, request);
  }

  applyResourceChange(request: ApplyResourceRequest): Awaitable<ApplyAnswer> {
    return this.#execute(APPLY, request.type, request);
  }

  importResourceState(request: ImportRequest): Awaitable<ImportAnswer> {
    return this.#execute(IMPORT, request.type, request);
  }

  moveResourceState(request: MoveRequest): Awaitable<MoveAnswer> {
    return this.#execute(MOVE, request.targetType, request);
  }

  readDataSource(request: ReadDataRequest): Awaitable<ReadDataAnswer> {
    return this.#execute(READ_DATA, request.type, request);
  }

  openEphemeralResource(request: EphemeralRequest): Awaitable<OpenAnswer> {
    return this.#execute(OPEN, request.type, request);
  }

  renewEphemeralResource(request: HeldEphemeralRequest): Awaitable<RenewAnswer> {
    return callGuarded<RenewAnswer>(
      this.#failing('renewing', subjectOf(request)),
      () => this.#inner.renewEphemeralResource?.(request) ?? {},
      failed,
    );
  }

  closeEphemeralResource(request: HeldEphemeralRequest): Awaitable<Answer> {
    return callGuarded(
      this.#failing('closing', subjectOf(request)),
      () => this.#inner.closeEphemeralResource?.(request) ?? {},
      failed,
    );
  }

  validateActionConfig(request: ValidateActionRequest): Awaitable<Answer> {
    return callGuarded(
      this.#failing('validating', subjectOf(request)),
      () => this.#inner.validateActionConfig?.(request) ?? {},
      failed,
    );
  }

  planAction(request: PlanActionRequest): Awaitable<PlanActionAnswer> {
    return this.#checked('actions', request.type, request, () =>
      callGuarded<PlanActionAnswer>(
        this.#failing('planning', subjectOf(request)),
        () => this.#inner.planAction?.(request) ?? {},
        failed,
      ),
    );
  }

  invokeAction(request: InvokeActionRequest): Awaitable<Answer> {
    return this.#checked('actions', request.type, request, (s) => {
      if (!request.config.isWhollyKnown()) {
        throw new Bug(`${s.address} is to be invoked with unknown configuration`);
      }
      // Progress after the response is dropped.
      let ended = false;
      const progress = (message: string): void => {
        if (!ended) request.progress(message);
      };
      const answer = callGuarded<Answer>(
        this.#failing('invoking', s.address),
        () =>
          this.#inner.invokeAction?.({ ...request, progress }) ??
          throwUnsupported(s, 'invokeAction'),
        failed,
      );
      return chain(answer, (result) => {
        ended = true;
        return result;
      });
    });
  }

  callFunction(request: CallRequest): Awaitable<CallAnswer> {
    return chain(this.schema(), (schema) => {
      const signature = ownOf(schema.functions, request.name) ?? request.signature;
      if (signature === undefined || this.#inner.callFunction === undefined) {
        const message = `provider has no function named ${quoteText(request.name)}`;
        return { error: { message } };
      }
      const call = () => this.#inner.callFunction?.(request) ?? {};
      const answer = callGuarded<CallAnswer>(plainly, call, (failure) => ({
        error: { message: failure.diagnostics[0]?.detail ?? '' },
      }));
      return chain(answer, ({ result, error }) => {
        if (error) return { error };
        if (result === undefined) {
          return { error: { message: 'provider returned no result and no errors' } };
        }
        if (!conforms(result.type, signature.returns)) {
          return { error: { message: 'provider returned a value of an unexpected type' } };
        }
        return { result };
      });
    });
  }

  configuredFunctions(): Awaitable<FunctionsAnswer> {
    const fallback = (): Awaitable<FunctionsAnswer> =>
      chain(this.schema(), ({ functions }) => ({ functions }));
    return callGuarded<FunctionsAnswer>(
      this.#failing('listing its functions'),
      () => this.#inner.configuredFunctions?.() ?? fallback(),
      ({ diagnostics }) => ({ functions: {}, diagnostics }),
    );
  }

  upgradeResourceIdentity(request: UpgradeIdentityRequest): Awaitable<UpgradeIdentityAnswer> {
    return this.#checked('resources', request.type, request, (s) => {
      const schema = identitySchema(s.schemas, request.type);
      if (schema === undefined) throw new Bug(`${request.type} has no identity`);
      return chain(
        callGuarded(
          this.#failing('upgrading the identity of', s.address),
          () =>
            this.#inner.upgradeResourceIdentity?.(request) ??
            throwUnsupported(s, 'upgradeResourceIdentity'),
          (diagnostics) => ({ ...diagnostics, identity: nullOf(impliedType(schema.block)) }),
        ),
        (answer) => checkUpgradeIdentity({ ...s, schema }, request.type, answer),
      );
    });
  }

  generateResourceConfig(request: GenerateConfigRequest): Awaitable<GenerateConfigAnswer> {
    return this.#checked('resources', request.type, request, (s) =>
      callGuarded(
        this.#failing('generating the configuration of', s.address),
        () =>
          this.#inner.generateResourceConfig?.(request) ??
          throwUnsupported(s, 'generateResourceConfig'),
        (diagnostics) => ({ ...diagnostics, config: nullOf(impliedType(s.schema.block)) }),
      ),
    );
  }

  validateListResourceConfig(request: ValidateListRequest): Awaitable<Answer> {
    return callGuarded(
      this.#failing('validating', subjectOf(request)),
      () => this.#inner.validateListResourceConfig?.(request) ?? {},
      failed,
    );
  }

  async *listResource(request: ListRequest): AsyncIterable<ListedResource> {
    try {
      yield* this.#inner.listResource?.(request) ?? [];
    } catch (error) {
      if (error instanceof Bug) throw error;
      const { diagnostics } = thrownFailure(this.#failing('listing', subjectOf(request)), error);
      yield { displayName: '', diagnostics };
    }
  }

  logTo(sink: LogSink): void {
    this.#inner.logTo?.(sink);
  }

  stateStore(type: string): StateStore | undefined {
    return this.#inner.stateStore?.(type);
  }

  stop(): Awaitable<void> {
    return this.#inner.stop();
  }

  kill(): Awaitable<void> {
    return this.#inner.kill?.();
  }

  close(): Awaitable<void> {
    return this.#inner.close();
  }

  /** Returns a function that prefixes a problem with the provider and the operation. */
  #failing(doing: string, about = ''): Tell {
    return (problem) =>
      `Provider ${this.#provider} failed while ${doing}${about === '' ? '' : ` ${about}`}: ${problem}${PROVIDER_BUG}`;
  }

  /** Sends a request, as soon as the schema is loaded, and checks the response. */
  #execute<R extends Addressed, A, C>(
    operation: Operation<R, A, C>,
    type: string,
    request: R,
  ): Awaitable<C> {
    if (this.#schema !== undefined) return this.#send(this.#schema, operation, type, request);
    return chain(this.schema(), (loaded) => this.#send(loaded, operation, type, request));
  }

  #send<R extends Addressed, A, C>(
    loaded: ProviderSchema,
    operation: Operation<R, A, C>,
    type: string,
    request: R,
  ): Awaitable<C> {
    const subject = this.#subject(loaded, operation.kind, type, request);
    let answer: Awaitable<A>;
    try {
      answer = operation.send(this.#inner, request, subject);
    } catch (error) {
      answer = this.#recovered(operation, request, subject, error);
    }
    if (!isPromise(answer)) return operation.check(subject, request, answer);
    return answer
      .catch((error: unknown) => this.#recovered(operation, request, subject, error))
      .then((received) => operation.check(subject, request, received));
  }

  /** Returns the response in place of an exception. Throws internal errors again. */
  #recovered<R extends Addressed, A, C>(
    { doing, recover }: Operation<R, A, C>,
    request: R,
    subject: Subject,
    error: unknown,
  ): A {
    return recover(failureOf(this.#failing(doing, subject.address), error), request, subject);
  }

  /** Executes a request with the subject of its check, as soon as the schema is loaded. */
  #checked<T>(
    kind: Kind,
    type: string,
    request: Addressed,
    run: (subject: Subject) => Awaitable<T>,
  ): Awaitable<T> {
    return chain(this.schema(), (loaded) => run(this.#subject(loaded, kind, type, request)));
  }

  #subject(loaded: ProviderSchema, kind: Kind, type: string, request: Addressed): Subject {
    const schema: Schema | undefined = ownOf(loaded[kind] ?? {}, type);
    if (schema === undefined) throw new Bug(`${this.#provider} has no ${kind} of type ${type}`);
    return {
      provider: this.#provider,
      providerConfig: this.#quotedConfig,
      configAddress: this.#config,
      address: request.address ?? type,
      schema,
      schemas: loaded,
    };
  }
}

function failed(failure: Failure): Failure {
  return failure;
}

/** Calls a provider and converts exceptions into diagnostics, except for internal errors. */
function callGuarded<T>(
  tell: Tell,
  call: () => Awaitable<T>,
  recover: (failure: Failure) => T,
): Awaitable<T> {
  try {
    const answer = call();
    return isPromise(answer) ? recoverLater(tell, answer, recover) : answer;
  } catch (error) {
    return recover(failureOf(tell, error));
  }
}

function recoverLater<T>(
  tell: Tell,
  answer: Promise<T>,
  recover: (failure: Failure) => T,
): Promise<T> {
  return answer.catch((error: unknown) => recover(failureOf(tell, error)));
}

/** Returns the failure for an exception of a provider. Throws internal errors again. */
function failureOf(tell: Tell, error: unknown): Failure {
  if (error instanceof Bug) throw error;
  return thrownFailure(tell, error);
}

/** Formats a message about an exception. */
type Tell = (problem: string) => string;

/** The message of an error becomes part of a sentence about a function. */
const plainly: Tell = (problem) => problem;

function thrownFailure(tell: Tell, error: unknown): Failure {
  // any-error: a provider is a separate program, whose defects are reported as errors of the provider.
  const problem = errorText(error);
  return { diagnostics: [violation('Provider failed unexpectedly', tell(problem))] };
}

function subjectOf({ address, type }: Addressed & { readonly type: string }): string {
  return address ?? type;
}
