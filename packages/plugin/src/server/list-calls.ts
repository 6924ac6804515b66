import { numberOf } from '../client/from-wire.ts';
import { fromDynamic, toDynamic } from '../client/values.ts';
import type { ListEvent, Streams } from '../wire/messages.ts';
import { diagnosticsOf, optionalMember, unsupportedError, wireIdentity } from './answering.ts';
import type { Answering, CallHandlers } from './answering.ts';
import type { CallContext } from './call-context.ts';
import { wireDiagnostics } from './to-wire.ts';

/** Returns the handlers of unary calls about list resources. */
export function listCalls(answering: Answering): Pick<CallHandlers, 'ValidateListResourceConfig'> {
  const { provider } = answering;
  return {
    ValidateListResourceConfig: async ({ typeName, config }) => {
      const { type } = await answering.target('listResources', typeName);
      const request = { type: typeName, config: fromDynamic(config, type) };
      return diagnosticsOf((await provider.validateListResourceConfig?.(request)) ?? {});
    },
  };
}

/** Yields the objects of a resource type, up to the requested limit. */
export async function listResource(
  answering: Answering,
  request: Streams['ListResource']['request'],
  { signal }: CallContext,
  send: (event: ListEvent) => void,
): Promise<void> {
  const { typeName, includeResourceObject } = request;
  const { type } = await answering.target('listResources', typeName);
  const target = await answering.target('resources', typeName);
  const find = answering.provider.listResource?.bind(answering.provider);
  if (find === undefined) throw unsupportedError('lists of resources');
  const limit = numberOf(request.limit);
  const listed = find({
    type: typeName,
    config: fromDynamic(request.config, type),
    includeResource: includeResourceObject,
    ...(limit === 0 ? {} : { limit }),
    signal,
  });
  let sentCount = 0;
  for await (const each of listed) {
    const { displayName, identity, resource, diagnostics } = each;
    send({
      displayName,
      ...optionalMember('identity', wireIdentity(target, identity)),
      ...(resource === undefined ? {} : { resourceObject: toDynamic(resource, target.type) }),
      diagnostic: wireDiagnostics(diagnostics),
    });
    sentCount++;
    if (signal.aborted || sentCount === limit) break;
  }
}
