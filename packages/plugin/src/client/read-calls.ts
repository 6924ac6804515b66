import { nullOf } from '@terrane/cty';
import type {
  Answer,
  EphemeralRequest,
  HeldEphemeralRequest,
  OpenAnswer,
  Provider,
  ReadDataAnswer,
  ReadDataRequest,
  RenewAnswer,
  ValidateDataRequest,
} from '@terrane/provider';
import type { Int64 } from '../wire/messages.ts';
import { type Asking, CAPABILITIES, answerOf, failed, metaOf, privateOf } from './asking.ts';
import { bytesOf, deferredOf, numberOf } from './from-wire.ts';
import { fromDynamic, toDynamic } from './values.ts';

/** The calls about data sources and ephemeral resources. */
export function readCalls(
  asking: Asking,
): Pick<
  Provider,
  | 'validateDataSourceConfig'
  | 'readDataSource'
  | 'validateEphemeralResourceConfig'
  | 'openEphemeralResource'
  | 'renewEphemeralResource'
  | 'closeEphemeralResource'
> {
  return {
    validateDataSourceConfig: (request) => validateDataSourceConfig(asking, request),
    readDataSource: (request) => readDataSource(asking, request),
    validateEphemeralResourceConfig: (request) => validateEphemeralResourceConfig(asking, request),
    openEphemeralResource: (request) => openEphemeralResource(asking, request),
    renewEphemeralResource: (request) => renewEphemeralResource(asking, request),
    closeEphemeralResource: (request) => closeEphemeralResource(asking, request),
  };
}

function validateDataSourceConfig(asking: Asking, request: ValidateDataRequest): Promise<Answer> {
  return asking.validate('dataSources', 'ValidateDataResourceConfig', request);
}

function readDataSource(asking: Asking, request: ReadDataRequest): Promise<ReadDataAnswer> {
  return asking.request<'ReadDataSource', ReadDataAnswer>(
    'dataSources',
    'ReadDataSource',
    request,
    (target) => ({
      typeName: request.type,
      config: toDynamic(request.config, target.type),
      ...metaOf(target, request.providerMeta),
      clientCapabilities: request.capabilities,
    }),
    (answer, { type }) => ({
      ...answerOf(answer),
      state: fromDynamic(answer.state, type),
      ...deferredOf(answer.deferred),
    }),
    (answer, type) => ({ ...answer, state: nullOf(type) }),
  );
}

function validateEphemeralResourceConfig(
  asking: Asking,
  request: EphemeralRequest,
): Promise<Answer> {
  return asking.validate('ephemeralResources', 'ValidateEphemeralResourceConfig', request);
}

function openEphemeralResource(asking: Asking, request: EphemeralRequest): Promise<OpenAnswer> {
  return asking.request<'OpenEphemeralResource', OpenAnswer>(
    'ephemeralResources',
    'OpenEphemeralResource',
    request,
    ({ type }) => ({
      typeName: request.type,
      config: toDynamic(request.config, type),
      clientCapabilities: CAPABILITIES,
    }),
    (answer, { type }) => ({
      ...answerOf(answer),
      result: fromDynamic(answer.result, type),
      ...privateOf(bytesOf(answer.private)),
      ...renewalOf(answer.renewAt),
      ...deferredOf(answer.deferred),
    }),
    (answer, type) => ({ ...answer, result: nullOf(type) }),
  );
}

function renewEphemeralResource(
  asking: Asking,
  request: HeldEphemeralRequest,
): Promise<RenewAnswer> {
  return asking.request<'RenewEphemeralResource', RenewAnswer>(
    'ephemeralResources',
    'RenewEphemeralResource',
    request,
    () => ({ typeName: request.type, ...privateOf(request.private) }),
    (answer) => ({
      ...answerOf(answer),
      ...privateOf(bytesOf(answer.private)),
      ...renewalOf(answer.renewAt),
    }),
    failed,
  );
}

function closeEphemeralResource(asking: Asking, request: HeldEphemeralRequest): Promise<Answer> {
  return asking.request(
    'ephemeralResources',
    'CloseEphemeralResource',
    request,
    () => ({ typeName: request.type, ...privateOf(request.private) }),
    answerOf,
    failed,
  );
}

function renewalOf(at: { readonly seconds?: Int64; readonly nanos?: number } | null | undefined): {
  renewAt?: Date;
} {
  if (at == null) return {};
  return { renewAt: new Date(numberOf(at.seconds) * 1000 + Math.floor((at.nanos ?? 0) / 1e6)) };
}
