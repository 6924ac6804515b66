import { bytesOf } from '../client/from-wire.ts';
import { fromDynamic, toDynamic } from '../client/values.ts';
import { capabilitiesOf, diagnosed, metaOf, named, unsupported } from './answering.ts';
import type { Answering, CallHandlers } from './answering.ts';
import { wireDeferred } from './to-wire.ts';

/** The calls about data sources and ephemeral resources. */
export function readCalls(
  answering: Answering,
): Pick<
  CallHandlers,
  | 'ValidateDataResourceConfig'
  | 'ReadDataSource'
  | 'ValidateEphemeralResourceConfig'
  | 'OpenEphemeralResource'
  | 'RenewEphemeralResource'
  | 'CloseEphemeralResource'
> {
  const { provider } = answering;
  return {
    ValidateDataResourceConfig: async ({ typeName, config }) => {
      const { type } = await answering.target('dataSources', typeName);
      const request = { type: typeName, config: fromDynamic(config, type) };
      return diagnosed(await provider.validateDataSourceConfig(request));
    },
    ReadDataSource: async (request) => {
      const target = await answering.target('dataSources', request.typeName);
      const answer = await provider.readDataSource({
        type: request.typeName,
        config: fromDynamic(request.config, target.type),
        ...metaOf(target, request.providerMeta),
        capabilities: capabilitiesOf(request.clientCapabilities),
      });
      return {
        ...diagnosed(answer),
        state: toDynamic(answer.state, target.type),
        ...wireDeferred(answer.deferred),
      };
    },
    ValidateEphemeralResourceConfig: async ({ typeName, config }) => {
      const { type } = await answering.target('ephemeralResources', typeName);
      const request = { type: typeName, config: fromDynamic(config, type) };
      return diagnosed((await provider.validateEphemeralResourceConfig?.(request)) ?? {});
    },
    OpenEphemeralResource: async ({ typeName, config }) => {
      const { type } = await answering.target('ephemeralResources', typeName);
      const open = provider.openEphemeralResource?.bind(provider);
      if (open === undefined) throw unsupported('ephemeral resources');
      const answer = await open({ type: typeName, config: fromDynamic(config, type) });
      return {
        ...diagnosed(answer),
        result: toDynamic(answer.result, type),
        ...named('private', answer.private),
        ...named('renewAt', wireTime(answer.renewAt)),
        ...wireDeferred(answer.deferred),
      };
    },
    RenewEphemeralResource: async ({ typeName, private: kept }) => {
      await answering.target('ephemeralResources', typeName);
      const request = { type: typeName, ...named('private', bytesOf(kept)) };
      const answer = (await provider.renewEphemeralResource?.(request)) ?? {};
      return {
        ...diagnosed(answer),
        ...named('private', answer.private),
        ...named('renewAt', wireTime(answer.renewAt)),
      };
    },
    CloseEphemeralResource: async ({ typeName, private: kept }) => {
      await answering.target('ephemeralResources', typeName);
      const request = { type: typeName, ...named('private', bytesOf(kept)) };
      return diagnosed((await provider.closeEphemeralResource?.(request)) ?? {});
    },
  };
}

function wireTime(at: Date | undefined): { seconds: number; nanos: number } | undefined {
  if (at === undefined) return undefined;
  const ms = at.getTime();
  const seconds = Math.floor(ms / 1000);
  return { seconds, nanos: (ms - seconds * 1000) * 1e6 };
}
