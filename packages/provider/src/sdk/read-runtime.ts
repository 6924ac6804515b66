import { NULL, nullOf } from '@terrane/cty';
import { emptyValue } from '../schema/empty-value.ts';
import type { Value } from '@terrane/cty';
import type {
  Answer,
  Awaitable,
  EphemeralRequest,
  HeldEphemeralRequest,
  InvokeActionRequest,
  ListedResource,
  ListRequest,
  OpenAnswer,
  PlanActionAnswer,
  PlanActionRequest,
  ReadDataAnswer,
  ReadDataRequest,
  RenewAnswer,
} from '../contract.ts';
import type { ErasedAction, ErasedDataSource, ErasedEphemeral, ErasedList } from './erased.ts';
import { ConfigContext, Lazy } from './contexts.ts';
import { deferredAnswer, handle, signalOf, Work } from './handling.ts';
import type { Surroundings } from './handling.ts';
import { isRecord } from './codec.ts';
import { keepMeaning } from './keep-meaning.ts';
import { Deferral } from './outcomes.ts';
import { readObject, timeoutOf, writeObject } from './part.ts';
import type { Part } from './part.ts';
import { PrivateState } from './private-state.ts';
import type { ResourcePart } from './resource-runtime.ts';

function workOn(part: Part, subject: string, doing: string, { log }: Surroundings): Work {
  return new Work(doing, subject, part.type, log);
}

/** Reads a data source. */
export function readData(
  part: Part<ErasedDataSource>,
  request: ReadDataRequest,
  around: Surroundings,
): Awaitable<ReadDataAnswer> {
  const { config, capabilities } = request;
  const doing = workOn(part, request.address ?? `data.${request.type}`, 'reading', around);
  const { diagnostics } = doing.findings;
  const nullObject = nullOf(part.type);
  const putOff = ({ reason }: Deferral): ReadDataAnswer => ({
    state: nullObject,
    diagnostics,
    ...deferredAnswer(doing.findings, reason, capabilities.deferralAllowed),
  });
  if (around.deferral !== undefined) return putOff(around.deferral);
  return handle<ReadDataAnswer>(
    doing,
    () => part.options.read(new DataContext(doing, around, part, request)),
    (result) => {
      if (result instanceof Deferral) return putOff(result);
      const state = keepMeaning(part.object, config, writeObject(part, result, config));
      return { state, diagnostics };
    },
    () => ({ state: nullObject, diagnostics }),
  );
}

/** Context of the handler that reads a data source. */
class DataContext extends ConfigContext {
  readonly #part: Part;
  readonly #request: ReadDataRequest;

  constructor(work: Work, around: Surroundings, part: Part, request: ReadDataRequest) {
    super(work, around, new Lazy(part, request.config));
    this.#part = part;
    this.#request = request;
  }

  get timeout(): number {
    return timeoutOf(this.#part, 'read', this.#request.config);
  }

  get providerMeta(): unknown {
    return this.around.meta(this.#request.providerMeta);
  }

  get address(): string | undefined {
    return this.#request.address;
  }
}

/** Opens an ephemeral resource. */
export function openEphemeral(
  part: Part<ErasedEphemeral>,
  request: EphemeralRequest,
  around: Surroundings,
): Awaitable<OpenAnswer> {
  const { config } = request;
  const subject = request.address ?? `ephemeral.${request.type}`;
  const doing = new Work('opening', subject, part.type, around.log, true);
  const { diagnostics } = doing.findings;
  const result = nullOf(part.type);
  const putOff = ({ reason }: Deferral): OpenAnswer => ({
    result,
    diagnostics,
    ...deferredAnswer(doing.findings, reason, true),
  });
  if (around.deferral !== undefined) return putOff(around.deferral);
  const tenure = new Tenure(undefined);
  return handle<OpenAnswer>(
    doing,
    () => part.options.open(new HeldContext(doing, around, new Lazy(part, config), tenure)),
    (result) => {
      if (result instanceof Deferral) return putOff(result);
      return { result: writeObject(part, result, config), diagnostics, ...tenure.answer };
    },
    () => ({ result, diagnostics, ...tenure.answer }),
  );
}

/** The lifetime of an ephemeral object, which a handler may change. */
class Tenure {
  readonly #kept: PrivateState;
  #renewAt: Date | undefined;

  constructor(data: Uint8Array | undefined) {
    this.#kept = new PrivateState(data);
  }

  get entries(): PrivateState['entries'] {
    return this.#kept.entries;
  }

  readonly change: PrivateState['change'] = (changes) => this.#kept.change(changes);

  readonly renewAt = (moment: Date): void => {
    this.#renewAt = moment;
  };

  get answer(): RenewAnswer {
    return { ...this.#kept.answer, ...(this.#renewAt && { renewAt: this.#renewAt }) };
  }
}

const NO_CONFIG = new Lazy({ fields: [] }, NULL);

/** Context of handlers of ephemeral resources. */
class HeldContext extends ConfigContext {
  readonly #tenure: Tenure;

  constructor(work: Work, around: Surroundings, config: Lazy, tenure: Tenure) {
    super(work, around, config);
    this.#tenure = tenure;
  }

  get private(): PrivateState['entries'] {
    return this.#tenure.entries;
  }

  get setPrivate(): PrivateState['change'] {
    return this.#tenure.change;
  }

  get renewAt(): (moment: Date) => void {
    return this.#tenure.renewAt;
  }
}

/** Renews an ephemeral resource. */
export function renewEphemeral(
  part: Part<ErasedEphemeral>,
  request: HeldEphemeralRequest,
  around: Surroundings,
): Awaitable<RenewAnswer> {
  const { renew } = part.options;
  if (renew === undefined) return {};
  const doing = workOn(part, request.address ?? `ephemeral.${request.type}`, 'renewing', around);
  const tenure = new Tenure(request.private);
  const answer = (): RenewAnswer => ({
    diagnostics: doing.findings.diagnostics,
    ...tenure.answer,
  });
  return handle(
    doing,
    () => renew(new HeldContext(doing, around, NO_CONFIG, tenure)),
    answer,
    answer,
  );
}

/** Closes an ephemeral resource. */
export function closeEphemeral(
  part: Part<ErasedEphemeral>,
  request: HeldEphemeralRequest,
  around: Surroundings,
): Awaitable<Answer> {
  const { close } = part.options;
  if (close === undefined) return {};
  const doing = workOn(part, request.address ?? `ephemeral.${request.type}`, 'closing', around);
  const answer = (): Answer => ({ diagnostics: doing.findings.diagnostics });
  const tenure = new Tenure(request.private);
  const context = new HeldContext(doing, around, NO_CONFIG, tenure);
  return handle(doing, () => close(context), answer, answer);
}

/** An action without a `config` block has null for it: all arguments are left out then. */
function actionConfig(part: Part, config: Value): Lazy {
  return new Lazy(part, config.isNull ? emptyValue(part.schema.block) : config);
}

/** Plans an action, without effects. */
export function planAction(
  part: Part<ErasedAction>,
  request: PlanActionRequest,
  around: Surroundings,
): Awaitable<PlanActionAnswer> {
  const { plan } = part.options;
  const doing = workOn(part, request.address ?? request.type, 'planning', around);
  const { findings } = doing;
  const { diagnostics } = findings;
  const putOff = ({ reason }: Deferral): PlanActionAnswer => ({
    diagnostics,
    ...deferredAnswer(findings, reason, request.capabilities.deferralAllowed),
  });
  if (around.deferral !== undefined) return putOff(around.deferral);
  if (plan === undefined) return { diagnostics };
  return handle<PlanActionAnswer>(
    doing,
    () => plan(new ConfigContext(doing, around, actionConfig(part, request.config))),
    (result) => (result instanceof Deferral ? putOff(result) : { diagnostics }),
    () => ({ diagnostics }),
  );
}

/** Invokes an action. */
export function invokeAction(
  part: Part<ErasedAction>,
  request: InvokeActionRequest,
  around: Surroundings,
): Awaitable<Answer> {
  const doing = workOn(part, request.address ?? request.type, 'invoking', around);
  const answer = (): Answer => ({ diagnostics: doing.findings.diagnostics });
  const context = new InvokingContext(doing, around, part, request);
  return handle(doing, () => part.options.invoke(context), answer, answer);
}

/** Context of the handler that invokes an action. */
class InvokingContext extends ConfigContext {
  readonly progress: (message: string) => void;

  constructor(work: Work, around: Surroundings, part: Part, request: InvokeActionRequest) {
    super(work, around, actionConfig(part, request.config), request.signal);
    this.progress = request.progress;
  }
}

/** Finds objects of a resource type that exist. */
export async function* listObjects(
  part: ResourcePart,
  query: Part<ErasedList>,
  request: ListRequest,
  around: Surroundings,
): AsyncIterable<ListedResource> {
  const doing = workOn(query, request.address ?? `list.${request.type}`, 'listing', around);
  const { findings } = doing;
  const { client } = around;
  const { log } = doing;
  const failure = (): ListedResource => ({ displayName: '', diagnostics: findings.diagnostics });
  const { limit = Infinity } = request;
  let count = 0;
  const config = request.config.isNull ? emptyValue(query.schema.block) : request.config;
  const begun = handle<AsyncIterable<unknown> | undefined>(
    doing,
    () =>
      query.options.list({
        client,
        log,
        signal: signalOf(around, request.signal),
        pathTo: findings.functions.pathTo,
        config: readObject(query, config),
        limit: request.limit,
        includeResource: request.includeResource,
      }),
    (result) => result as AsyncIterable<unknown>, // what `list` is declared to give
    () => undefined,
  );
  const iterable = await begun;
  if (iterable === undefined) {
    yield failure();
    return;
  }
  const objects = iterable[Symbol.asyncIterator]();
  while (count < limit) {
    const next = await handle<Promise<IteratorResult<unknown>> | undefined>(
      doing,
      () => objects.next(),
      (result) => Promise.resolve(result as IteratorResult<unknown>), // from the iterator
      () => undefined,
    );
    if (next === undefined) {
      yield failure();
      return;
    }
    if (next.done === true) return;
    count++;
    yield listedResource(part, doing, next.value, request.includeResource);
  }
  await objects.return?.();
}

function listedResource(
  part: ResourcePart,
  doing: Work,
  result: unknown,
  includeResource: boolean,
): ListedResource {
  if (!isRecord(result)) return { displayName: '' };
  const displayName = typeof result['displayName'] === 'string' ? result['displayName'] : '';
  const before = doing.findings.diagnostics.length;
  const answer = handle<Partial<ListedResource>>(
    doing,
    () => ({
      ...(part.identity && {
        identity: writeObject(part.identity, result['identity'], undefined),
      }),
      ...(includeResource &&
        result['resource'] !== undefined && {
          resource: writeObject(part, result['resource'], undefined),
        }),
    }),
    (made) => made as Partial<ListedResource>, // as made above
    () => ({}),
  );
  const more = Array.isArray(result['diagnostics']) ? result['diagnostics'] : [];
  const diagnostics = [...more, ...doing.findings.diagnostics.slice(before)];
  return {
    displayName,
    ...(answer as Partial<ListedResource>), // at once, as nothing above waits
    ...(diagnostics.length > 0 && { diagnostics }),
  };
}
