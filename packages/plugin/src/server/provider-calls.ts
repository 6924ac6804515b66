import { DYNAMIC, nullOf, quoteText } from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import { impliedType } from '@terrane/provider';
import type {
  ClientCapabilities,
  Provider,
  ProviderDiagnostic,
  ProviderSchema,
  Schema,
} from '@terrane/provider';
import { bytesOf, numberOf } from '../client/from-wire.ts';
import { fromDynamic, toDynamic } from '../client/values.ts';
import type { ProtocolVersion } from '../wire/definitions.ts';
import type {
  ActionEvent,
  Calls,
  DynamicValue,
  ForeignCalls,
  IdentityData,
  ListEvent,
  Streams,
} from '../wire/messages.ts';
import type { CallContext } from './call-context.ts';
import { nestedAttribute } from './nested-attribute.ts';
import {
  mapped,
  wireDeferred,
  wireDiagnostics,
  wireFunction,
  wireIdentitySchema,
  wirePath,
  wireProviderSchema,
} from './to-wire.ts';

/** The calls that are answered; others, those of state stores, are told that nobody does. */
export type Answered = Calls &
  Pick<
    ForeignCalls,
    'UpgradeResourceIdentity' | 'GenerateResourceConfig' | 'ValidateListResourceConfig'
  >;

/** What the answer to each call is made with. A handler that throws has its error told by {@link failedAnswer}. */
export type CallHandlers = {
  readonly [K in keyof Answered]: (
    request: Answered[K]['request'],
    context: CallContext,
  ) => Promise<Answered[K]['response']>;
};

/** A request that can't be handed to the provider, with what to tell the caller. */
export class Refused extends Error {
  readonly diagnostics: readonly ProviderDiagnostic[];

  constructor(summary: string, detail: string) {
    super(`${summary}: ${detail}`);
    this.diagnostics = [{ severity: 'error', summary, detail }];
  }
}

/** What a call is about. */
interface Target {
  readonly type: Type;
  readonly identity: Type | undefined;
  readonly whole: ProviderSchema;
}

type Kind = 'resources' | 'dataSources' | 'ephemeralResources' | 'actions' | 'listResources';

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  resources: 'Resource',
  dataSources: 'Data Source',
  ephemeralResources: 'Ephemeral Resource',
  actions: 'Action',
  listResources: 'List Resource',
};

/** Answers the calls of the plugin protocol with what a provider says. */
export class ProviderCalls {
  readonly #provider: Provider;
  readonly #version: ProtocolVersion;
  #schema: Promise<ProviderSchema> | undefined;
  readonly handlers: CallHandlers;

  /** @param stop tells all running calls to end */
  constructor(provider: Provider, version: ProtocolVersion, stop: () => void) {
    this.#provider = provider;
    this.#version = version;
    this.handlers = this.#makeHandlers(stop);
  }

  #makeHandlers(stop: () => void): CallHandlers {
    const provider = this.#provider;
    return {
      GetMetadata: async () => {
        const { schema } = await this.#load();
        const types = (of: object | undefined): { typeName: string }[] =>
          Object.keys(of ?? {}).map((typeName) => ({ typeName }));
        const { serverCapabilities = {} } = wireProviderSchema(schema);
        return {
          ...(serverCapabilities === null ? {} : { serverCapabilities }),
          resources: types(schema.resources),
          dataSources: types(schema.dataSources),
          ephemeralResources: types(schema.ephemeralResources),
          actions: types(schema.actions),
          listResources: types(schema.listResources),
          functions: Object.keys(schema.functions).map((name) => ({ name })),
        };
      },
      GetProviderSchema: async () => {
        const { schema, diagnostics } = await this.#load();
        const found = this.#version === 5 ? nestedAttribute(schema) : undefined;
        if (found !== undefined) {
          throw new Refused(
            'Provider needs protocol version 6',
            `The provider was asked to speak version 5 of the plugin protocol, which has no nested attributes, and ${found} is one. Programs that speak version 6 can use this provider: Terraform 1.0 and later, OpenTofu and Terrane.`,
          );
        }
        return { ...wireProviderSchema(schema), diagnostics: wireDiagnostics(diagnostics) };
      },
      GetResourceIdentitySchemas: async () => {
        const { schema } = await this.#load();
        return { identitySchemas: mapped(schema.identities ?? {}, wireIdentitySchema) };
      },
      ValidateProviderConfig: async ({ config }) => {
        const type = impliedType((await this.#load()).schema.provider.block);
        const given = fromDynamic(config, type);
        const answer = await provider.validateProviderConfig({ config: given });
        return {
          preparedConfig: toDynamic(answer.prepared ?? given, type),
          diagnostics: wireDiagnostics(answer.diagnostics),
        };
      },
      ConfigureProvider: async (request) => {
        const type = impliedType((await this.#load()).schema.provider.block);
        return diagnosed(
          await provider.configure({
            terraformVersion: request.terraformVersion,
            config: fromDynamic(request.config, type),
            capabilities: capabilitiesOf(request.clientCapabilities),
          }),
        );
      },
      ValidateResourceConfig: async ({ typeName, config, clientCapabilities }) => {
        const { type } = await this.#target('resources', typeName);
        return diagnosed(
          await provider.validateResourceConfig({
            type: typeName,
            config: fromDynamic(config, type),
            capabilities: capabilitiesOf(clientCapabilities),
          }),
        );
      },
      ValidateDataResourceConfig: async ({ typeName, config }) => {
        const { type } = await this.#target('dataSources', typeName);
        const request = { type: typeName, config: fromDynamic(config, type) };
        return diagnosed(await provider.validateDataSourceConfig(request));
      },
      ValidateEphemeralResourceConfig: async ({ typeName, config }) => {
        const { type } = await this.#target('ephemeralResources', typeName);
        const request = { type: typeName, config: fromDynamic(config, type) };
        return diagnosed((await provider.validateEphemeralResourceConfig?.(request)) ?? {});
      },
      UpgradeResourceState: async ({ typeName, version, rawState }) => {
        const { type } = await this.#target('resources', typeName);
        const json = textOf(rawState?.json);
        const answer = await provider.upgradeResourceState({
          type: typeName,
          version: numberOf(version),
          ...(json === undefined ? { flatmap: { ...rawState?.flatmap } } : { json }),
        });
        return { ...diagnosed(answer), upgradedState: toDynamic(answer.state, type) };
      },
      ReadResource: async (request) => {
        const target = await this.#target('resources', request.typeName);
        const answer = await provider.readResource({
          type: request.typeName,
          prior: fromDynamic(request.currentState, target.type),
          ...named('private', bytesOf(request.private)),
          ...metaOf(target, request.providerMeta),
          ...named('identity', identityOf(target, request.currentIdentity)),
          capabilities: capabilitiesOf(request.clientCapabilities),
        });
        return {
          ...diagnosed(answer),
          newState: toDynamic(answer.state, target.type),
          ...named('private', answer.private),
          ...named('newIdentity', wireIdentity(target, answer.identity)),
          ...wireDeferred(answer.deferred),
        };
      },
      PlanResourceChange: async (request) => {
        const target = await this.#target('resources', request.typeName);
        const answer = await provider.planResourceChange({
          type: request.typeName,
          prior: fromDynamic(request.priorState, target.type),
          proposed: fromDynamic(request.proposedNewState, target.type),
          config: fromDynamic(request.config, target.type),
          ...named('priorPrivate', bytesOf(request.priorPrivate)),
          ...named('plannedPrivate', bytesOf(request.plannedPrivate)),
          ...metaOf(target, request.providerMeta),
          ...named('priorIdentity', identityOf(target, request.priorIdentity)),
          capabilities: capabilitiesOf(request.clientCapabilities),
        });
        return {
          ...diagnosed(answer),
          plannedState: toDynamic(answer.planned, target.type),
          requiresReplace: answer.requiresReplace.map(wirePath),
          ...named('plannedPrivate', answer.private),
          ...named('plannedIdentity', wireIdentity(target, answer.identity)),
          ...(answer.legacyTypeSystem === true ? { legacyTypeSystem: true } : {}),
          ...wireDeferred(answer.deferred),
        };
      },
      ApplyResourceChange: async (request, { signal }) => {
        const target = await this.#target('resources', request.typeName);
        const answer = await provider.applyResourceChange({
          type: request.typeName,
          prior: fromDynamic(request.priorState, target.type),
          planned: fromDynamic(request.plannedState, target.type),
          config: fromDynamic(request.config, target.type),
          ...named('plannedPrivate', bytesOf(request.plannedPrivate)),
          ...metaOf(target, request.providerMeta),
          ...named('plannedIdentity', identityOf(target, request.plannedIdentity)),
          signal,
        });
        return {
          ...diagnosed(answer),
          newState: toDynamic(answer.state, target.type),
          ...named('private', answer.private),
          ...named('newIdentity', wireIdentity(target, answer.identity)),
          ...(answer.legacyTypeSystem === true ? { legacyTypeSystem: true } : {}),
        };
      },
      ImportResourceState: async ({ typeName, id, identity }) => {
        const target = await this.#target('resources', typeName);
        const given = identityOf(target, identity);
        const answer = await provider.importResourceState({
          type: typeName,
          ...(given === undefined ? { id: id ?? '' } : { identity: given }),
        });
        const importedResources = await Promise.all(
          answer.imported.map(async (each) => {
            const of = await this.#target('resources', each.type);
            return {
              typeName: each.type,
              state: toDynamic(each.state, of.type),
              ...named('private', each.private),
              ...named('identity', wireIdentity(of, each.identity)),
            };
          }),
        );
        return { ...diagnosed(answer), importedResources, ...wireDeferred(answer.deferred) };
      },
      MoveResourceState: async (request) => {
        const target = await this.#target('resources', request.targetTypeName);
        const identity = textOf(request.sourceIdentity?.json);
        if (provider.moveResourceState === undefined) {
          throw new Refused(
            'Move Resource State Not Supported',
            `The provider does not take over objects of other resource types, such as ${quoteText(request.sourceTypeName)}.`,
          );
        }
        const answer = await provider.moveResourceState({
          sourceProvider: request.sourceProviderAddress,
          sourceType: request.sourceTypeName,
          sourceVersion: numberOf(request.sourceSchemaVersion),
          sourceJson: textOf(request.sourceState?.json) ?? 'null',
          ...named('sourcePrivate', bytesOf(request.sourcePrivate)),
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
          ...diagnosed(answer),
          targetState: toDynamic(answer.state, target.type),
          ...named('targetPrivate', answer.private),
          ...named('targetIdentity', wireIdentity(target, answer.identity)),
        };
      },
      ReadDataSource: async (request) => {
        const target = await this.#target('dataSources', request.typeName);
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
      OpenEphemeralResource: async ({ typeName, config }) => {
        const { type } = await this.#target('ephemeralResources', typeName);
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
        await this.#target('ephemeralResources', typeName);
        const request = { type: typeName, ...named('private', bytesOf(kept)) };
        const answer = (await provider.renewEphemeralResource?.(request)) ?? {};
        return {
          ...diagnosed(answer),
          ...named('private', answer.private),
          ...named('renewAt', wireTime(answer.renewAt)),
        };
      },
      CloseEphemeralResource: async ({ typeName, private: kept }) => {
        await this.#target('ephemeralResources', typeName);
        const request = { type: typeName, ...named('private', bytesOf(kept)) };
        return diagnosed((await provider.closeEphemeralResource?.(request)) ?? {});
      },
      GetFunctions: async () => ({
        functions: mapped((await this.#load()).schema.functions, wireFunction),
      }),
      CallFunction: async ({ name, arguments: given }) => {
        const { functions } = (await this.#load()).schema;
        const signature = Object.hasOwn(functions, name) ? functions[name] : undefined;
        if (signature === undefined || provider.callFunction === undefined) {
          return { error: { text: `provider has no function named ${quoteText(name)}` } };
        }
        const args = given.map((arg, i) => {
          const parameter = signature.parameters[i] ?? signature.variadic;
          return fromDynamic(arg, parameter?.type ?? DYNAMIC);
        });
        const { result, error } = await provider.callFunction({ name, args });
        if (error === undefined) {
          return { result: toDynamic(result ?? nullOf(signature.returns), signature.returns) };
        }
        const { message, argument } = error;
        return { error: { text: message, ...named('functionArgument', argument) } };
      },
      ValidateActionConfig: async ({ typeName, config }) => {
        const { type } = await this.#target('actions', typeName);
        const request = { type: typeName, config: fromDynamic(config, type) };
        return diagnosed((await provider.validateActionConfig?.(request)) ?? {});
      },
      PlanAction: async ({ actionType, config, clientCapabilities }) => {
        const { type } = await this.#target('actions', actionType);
        const answer =
          (await provider.planAction?.({
            type: actionType,
            config: fromDynamic(config, type),
            capabilities: capabilitiesOf(clientCapabilities),
          })) ?? {};
        return { ...diagnosed(answer), ...wireDeferred(answer.deferred) };
      },
      UpgradeResourceIdentity: async ({ typeName, version, rawIdentity }) => {
        const target = await this.#target('resources', typeName);
        if (provider.upgradeResourceIdentity === undefined)
          throw unsupported('resource identities');
        const answer = await provider.upgradeResourceIdentity({
          type: typeName,
          version: numberOf(version),
          json: textOf(rawIdentity?.json) ?? 'null',
        });
        return {
          ...diagnosed(answer),
          ...named('upgradedIdentity', wireIdentity(target, answer.identity)),
        };
      },
      GenerateResourceConfig: async ({ typeName, state }) => {
        const { type } = await this.#target('resources', typeName);
        if (provider.generateResourceConfig === undefined) {
          throw unsupported('the generation of configurations');
        }
        const request = { type: typeName, state: fromDynamic(state, type) };
        const answer = await provider.generateResourceConfig(request);
        return { ...diagnosed(answer), config: toDynamic(answer.config, type) };
      },
      ValidateListResourceConfig: async ({ typeName, config }) => {
        const { type } = await this.#target('listResources', typeName);
        const request = { type: typeName, config: fromDynamic(config, type) };
        return diagnosed((await provider.validateListResourceConfig?.(request)) ?? {});
      },
      StopProvider: async () => {
        stop();
        await provider.stop();
        return {};
      },
    };
  }

  /** Runs an action; the last event says what became of it. */
  async invokeAction(
    { actionType, config }: Calls['PlanAction']['request'],
    { signal }: CallContext,
    send: (event: ActionEvent) => void,
  ): Promise<ActionEvent> {
    const { type } = await this.#target('actions', actionType);
    const invoke = this.#provider.invokeAction?.bind(this.#provider);
    if (invoke === undefined) throw unsupported('actions');
    const answer = await invoke({
      type: actionType,
      config: fromDynamic(config, type),
      progress: (message) => send({ progress: { message } }),
      signal,
    });
    return { completed: diagnosed(answer) };
  }

  /** Finds the objects of a resource type, one after the other, up to the limit that is asked for. */
  async listResource(
    request: Streams['ListResource']['request'],
    { signal }: CallContext,
    send: (event: ListEvent) => void,
  ): Promise<void> {
    const { typeName, includeResourceObject } = request;
    const { type } = await this.#target('listResources', typeName);
    const target = await this.#target('resources', typeName);
    const find = this.#provider.listResource?.bind(this.#provider);
    if (find === undefined) throw unsupported('lists of resources');
    const limit = numberOf(request.limit);
    const listed = find({
      type: typeName,
      config: fromDynamic(request.config, type),
      includeResource: includeResourceObject,
      ...(limit === 0 ? {} : { limit }),
      signal,
    });
    let sent = 0;
    for await (const each of listed) {
      const { displayName, identity, resource, diagnostics } = each;
      send({
        displayName,
        ...named('identity', wireIdentity(target, identity)),
        ...(resource === undefined ? {} : { resourceObject: toDynamic(resource, target.type) }),
        diagnostic: wireDiagnostics(diagnostics),
      });
      sent++;
      if (signal.aborted || sent === limit) break;
    }
  }

  /** The schemas, asked for once. @throws Refused where the provider has none to give */
  async #load(): Promise<{
    readonly schema: ProviderSchema;
    readonly diagnostics: readonly ProviderDiagnostic[];
  }> {
    this.#schema ??= Promise.resolve(this.#provider.schema());
    const schema: ProviderSchema & { readonly diagnostics?: readonly ProviderDiagnostic[] } =
      await this.#schema;
    return { schema, diagnostics: schema.diagnostics ?? [] };
  }

  async #target(kind: Kind, name: string): Promise<Target> {
    const { schema: whole } = await this.#load();
    const schemas: Readonly<Record<string, Schema>> = whole[kind] ?? {};
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (schema === undefined) {
      const what = KIND_NAMES[kind];
      throw new Refused(
        `${what} Type Not Found`,
        `No ${what.toLowerCase()} type named ${quoteText(name)} was found in the provider.`,
      );
    }
    const identity = kind === 'resources' ? whole.identities?.[name] : undefined;
    return {
      type: impliedType(schema.block),
      identity: identity === undefined ? undefined : impliedType(identity.block),
      whole,
    };
  }
}

/**
 * The answer to a call that the provider did not answer: the diagnostics, and where the protocol has an object,
 * the one that was there before, so that nothing is lost.
 */
export function failedAnswer(
  call: string,
  request: object,
  diagnostics: readonly ProviderDiagnostic[],
): object {
  const told = { diagnostics: wireDiagnostics(diagnostics) };
  const text = diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join('\n');
  if (call === 'CallFunction') return { error: { text } };
  if (call === 'StopProvider') return { error: text };
  const { priorState, plannedPrivate, currentState } = request as Readonly<Record<string, unknown>>;
  switch (call) {
    case 'ApplyResourceChange':
      return { ...told, newState: priorState, private: plannedPrivate };
    case 'PlanResourceChange':
      return { ...told, plannedState: priorState };
    case 'ReadResource':
      return { ...told, newState: currentState };
    default:
      return told;
  }
}

function unsupported(what: string): Refused {
  return new Refused('Not Supported', `The provider does not implement ${what}.`);
}

function diagnosed(answer: { readonly diagnostics?: readonly ProviderDiagnostic[] }): {
  readonly diagnostics: ReturnType<typeof wireDiagnostics>;
} {
  return { diagnostics: wireDiagnostics(answer.diagnostics) };
}

/** Programs made before there were capabilities say nothing of them. */
function capabilitiesOf(given: Partial<ClientCapabilities> | null | undefined): ClientCapabilities {
  return {
    deferralAllowed: given?.deferralAllowed ?? false,
    writeOnlyAttributesAllowed: given?.writeOnlyAttributesAllowed ?? false,
    ...(given?.storePlannedPrivate === true ? { storePlannedPrivate: true } : {}),
    ...(given?.computedBlocksAllowed === true ? { computedBlocksAllowed: true } : {}),
  };
}

/** A member, or none where its value is undefined. */
function named<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  const part: { [P in K]?: V } = {};
  if (value !== undefined) part[key] = value;
  return part;
}

function metaOf(
  { whole }: Target,
  given: DynamicValue | null | undefined,
): { readonly providerMeta?: Value } {
  if (whole.providerMeta === undefined) return {};
  return { providerMeta: fromDynamic(given, impliedType(whole.providerMeta.block)) };
}

function identityOf(
  { identity }: Target,
  given: IdentityData | null | undefined,
): Value | undefined {
  if (identity === undefined || given?.identityData == null) return undefined;
  return fromDynamic(given.identityData, identity);
}

function wireIdentity({ identity }: Target, value: Value | undefined): IdentityData | undefined {
  if (identity === undefined || value === undefined) return undefined;
  return { identityData: toDynamic(value, identity) };
}

function wireTime(at: Date | undefined): { seconds: number; nanos: number } | undefined {
  if (at === undefined) return undefined;
  const ms = at.getTime();
  const seconds = Math.floor(ms / 1000);
  return { seconds, nanos: (ms - seconds * 1000) * 1e6 };
}

function textOf(bytes: Uint8Array | null | undefined): string | undefined {
  return bytes == null || bytes.length === 0 ? undefined : Buffer.from(bytes).toString();
}
