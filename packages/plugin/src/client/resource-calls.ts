import { DYNAMIC, nullOf, quoteText } from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import { impliedType, memberOf } from '@terrane/provider';
import type {
  Answer,
  ApplyAnswer,
  ApplyResourceRequest,
  GenerateConfigAnswer,
  GenerateConfigRequest,
  ImportAnswer,
  ImportRequest,
  MoveAnswer,
  MoveRequest,
  PlanAnswer,
  PlanResourceRequest,
  Provider,
  ProviderSchema,
  ReadAnswer,
  ReadRequest,
  UpgradeAnswer,
  UpgradeIdentityAnswer,
  UpgradeIdentityRequest,
  UpgradeRequest,
  ValidateResourceRequest,
} from '@terrane/provider';
import type { IdentityData } from '../wire/messages.ts';
import { type Asking, CAPABILITIES, answerOf, metaOf, privateOf, type Target } from './asking.ts';
import { bytesOf, deferredOf, pathOf } from './from-wire.ts';
import { fromDynamic, toDynamic } from './values.ts';

/** The calls about managed resources. */
export function resourceCalls(
  asking: Asking,
): Pick<
  Provider,
  | 'validateResourceConfig'
  | 'upgradeResourceState'
  | 'upgradeResourceIdentity'
  | 'readResource'
  | 'planResourceChange'
  | 'applyResourceChange'
  | 'importResourceState'
  | 'moveResourceState'
  | 'generateResourceConfig'
> {
  return {
    validateResourceConfig: (request) => validateResourceConfig(asking, request),
    upgradeResourceState: (request) => upgradeResourceState(asking, request),
    upgradeResourceIdentity: (request) => upgradeResourceIdentity(asking, request),
    readResource: (request) => readResource(asking, request),
    planResourceChange: (request) => planResourceChange(asking, request),
    applyResourceChange: (request) => applyResourceChange(asking, request),
    importResourceState: (request) => importResourceState(asking, request),
    moveResourceState: (request) => moveResourceState(asking, request),
    generateResourceConfig: (request) => generateResourceConfig(asking, request),
  };
}

function validateResourceConfig(asking: Asking, request: ValidateResourceRequest): Promise<Answer> {
  return asking.validate('resources', 'ValidateResourceConfig', request);
}

function upgradeResourceState(asking: Asking, request: UpgradeRequest): Promise<UpgradeAnswer> {
  return asking.request<'UpgradeResourceState', UpgradeAnswer>(
    'resources',
    'UpgradeResourceState',
    request,
    () => ({
      typeName: request.type,
      version: request.version,
      rawState: {
        ...(request.json === undefined ? {} : { json: Buffer.from(request.json) }),
        ...(request.flatmap === undefined ? {} : { flatmap: request.flatmap }),
      },
    }),
    (answer, { type }) => ({
      ...answerOf(answer),
      state: fromDynamic(answer.upgradedState, type),
    }),
    (answer, type) => ({ ...answer, state: nullOf(type) }),
  );
}

function upgradeResourceIdentity(
  asking: Asking,
  request: UpgradeIdentityRequest,
): Promise<UpgradeIdentityAnswer> {
  return asking.request<'UpgradeResourceIdentity', UpgradeIdentityAnswer>(
    'resources',
    'UpgradeResourceIdentity',
    request,
    () => ({
      typeName: request.type,
      version: request.version,
      rawIdentity: { json: Buffer.from(request.json) },
    }),
    (answer, { identity = DYNAMIC }) => ({
      ...answerOf(answer),
      identity: fromDynamic(answer.upgradedIdentity?.identityData, identity),
    }),
    (answer) => ({ ...answer, identity: nullOf(DYNAMIC) }),
  );
}

function readResource(asking: Asking, request: ReadRequest): Promise<ReadAnswer> {
  return asking.request<'ReadResource', ReadAnswer>(
    'resources',
    'ReadResource',
    request,
    (target) => ({
      typeName: request.type,
      currentState: toDynamic(request.prior, target.type),
      ...privateOf(request.private),
      ...metaOf(target, request.providerMeta),
      ...identityPart('currentIdentity', target, request.identity),
      clientCapabilities: request.capabilities,
    }),
    (answer, target) => ({
      ...answerOf(answer),
      state: fromDynamic(answer.newState, target.type),
      ...privateOf(bytesOf(answer.private)),
      ...identityOf(target, answer.newIdentity),
      ...deferredOf(answer.deferred),
    }),
    (answer) => ({ ...answer, state: request.prior }),
  );
}

function planResourceChange(asking: Asking, request: PlanResourceRequest): Promise<PlanAnswer> {
  return asking.request<'PlanResourceChange', PlanAnswer>(
    'resources',
    'PlanResourceChange',
    request,
    (target) => ({
      typeName: request.type,
      priorState: toDynamic(request.prior, target.type),
      proposedNewState: toDynamic(request.proposed, target.type),
      config: toDynamic(request.config, target.type),
      ...(request.priorPrivate === undefined ? {} : { priorPrivate: request.priorPrivate }),
      ...metaOf(target, request.providerMeta),
      ...identityPart('priorIdentity', target, request.priorIdentity),
      ...(request.plannedPrivate === undefined ? {} : { plannedPrivate: request.plannedPrivate }),
      clientCapabilities: request.capabilities,
    }),
    (answer, target) => ({
      ...answerOf(answer),
      planned: fromDynamic(answer.plannedState, target.type),
      requiresReplace: (answer.requiresReplace ?? []).map(pathOf),
      ...privateOf(bytesOf(answer.plannedPrivate)),
      ...identityOf(target, answer.plannedIdentity),
      ...(answer.legacyTypeSystem === true ? { legacyTypeSystem: true } : {}),
      ...deferredOf(answer.deferred),
    }),
    (answer) => ({ ...answer, planned: request.prior, requiresReplace: [] }),
  );
}

function applyResourceChange(asking: Asking, request: ApplyResourceRequest): Promise<ApplyAnswer> {
  return asking.request<'ApplyResourceChange', ApplyAnswer>(
    'resources',
    'ApplyResourceChange',
    request,
    (target) => ({
      typeName: request.type,
      priorState: toDynamic(request.prior, target.type),
      plannedState: toDynamic(request.planned, target.type),
      config: toDynamic(request.config, target.type),
      ...(request.plannedPrivate === undefined ? {} : { plannedPrivate: request.plannedPrivate }),
      ...metaOf(target, request.providerMeta),
      ...identityPart('plannedIdentity', target, request.plannedIdentity),
    }),
    (answer, target) => ({
      ...answerOf(answer),
      state: fromDynamic(answer.newState, target.type),
      ...privateOf(bytesOf(answer.private)),
      ...identityOf(target, answer.newIdentity),
      ...(answer.legacyTypeSystem === true ? { legacyTypeSystem: true } : {}),
    }),
    // The outcome is unknown, so the stored object remains valid.
    (answer) => ({ ...answer, state: request.prior }),
  );
}

function importResourceState(asking: Asking, request: ImportRequest): Promise<ImportAnswer> {
  return asking.request<'ImportResourceState', ImportAnswer>(
    'resources',
    'ImportResourceState',
    request,
    (target) => ({
      typeName: request.type,
      ...(request.id === undefined ? {} : { id: request.id }),
      ...identityPart('identity', target, request.identity),
      clientCapabilities: CAPABILITIES,
    }),
    (answer, target) => ({
      ...answerOf(answer),
      imported: (answer.importedResources ?? []).map((each) => ({
        type: each.typeName ?? '',
        state: fromDynamic(each.state, typeOfResource(target.providerSchema, each.typeName ?? '')),
        ...privateOf(bytesOf(each.private)),
        ...identityOf(target, each.identity),
      })),
      ...deferredOf(answer.deferred),
    }),
    (answer) => ({ ...answer, imported: [] }),
  );
}

function moveResourceState(asking: Asking, request: MoveRequest): Promise<MoveAnswer> {
  return asking.request<'MoveResourceState', MoveAnswer>(
    'resources',
    'MoveResourceState',
    { ...request, type: request.targetType },
    () => ({
      sourceProviderAddress: request.sourceProvider,
      sourceTypeName: request.sourceType,
      sourceSchemaVersion: request.sourceVersion,
      sourceState: { json: Buffer.from(request.sourceJson) },
      targetTypeName: request.targetType,
      ...(request.sourcePrivate === undefined ? {} : { sourcePrivate: request.sourcePrivate }),
      ...(request.sourceIdentity === undefined
        ? {}
        : {
            sourceIdentity: { json: Buffer.from(request.sourceIdentity.json) },
            sourceIdentitySchemaVersion: request.sourceIdentity.version,
          }),
    }),
    (answer, target) => ({
      ...answerOf(answer),
      state: fromDynamic(answer.targetState, target.type),
      ...privateOf(bytesOf(answer.targetPrivate)),
      ...identityOf(target, answer.targetIdentity),
    }),
    (answer, type) => ({ ...answer, state: nullOf(type) }),
  );
}

function generateResourceConfig(
  asking: Asking,
  request: GenerateConfigRequest,
): Promise<GenerateConfigAnswer> {
  return asking.request<'GenerateResourceConfig', GenerateConfigAnswer>(
    'resources',
    'GenerateResourceConfig',
    request,
    ({ type }) => ({ typeName: request.type, state: toDynamic(request.state, type) }),
    (answer, { type }) => ({
      ...answerOf(answer),
      config: fromDynamic(answer.config, type),
    }),
    (answer, type) => ({ ...answer, config: nullOf(type) }),
  );
}

function identityPart<K extends string>(
  key: K,
  { identity }: Target,
  value: Value | undefined,
): { readonly [P in K]?: IdentityData } {
  if (identity === undefined || value === undefined) return {};
  const part: { [P in K]?: IdentityData } = {};
  part[key] = { identityData: toDynamic(value, identity) };
  return part;
}

function identityOf(
  { identity }: Target,
  data: IdentityData | null | undefined,
): { identity?: Value } {
  if (identity === undefined || data?.identityData == null) return {};
  return { identity: fromDynamic(data.identityData, identity) };
}

function typeOfResource(schema: ProviderSchema, name: string): Type {
  const resource = memberOf(schema.resources, name);
  if (resource === undefined) throw new Error(`unknown resource type ${quoteText(name)}`);
  return impliedType(resource.block);
}
