import { impliedType, memberOf } from '@terrane/provider';
import type {
  Answer,
  ListedResource,
  ListRequest,
  Provider,
  ValidateListRequest,
} from '@terrane/provider';
import type { Type } from '@terrane/cty';
import type { Streams } from '../wire/messages.ts';
import type { Asking, Target } from './asking.ts';
import { diagnosticsOf } from './from-wire.ts';
import { callFailure, failure } from './plugin-pool.ts';
import { fromDynamic, toDynamic } from './values.ts';

/** The calls about list resources. */
export function listCalls(
  asking: Asking,
): Pick<Provider, 'validateListResourceConfig' | 'listResource'> {
  return {
    validateListResourceConfig(request: ValidateListRequest): Promise<Answer> {
      return asking.validate('listResources', 'ValidateListResourceConfig', request);
    },

    async *listResource(request: ListRequest): AsyncIterable<ListedResource> {
      const target = await asking.target('listResources', 'ListResource', request);
      if ('diagnostics' in target) yield { displayName: '', ...target };
      else yield* list(request, target);
    },
  };
}

/** Yields the objects of a list resource up to the limit or the first error. */
async function* list(request: ListRequest, target: Target): AsyncIterable<ListedResource> {
  const { connection, subject, providerSchema, identity } = target;
  const resource = memberOf(providerSchema.resources, request.type);
  if (resource === undefined || identity === undefined) {
    const reason = `Identity schema not found for resource type ${request.type}`;
    yield failedResult(`${reason}; this is a bug in the provider - please report it there`);
    return;
  }
  const type = impliedType(resource.block);
  const limit = request.limit ?? Number.MAX_SAFE_INTEGER;
  const results = new ListedResults(limit);
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort();
    results.end();
  };
  request.signal?.addEventListener('abort', stop, { once: true });
  const streaming = connection
    .stream(
      'ListResource',
      {
        typeName: request.type,
        config: toDynamic(request.config, target.type),
        includeResourceObject: request.includeResource,
        limit,
      },
      (event) =>
        controller.signal.aborted
          ? 'enough'
          : results.add(resultOf(event, request, identity, type)),
      controller.signal,
    )
    .catch(async (error: unknown) => {
      const problem = await callFailure(connection, 'ListResource', subject, error);
      results.add({ displayName: '', diagnostics: [problem] });
    })
    .finally(() => results.end());
  try {
    yield* results.all();
  } finally {
    // Leaving the iteration cancels the list.
    request.signal?.removeEventListener('abort', stop);
    controller.abort();
    await streaming;
  }
}

/** Converts an event of a list. An event may consist only of diagnostics. */
function resultOf(
  {
    identity: data,
    displayName = '',
    resourceObject,
    diagnostic,
  }: Streams['ListResource']['event'],
  request: ListRequest,
  identity: Type,
  type: Type,
): ListedResource {
  const hasDiagnostics = (diagnostic?.length ?? 0) > 0;
  const eventDiagnostics = hasDiagnostics ? { diagnostics: diagnosticsOf(diagnostic) } : {};
  if (data?.identityData == null) {
    if (hasDiagnostics) return { displayName, ...eventDiagnostics };
    return failedResult(`missing identity data in ListResource event for ${request.type}`);
  }
  return {
    displayName,
    identity: fromDynamic(data.identityData, identity),
    ...eventDiagnostics,
    ...(resourceObject == null || !request.includeResource
      ? {}
      : { resource: fromDynamic(resourceObject, type) }),
  };
}

function failedResult(detail: string): ListedResource {
  return { displayName: '', diagnostics: [failure(detail, '')] };
}

/** The results that have arrived and were not read yet. */
class ListedResults {
  readonly #limit: number;
  readonly #queue: ListedResource[] = [];
  #count = 0;
  #hasEnded = false;
  #wake = (): void => {};

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a result. Returns 'enough' for an error, and if the limit is reached. */
  add(listed: ListedResource): 'enough' | undefined {
    this.#queue.push(listed);
    this.#wake();
    if (listed.diagnostics?.some(({ severity }) => severity === 'error') === true) return 'enough';
    if (listed.identity !== undefined) this.#count++;
    return this.#count >= this.#limit ? 'enough' : undefined;
  }

  /** No more results follow those that are waiting. */
  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  async *all(): AsyncIterable<ListedResource> {
    for (;;) {
      yield* this.#queue.splice(0);
      if (this.#queue.length > 0) continue;
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
