import { quoteText } from '@terrane/cty';
import { bytesOf, numberOf } from '../client/from-wire.ts';
import { fromDynamic, toDynamic } from '../client/values.ts';
import {
  capabilitiesOf,
  diagnosticsOf,
  identityOf,
  metaOf,
  optionalMember,
  Refused,
  textOf,
  unsupportedError,
  wireIdentity,
} from './answering.ts';
import type { Answering, CallHandler, CallHandlers } from './answering.ts';
import { wireDeferred, wirePath } from './to-wire.ts';

/** The calls about managed resources. */
export function resourceCalls(
  answering: Answering,
): Pick<
  CallHandlers,
  | 'ValidateResourceConfig'
  | 'UpgradeResourceState'
  | 'UpgradeResourceIdentity'
  | 'ReadResource'
  | 'PlanResourceChange'
  | 'ApplyResourceChange'
  | 'ImportResourceState'
  | 'MoveResourceState'
  | 'GenerateResourceConfig'
> {
  return {
    ValidateResourceConfig: (request, context) =>
      validateResourceConfig(answering, request, context),
    UpgradeResourceState: (request, context) => upgradeResourceState(answering, request, context),
    UpgradeResourceIdentity: (request, context) =>
      upgradeResourceIdentity(answering, request, context),
    ReadResource: (request, context) => readResource(answering, request, context),
    PlanResourceChange: (request, context) => planResourceChange(answering, request, context),
    ApplyResourceChange: (request, context) => applyResourceChange(answering, request, context),
    ImportResourceState: (request, context) => importResourceState(answering, request, context),
    MoveResourceState: (request, context) => moveResourceState(answering, request, context),
    GenerateResourceConfig: (request, context) =>
      generateResourceConfig(answering, request, context),
  };
}

const validateResourceConfig: CallHandler<'ValidateResourceConfig'> = async (
  answering,
  { typeName, config, clientCapabilities },
) => {
  const { type } = await answering.target('resources', typeName);
  return diagnosticsOf(
    await answering.provider.validateResourceConfig({
      type: typeName,
      config: fromDynamic(config, type),
      capabilities: capabilitiesOf(clientCapabilities),
    }),
  );
};

const upgradeResourceState: CallHandler<'UpgradeResourceState'> = async (
  answering,
  { typeName, version, rawState },
) => {
  const { type } = await answering.target('resources', typeName);
  const json = textOf(rawState?.json);
  const answer = await answering.provider.upgradeResourceState({
    type: typeName,
    version: numberOf(version),
    ...(json === undefined ? { flatmap: { ...rawState?.flatmap } } : { json }),
  });
  return { ...diagnosticsOf(answer), upgradedState: toDynamic(answer.state, type) };
};

const upgradeResourceIdentity: CallHandler<'UpgradeResourceIdentity'> = async (
  answering,
  { typeName, version, rawIdentity },
) => {
  const target = await answering.target('resources', typeName);
  if (answering.provider.upgradeResourceIdentity === undefined)
    throw unsupportedError('resource identities');
  const answer = await answering.provider.upgradeResourceIdentity({
    type: typeName,
    version: numberOf(version),
    json: textOf(rawIdentity?.json) ?? 'null',
  });
  return {
    ...diagnosticsOf(answer),
    ...optionalMember('upgradedIdentity', wireIdentity(target, answer.identity)),
  };
};

const readResource: CallHandler<'ReadResource'> = async (answering, request) => {
  const target = await answering.target('resources', request.typeName);
  const answer = await answering.provider.readResource({
    type: request.typeName,
    prior: fromDynamic(request.currentState, target.type),
    ...optionalMember('private', bytesOf(request.private)),
    ...metaOf(target, request.providerMeta),
    ...optionalMember('identity', identityOf(target, request.currentIdentity)),
    capabilities: capabilitiesOf(request.clientCapabilities),
  });
  return {
    ...diagnosticsOf(answer),
    newState: toDynamic(answer.state, target.type),
    ...optionalMember('private', answer.private),
    ...optionalMember('newIdentity', wireIdentity(target, answer.identity)),
    ...wireDeferred(answer.deferred),
  };
};

const planResourceChange: CallHandler<'PlanResourceChange'> = async (answering, request) => {
  const target = await answering.target('resources', request.typeName);
  const answer = await answering.provider.planResourceChange({
    type: request.typeName,
    prior: fromDynamic(request.priorState, target.type),
    proposed: fromDynamic(request.proposedNewState, target.type),
    config: fromDynamic(request.config, target.type),
    ...optionalMember('priorPrivate', bytesOf(request.priorPrivate)),
    ...optionalMember('plannedPrivate', bytesOf(request.plannedPrivate)),
    ...metaOf(target, request.providerMeta),
    ...optionalMember('priorIdentity', identityOf(target, request.priorIdentity)),
    capabilities: capabilitiesOf(request.clientCapabilities),
  });
  return {
    ...diagnosticsOf(answer),
    plannedState: toDynamic(answer.planned, target.type),
    requiresReplace: answer.requiresReplace.map(wirePath),
    ...optionalMember('plannedPrivate', answer.private),
    ...optionalMember('plannedIdentity', wireIdentity(target, answer.identity)),
    ...(answer.legacyTypeSystem === true ? { legacyTypeSystem: true } : {}),
    ...wireDeferred(answer.deferred),
  };
};

const applyResourceChange: CallHandler<'ApplyResourceChange'> = async (
  answering,
  request,
  { signal, progress },
) => {
  const target = await answering.target('resources', request.typeName);
  const answer = await answering.provider.applyResourceChange({
    type: request.typeName,
    prior: fromDynamic(request.priorState, target.type),
    planned: fromDynamic(request.plannedState, target.type),
    config: fromDynamic(request.config, target.type),
    ...optionalMember('plannedPrivate', bytesOf(request.plannedPrivate)),
    ...metaOf(target, request.providerMeta),
    ...optionalMember('plannedIdentity', identityOf(target, request.plannedIdentity)),
    signal,
    ...(progress && { progress }),
  });
  return {
    ...diagnosticsOf(answer),
    newState: toDynamic(answer.state, target.type),
    ...optionalMember('private', answer.private),
    ...optionalMember('newIdentity', wireIdentity(target, answer.identity)),
    ...(answer.legacyTypeSystem === true ? { legacyTypeSystem: true } : {}),
  };
};

const importResourceState: CallHandler<'ImportResourceState'> = async (
  answering,
  { typeName, id, identity },
) => {
  const target = await answering.target('resources', typeName);
  const importIdentity = identityOf(target, identity);
  const answer = await answering.provider.importResourceState({
    type: typeName,
    ...(importIdentity === undefined ? { id: id ?? '' } : { identity: importIdentity }),
  });
  const importedResources = await Promise.all(
    answer.imported.map(async (each) => {
      const of = await answering.target('resources', each.type);
      return {
        typeName: each.type,
        state: toDynamic(each.state, of.type),
        ...optionalMember('private', each.private),
        ...optionalMember('identity', wireIdentity(of, each.identity)),
      };
    }),
  );
  return { ...diagnosticsOf(answer), importedResources, ...wireDeferred(answer.deferred) };
};

const moveResourceState: CallHandler<'MoveResourceState'> = async (answering, request) => {
  const target = await answering.target('resources', request.targetTypeName);
  const identity = textOf(request.sourceIdentity?.json);
  if (answering.provider.moveResourceState === undefined) {
    throw new Refused(
      'Move Resource State Not Supported',
      `The provider does not take over objects of other resource types, such as ${quoteText(request.sourceTypeName)}.`,
    );
  }
  const answer = await answering.provider.moveResourceState({
    sourceProvider: request.sourceProviderAddress,
    sourceType: request.sourceTypeName,
    sourceVersion: numberOf(request.sourceSchemaVersion),
    sourceJson: textOf(request.sourceState?.json) ?? 'null',
    ...optionalMember('sourcePrivate', bytesOf(request.sourcePrivate)),
    ...(identity === undefined
      ? {}
      : {
          sourceIdentity: {
            json: identity,
            version: numberOf(request.sourceIdentitySchemaVersion),
          },
        }),
    targetType: request.targetTypeName,
  });
  return {
    ...diagnosticsOf(answer),
    targetState: toDynamic(answer.state, target.type),
    ...optionalMember('targetPrivate', answer.private),
    ...optionalMember('targetIdentity', wireIdentity(target, answer.identity)),
  };
};

const generateResourceConfig: CallHandler<'GenerateResourceConfig'> = async (
  answering,
  { typeName, state },
) => {
  const { type } = await answering.target('resources', typeName);
  if (answering.provider.generateResourceConfig === undefined) {
    throw unsupportedError('the generation of configurations');
  }
  const request = { type: typeName, state: fromDynamic(state, type) };
  const answer = await answering.provider.generateResourceConfig(request);
  return { ...diagnosticsOf(answer), config: toDynamic(answer.config, type) };
};
