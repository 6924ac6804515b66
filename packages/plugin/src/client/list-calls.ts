import { impliedType, memberOf } from '@terrane/provider';
import type {
  Answer,
  ListedResource,
  ListRequest,
  Provider,
  ValidateListRequest,
} from '@terrane/provider';
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
  const fail = (detail: string): ListedResource => ({
    displayName: '',
    diagnostics: [failure(detail, '')],
  });
  const resource = memberOf(providerSchema.resources, request.type);
  if (resource === undefined || identity === undefined) {
    const why = `Identity schema not found for resource type ${request.type}`;
    yield fail(`${why}; this is a bug in the provider - please report it there`);
    return;
  }
  const type = impliedType(resource.block);
  const limit = request.limit ?? Number.MAX_SAFE_INTEGER;
  const queue: ListedResource[] = [];
  let count = 0;
  let wake = (): void => {};
  const take = (listed: ListedResource): 'enough' | undefined => {
    queue.push(listed);
    wake();
    if (listed.diagnostics?.some(({ severity }) => severity === 'error') === true) return 'enough';
    if (listed.identity !== undefined) count++;
    return count >= limit ? 'enough' : undefined;
  };
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort();
    wake();
  };
  request.signal?.addEventListener('abort', stop, { once: true });
  let ended = false;
  const streaming = connection
    .stream(
      'ListResource',
      {
        typeName: request.type,
        config: toDynamic(request.config, target.type),
        includeResourceObject: request.includeResource,
        limit,
      },
      ({ identity: data, displayName = '', resourceObject, diagnostic }) => {
        if (controller.signal.aborted) return 'enough';
        const eventDiagnostics =
          (diagnostic?.length ?? 0) === 0 ? {} : { diagnostics: diagnosticsOf(diagnostic) };
        // An event may consist only of diagnostics.
        if (data?.identityData == null) {
          if ((diagnostic?.length ?? 0) > 0) return take({ displayName, ...eventDiagnostics });
          return take(fail(`missing identity data in ListResource event for ${request.type}`));
        }
        return take({
          displayName,
          identity: fromDynamic(data.identityData, identity),
          ...eventDiagnostics,
          ...(resourceObject == null || !request.includeResource
            ? {}
            : { resource: fromDynamic(resourceObject, type) }),
        });
      },
      controller.signal,
    )
    .catch(async (error: unknown) => {
      const problem = await callFailure(connection, 'ListResource', subject, error);
      queue.push({ displayName: '', diagnostics: [problem] });
    })
    .finally(() => {
      ended = true;
      wake();
    });
  try {
    for (;;) {
      yield* queue.splice(0);
      if (queue.length > 0) continue;
      if (ended || controller.signal.aborted) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    // Leaving the iteration cancels the list.
    request.signal?.removeEventListener('abort', stop);
    controller.abort();
    await streaming;
  }
}
