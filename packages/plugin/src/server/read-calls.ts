import { bytesOf } from '../client/from-wire.ts';
import { fromDynamic, toDynamic } from '../client/values.ts';
import {
  capabilitiesOf,
  diagnosticsOf,
  metaOf,
  optionalMember,
  unsupportedError,
} from './answering.ts';
import type { Answering, CallHandler, CallHandlers } from './answering.ts';
import { wireDeferred } from './to-wire.ts';

/** Handlers of the calls for data sources and ephemeral resources. */
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
  return {
    ValidateDataResourceConfig: (request, context) =>
      validateDataResourceConfig(answering, request, context),
    ReadDataSource: (request, context) => readDataSource(answering, request, context),
    ValidateEphemeralResourceConfig: (request, context) =>
      validateEphemeralResourceConfig(answering, request, context),
    OpenEphemeralResource: (request, context) => openEphemeralResource(answering, request, context),
    RenewEphemeralResource: (request, context) =>
      renewEphemeralResource(answering, request, context),
    CloseEphemeralResource: (request, context) =>
      closeEphemeralResource(answering, request, context),
  };
}

const validateDataResourceConfig: CallHandler<'ValidateDataResourceConfig'> = async (
  answering,
  { typeName, config },
) => {
  const { type } = await answering.target('dataSources', typeName);
  const request = { type: typeName, config: fromDynamic(config, type) };
  return diagnosticsOf(await answering.provider.validateDataSourceConfig(request));
};

const readDataSource: CallHandler<'ReadDataSource'> = async (answering, request) => {
  const target = await answering.target('dataSources', request.typeName);
  const answer = await answering.provider.readDataSource({
    type: request.typeName,
    config: fromDynamic(request.config, target.type),
    ...metaOf(target, request.providerMeta),
    capabilities: capabilitiesOf(request.clientCapabilities),
  });
  return {
    ...diagnosticsOf(answer),
    state: toDynamic(answer.state, target.type),
    ...wireDeferred(answer.deferred),
  };
};

const validateEphemeralResourceConfig: CallHandler<'ValidateEphemeralResourceConfig'> = async (
  answering,
  { typeName, config },
) => {
  const { type } = await answering.target('ephemeralResources', typeName);
  const request = { type: typeName, config: fromDynamic(config, type) };
  return diagnosticsOf((await answering.provider.validateEphemeralResourceConfig?.(request)) ?? {});
};

const openEphemeralResource: CallHandler<'OpenEphemeralResource'> = async (
  answering,
  { typeName, config },
) => {
  const { type } = await answering.target('ephemeralResources', typeName);
  const open = answering.provider.openEphemeralResource?.bind(answering.provider);
  if (open === undefined) throw unsupportedError('ephemeral resources');
  const answer = await open({ type: typeName, config: fromDynamic(config, type) });
  return {
    ...diagnosticsOf(answer),
    result: toDynamic(answer.result, type),
    ...optionalMember('private', answer.private),
    ...optionalMember('renewAt', wireTime(answer.renewAt)),
    ...wireDeferred(answer.deferred),
  };
};

const renewEphemeralResource: CallHandler<'RenewEphemeralResource'> = async (
  answering,
  { typeName, private: kept },
) => {
  await answering.target('ephemeralResources', typeName);
  const request = { type: typeName, ...optionalMember('private', bytesOf(kept)) };
  const answer = (await answering.provider.renewEphemeralResource?.(request)) ?? {};
  return {
    ...diagnosticsOf(answer),
    ...optionalMember('private', answer.private),
    ...optionalMember('renewAt', wireTime(answer.renewAt)),
  };
};

const closeEphemeralResource: CallHandler<'CloseEphemeralResource'> = async (
  answering,
  { typeName, private: kept },
) => {
  await answering.target('ephemeralResources', typeName);
  const request = { type: typeName, ...optionalMember('private', bytesOf(kept)) };
  return diagnosticsOf((await answering.provider.closeEphemeralResource?.(request)) ?? {});
};

function wireTime(at: Date | undefined): { seconds: number; nanos: number } | undefined {
  if (at === undefined) return undefined;
  const ms = at.getTime();
  const seconds = Math.floor(ms / 1000);
  return { seconds, nanos: (ms - seconds * 1000) * 1e6 };
}
