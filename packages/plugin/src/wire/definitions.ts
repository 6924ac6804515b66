import type { Type as MessageType } from 'protobufjs';
import { computedRecord, partsOf } from './lazy-message.ts';
import { verifyMessage } from './verify-message.ts';

/** The supported protocol versions: `tfplugin5` and `tfplugin6`. */
export type ProtocolVersion = 5 | 6;

/**
 * The messages of the plugin protocol, from its public field numbers: `name:type=number`, where the type
 * may end in `[]` (repeated) or `{}` (map from strings). Enumerations are numbers. These are those of version 6;
 * `MESSAGES_5` has what differs in version 5.
 */
const MESSAGES: Readonly<Record<string, string>> = {
  Empty: '',
  Timestamp: 'seconds:int64=1 nanos:int32=2',
  DynamicValue: 'msgpack:bytes=1 json:bytes=2',
  Diagnostic: 'severity:int32=1 summary:string=2 detail:string=3 attribute:AttributePath=4',
  FunctionError: 'text:string=1 functionArgument:int64=2',
  AttributePath: 'steps:Step[]=1',
  Step: 'attributeName:string=1 elementKeyString:string=2 elementKeyInt:int64=3',
  RawState: 'json:bytes=1 flatmap:string{}=2',
  IdentitySchema: 'version:int64=1 attributes:IdentityAttribute[]=2',
  IdentityAttribute:
    'name:string=1 type:bytes=2 requiredForImport:bool=3 optionalForImport:bool=4 description:string=5',
  IdentityData: 'identityData:DynamicValue=1',
  ActionSchema: 'schema:Schema=1',
  Schema: 'version:int64=1 block:Block=2',
  Block:
    'version:int64=1 attributes:Attribute[]=2 blockTypes:NestedBlock[]=3 description:string=4 descriptionKind:int32=5 deprecated:bool=6 deprecationMessage:string=7 computed:bool=8',
  Attribute:
    'name:string=1 type:bytes=2 description:string=3 required:bool=4 optional:bool=5 computed:bool=6 sensitive:bool=7 descriptionKind:int32=8 deprecated:bool=9 nestedType:NestedObject=10 writeOnly:bool=11 deprecationMessage:string=12',
  NestedBlock: 'typeName:string=1 block:Block=2 nesting:int32=3 minItems:int64=4 maxItems:int64=5',
  NestedObject: 'attributes:Attribute[]=1 nesting:int32=3',
  Function:
    'parameters:Parameter[]=1 variadicParameter:Parameter=2 return:Return=3 summary:string=4 description:string=5 descriptionKind:int32=6 deprecationMessage:string=7',
  Parameter:
    'name:string=1 type:bytes=2 allowNullValue:bool=3 allowUnknownValues:bool=4 description:string=5 descriptionKind:int32=6',
  Return: 'type:bytes=1',
  ServerCapabilities:
    'planDestroy:bool=1 getProviderSchemaOptional:bool=2 moveResourceState:bool=3 generateResourceConfig:bool=4',
  ClientCapabilities:
    'deferralAllowed:bool=1 writeOnlyAttributesAllowed:bool=2 storePlannedPrivate:bool=3 computedBlocksAllowed:bool=4',
  Deferred: 'reason:int32=1',
  ImportedResource:
    'typeName:string=1 state:DynamicValue=2 private:bytes=3 identity:IdentityData=4',

  TypeMetadata: 'typeName:string=1',
  FunctionMetadata: 'name:string=1',
  'GetMetadata.Request': '',
  'GetMetadata.Response':
    'serverCapabilities:ServerCapabilities=1 diagnostics:Diagnostic[]=2 dataSources:TypeMetadata[]=3 resources:TypeMetadata[]=4 functions:FunctionMetadata[]=5 ephemeralResources:TypeMetadata[]=6 listResources:TypeMetadata[]=7 stateStores:TypeMetadata[]=8 actions:TypeMetadata[]=9',
  'GetProviderSchema.Request': '',
  'GetProviderSchema.Response':
    'provider:Schema=1 resourceSchemas:Schema{}=2 dataSourceSchemas:Schema{}=3 diagnostics:Diagnostic[]=4 providerMeta:Schema=5 serverCapabilities:ServerCapabilities=6 functions:Function{}=7 ephemeralResourceSchemas:Schema{}=8 listResourceSchemas:Schema{}=9 stateStoreSchemas:Schema{}=10 actionSchemas:ActionSchema{}=11',
  'GetResourceIdentitySchemas.Request': '',
  'GetResourceIdentitySchemas.Response':
    'identitySchemas:IdentitySchema{}=1 diagnostics:Diagnostic[]=2',
  'UpgradeResourceIdentity.Request': 'typeName:string=1 version:int64=2 rawIdentity:RawState=3',
  'UpgradeResourceIdentity.Response': 'upgradedIdentity:IdentityData=1 diagnostics:Diagnostic[]=2',
  'ValidateProviderConfig.Request': 'config:DynamicValue=1',
  'ValidateProviderConfig.Response': 'preparedConfig:DynamicValue=1 diagnostics:Diagnostic[]=2',
  'ValidateResourceConfig.Request':
    'typeName:string=1 config:DynamicValue=2 clientCapabilities:ClientCapabilities=3',
  'ValidateResourceConfig.Response': 'diagnostics:Diagnostic[]=1',
  'ValidateDataResourceConfig.Request': 'typeName:string=1 config:DynamicValue=2',
  'ValidateDataResourceConfig.Response': 'diagnostics:Diagnostic[]=1',
  'ValidateEphemeralResourceConfig.Request': 'typeName:string=1 config:DynamicValue=2',
  'ValidateEphemeralResourceConfig.Response': 'diagnostics:Diagnostic[]=1',
  'UpgradeResourceState.Request': 'typeName:string=1 version:int64=2 rawState:RawState=3',
  'UpgradeResourceState.Response': 'upgradedState:DynamicValue=1 diagnostics:Diagnostic[]=2',
  'ConfigureProvider.Request':
    'terraformVersion:string=1 config:DynamicValue=2 clientCapabilities:ClientCapabilities=3',
  'ConfigureProvider.Response': 'diagnostics:Diagnostic[]=1',
  'ReadResource.Request':
    'typeName:string=1 currentState:DynamicValue=2 private:bytes=3 providerMeta:DynamicValue=4 clientCapabilities:ClientCapabilities=5 currentIdentity:IdentityData=6',
  'ReadResource.Response':
    'newState:DynamicValue=1 diagnostics:Diagnostic[]=2 private:bytes=3 deferred:Deferred=4 newIdentity:IdentityData=5',
  'PlanResourceChange.Request':
    'typeName:string=1 priorState:DynamicValue=2 proposedNewState:DynamicValue=3 config:DynamicValue=4 priorPrivate:bytes=5 providerMeta:DynamicValue=6 clientCapabilities:ClientCapabilities=7 priorIdentity:IdentityData=8 plannedPrivate:bytes=9',
  'PlanResourceChange.Response':
    'plannedState:DynamicValue=1 requiresReplace:AttributePath[]=2 plannedPrivate:bytes=3 diagnostics:Diagnostic[]=4 legacyTypeSystem:bool=5 deferred:Deferred=6 plannedIdentity:IdentityData=7',
  'ApplyResourceChange.Request':
    'typeName:string=1 priorState:DynamicValue=2 plannedState:DynamicValue=3 config:DynamicValue=4 plannedPrivate:bytes=5 providerMeta:DynamicValue=6 plannedIdentity:IdentityData=7',
  'ApplyResourceChange.Response':
    'newState:DynamicValue=1 private:bytes=2 diagnostics:Diagnostic[]=3 legacyTypeSystem:bool=4 newIdentity:IdentityData=5',
  'ImportResourceState.Request':
    'typeName:string=1 id:string=2 clientCapabilities:ClientCapabilities=3 identity:IdentityData=4',
  'ImportResourceState.Response':
    'importedResources:ImportedResource[]=1 diagnostics:Diagnostic[]=2 deferred:Deferred=3',
  'MoveResourceState.Request':
    'sourceProviderAddress:string=1 sourceTypeName:string=2 sourceSchemaVersion:int64=3 sourceState:RawState=4 targetTypeName:string=5 sourcePrivate:bytes=6 sourceIdentity:RawState=7 sourceIdentitySchemaVersion:int64=8',
  'MoveResourceState.Response':
    'targetState:DynamicValue=1 diagnostics:Diagnostic[]=2 targetPrivate:bytes=3 targetIdentity:IdentityData=4',
  'GenerateResourceConfig.Request': 'typeName:string=1 state:DynamicValue=2',
  'GenerateResourceConfig.Response': 'config:DynamicValue=1 diagnostics:Diagnostic[]=2',
  'ReadDataSource.Request':
    'typeName:string=1 config:DynamicValue=2 providerMeta:DynamicValue=3 clientCapabilities:ClientCapabilities=4',
  'ReadDataSource.Response': 'state:DynamicValue=1 diagnostics:Diagnostic[]=2 deferred:Deferred=3',
  'OpenEphemeralResource.Request':
    'typeName:string=1 config:DynamicValue=2 clientCapabilities:ClientCapabilities=3',
  'OpenEphemeralResource.Response':
    'diagnostics:Diagnostic[]=1 renewAt:Timestamp=2 result:DynamicValue=3 private:bytes=4 deferred:Deferred=5',
  'RenewEphemeralResource.Request': 'typeName:string=1 private:bytes=2',
  'RenewEphemeralResource.Response':
    'diagnostics:Diagnostic[]=1 renewAt:Timestamp=2 private:bytes=3',
  'CloseEphemeralResource.Request': 'typeName:string=1 private:bytes=2',
  'CloseEphemeralResource.Response': 'diagnostics:Diagnostic[]=1',
  'ValidateListResourceConfig.Request':
    'typeName:string=1 config:DynamicValue=2 includeResourceObject:DynamicValue=3 limit:DynamicValue=4',
  'ValidateListResourceConfig.Response': 'diagnostics:Diagnostic[]=1',
  'ListResource.Request':
    'typeName:string=1 config:DynamicValue=2 includeResourceObject:bool=3 limit:int64=4',
  'ListResource.Event':
    'identity:IdentityData=1 displayName:string=2 resourceObject:DynamicValue=3 diagnostic:Diagnostic[]=4',
  'GetFunctions.Request': '',
  'GetFunctions.Response': 'functions:Function{}=1 diagnostics:Diagnostic[]=2',
  'CallFunction.Request': 'name:string=1 arguments:DynamicValue[]=2',
  'CallFunction.Response': 'result:DynamicValue=1 error:FunctionError=2',
  'ValidateActionConfig.Request': 'typeName:string=1 config:DynamicValue=2',
  'ValidateActionConfig.Response': 'diagnostics:Diagnostic[]=1',
  'PlanAction.Request':
    'actionType:string=1 config:DynamicValue=2 clientCapabilities:ClientCapabilities=3',
  'PlanAction.Response': 'diagnostics:Diagnostic[]=1 deferred:Deferred=2',
  'InvokeAction.Request':
    'actionType:string=1 config:DynamicValue=2 clientCapabilities:ClientCapabilities=3',
  'InvokeAction.Event': 'progress:Progress=1 completed:Completed=2',
  Progress: 'message:string=1',
  Completed: 'diagnostics:Diagnostic[]=1',
  'ValidateStateStoreConfig.Request': 'typeName:string=1 config:DynamicValue=2',
  'ValidateStateStoreConfig.Response': 'diagnostics:Diagnostic[]=1',
  StateStoreCapabilities: 'chunkSize:int64=1',
  'ConfigureStateStore.Request':
    'typeName:string=1 config:DynamicValue=2 capabilities:StateStoreCapabilities=3',
  'ConfigureStateStore.Response':
    'diagnostics:Diagnostic[]=1 capabilities:StateStoreCapabilities=2',
  StateRange: 'start:int64=1 end:int64=2',
  'ReadStateBytes.Request': 'typeName:string=1 stateId:string=2',
  'ReadStateBytes.Event':
    'bytes:bytes=1 totalLength:int64=2 range:StateRange=3 diagnostics:Diagnostic[]=4',
  StateMeta: 'typeName:string=1 stateId:string=2',
  'WriteStateBytes.Request':
    'meta:StateMeta=1 bytes:bytes=2 totalLength:int64=3 range:StateRange=4',
  'WriteStateBytes.Response': 'diagnostics:Diagnostic[]=1',
  'LockState.Request': 'typeName:string=1 stateId:string=2 operation:string=3',
  'LockState.Response': 'lockId:string=1 diagnostics:Diagnostic[]=2',
  'UnlockState.Request': 'typeName:string=1 stateId:string=2 lockId:string=3',
  'UnlockState.Response': 'diagnostics:Diagnostic[]=1',
  'GetStates.Request': 'typeName:string=1',
  'GetStates.Response': 'stateId:string[]=1 diagnostics:Diagnostic[]=2',
  'DeleteState.Request': 'typeName:string=1 stateId:string=2',
  'DeleteState.Response': 'diagnostics:Diagnostic[]=1',
  'StopProvider.Request': '',
  'StopProvider.Response': 'error:string=1',

  'Shutdown.Request': '',
  'Shutdown.Response': '',
  'StreamStdio.Request': '',
  StdioData: 'channel:int32=1 data:bytes=2',
  ConnInfo: 'serviceId:uint32=1 network:string=2 address:string=3 knock:Knock=4',
  Knock: 'knock:bool=1 ack:bool=2 error:string=3',
  'Check.Request': 'service:string=1',
  'Check.Response': 'status:int32=1',
};

/**
 * Messages of version 5 with other fields than in version 6: it has no nested attributes, no state stores and no
 * computed blocks, and does not return planned private data to the provider.
 */
const MESSAGES_5: Readonly<Record<string, string>> = {
  Attribute:
    'name:string=1 type:bytes=2 description:string=3 required:bool=4 optional:bool=5 computed:bool=6 sensitive:bool=7 descriptionKind:int32=8 deprecated:bool=9 writeOnly:bool=10 deprecationMessage:string=11',
  Block:
    'version:int64=1 attributes:Attribute[]=2 blockTypes:NestedBlock[]=3 description:string=4 descriptionKind:int32=5 deprecated:bool=6 deprecationMessage:string=7',
  ClientCapabilities: 'deferralAllowed:bool=1 writeOnlyAttributesAllowed:bool=2',
  'GetMetadata.Response':
    'serverCapabilities:ServerCapabilities=1 diagnostics:Diagnostic[]=2 dataSources:TypeMetadata[]=3 resources:TypeMetadata[]=4 functions:FunctionMetadata[]=5 ephemeralResources:TypeMetadata[]=6 listResources:TypeMetadata[]=7 actions:TypeMetadata[]=8',
  'GetProviderSchema.Response':
    'provider:Schema=1 resourceSchemas:Schema{}=2 dataSourceSchemas:Schema{}=3 diagnostics:Diagnostic[]=4 providerMeta:Schema=5 serverCapabilities:ServerCapabilities=6 functions:Function{}=7 ephemeralResourceSchemas:Schema{}=8 listResourceSchemas:Schema{}=9 actionSchemas:ActionSchema{}=11',
  'PlanResourceChange.Request':
    'typeName:string=1 priorState:DynamicValue=2 proposedNewState:DynamicValue=3 config:DynamicValue=4 priorPrivate:bytes=5 providerMeta:DynamicValue=6 clientCapabilities:ClientCapabilities=7 priorIdentity:IdentityData=8',
};

/** The messages of a protocol version, with their fields as in {@link MESSAGES}. */
export function messagesOf(version: ProtocolVersion): Readonly<Record<string, string>> {
  return version === 5 ? { ...MESSAGES, ...MESSAGES_5 } : MESSAGES;
}

/** Turns messages into bytes and back. Message types are those of `messages.ts`. */
export interface Codec {
  /** @throws Error for an unknown message name */
  encode(name: string, message: object): Uint8Array;
  /** Absent fields have their protobuf defaults. @throws Error for malformed bytes */
  decode(name: string, bytes: Uint8Array): object;
  /** Decodes a message; entries of maps are decoded on first access, and `bytes` are retained until then. */
  decodeLazily(name: string, bytes: Uint8Array): object;
  /** Verifies a message without decoding it; see `verifyMessage`. @throws Error if it is malformed */
  verify(name: string, bytes: Uint8Array, onType: (bytes: Uint8Array) => void): void;
}

const codecs = new Map<ProtocolVersion, Promise<Codec>>();

/** The codec of a protocol version. The protobuf library is loaded when this is first called. */
export function loadCodec(version: ProtocolVersion): Promise<Codec> {
  let codec = codecs.get(version);
  if (codec === undefined) {
    codec = makeCodec(version);
    codecs.set(version, codec);
  }
  return codec;
}

async function makeCodec(version: ProtocolVersion): Promise<Codec> {
  const { default: protobuf } = await import('protobufjs/light.js');
  const root = new protobuf.Root();
  const types = new Map<string, MessageType>();
  for (const [name, fields] of Object.entries(messagesOf(version))) {
    // A dot separates namespaces, which these messages have no use for.
    const type = new protobuf.Type(name.replace('.', ''));
    for (const field of fields.split(' ')) {
      const match = /^(\w+):(\w+)(\[\]|\{\})?=(\d+)$/.exec(field);
      if (match === null) continue;
      const [, key = '', of = '', many, id] = match;
      if (many === '{}') type.add(new protobuf.MapField(key, Number(id), 'string', of));
      else if (many === '[]') type.add(new protobuf.Field(key, Number(id), of, 'repeated'));
      else type.add(new protobuf.Field(key, Number(id), of));
    }
    root.add(type);
    types.set(name, type);
  }
  const typeOf = (name: string): MessageType => {
    const type = types.get(name);
    if (type === undefined) throw new Error(`no message ${name}`);
    return type;
  };
  return {
    encode: (name, message) => typeOf(name).encode(message).finish(),
    decode: (name, bytes) => decodeMessage(typeOf(name), bytes),
    verify: (name, bytes, onType) => verifyMessage(typeOf(name), bytes, typeOf, onType),
    decodeLazily: (name, bytes) => {
      const fields = Object.values(typeOf(name).fields).filter((field) => field.map);
      const { maps, rest } = partsOf(
        bytes,
        fields.map(({ id }) => id),
      );
      const lazyFields = fields.map(({ id, name: key, type }) => {
        const entries = maps.get(id) ?? new Map<string, Uint8Array>();
        const entry = (each: string): object =>
          decodeMessage(typeOf(type), entries.get(each) ?? new Uint8Array());
        // The converted item is kept, so the message is not.
        return [key, computedRecord(entries.keys(), entry)] as const;
      });
      return { ...decodeMessage(typeOf(name), rest), ...Object.fromEntries(lazyFields) };
    },
  };
}

/** Decodes a message. Throws an `Error` for truncated input, for which the library throws a RangeError. */
function decodeMessage(type: MessageType, bytes: Uint8Array): object {
  try {
    return type.decode(bytes);
  } catch (error) {
    throw error instanceof RangeError ? new Error(error.message, { cause: error }) : error;
  }
}
