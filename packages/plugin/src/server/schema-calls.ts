import type { ProtocolVersion } from '../wire/definitions.ts';
import { diagnosticsOf, Refused } from './answering.ts';
import type { Answering, CallHandlers } from './answering.ts';
import { nestedAttribute } from './nested-attribute.ts';
import {
  mapMembers,
  wireDiagnostics,
  wireFunction,
  wireIdentitySchema,
  wireProviderSchema,
} from './to-wire.ts';

/** Handlers of the calls for schemas and metadata. */
export function schemaCalls(
  answering: Answering,
  version: ProtocolVersion,
): Pick<
  CallHandlers,
  'GetMetadata' | 'GetProviderSchema' | 'GetResourceIdentitySchemas' | 'GetFunctions'
> {
  return {
    GetMetadata: async () => {
      const { schema } = await answering.load();
      const types = (members: object | undefined): { typeName: string }[] =>
        Object.keys(members ?? {}).map((typeName) => ({ typeName }));
      const { serverCapabilities = {} } = wireProviderSchema(schema);
      return {
        ...(serverCapabilities === null ? {} : { serverCapabilities }),
        resources: types(schema.resources),
        dataSources: types(schema.dataSources),
        ephemeralResources: types(schema.ephemeralResources),
        actions: types(schema.actions),
        listResources: types(schema.listResources),
        stateStores: types(schema.stateStores),
        functions: Object.keys(schema.functions).map((name) => ({ name })),
      };
    },
    GetProviderSchema: async () => {
      const { schema, diagnostics } = await answering.load();
      const nestedPath = version === 5 ? nestedAttribute(schema) : undefined;
      if (nestedPath !== undefined) {
        throw new Refused(
          'Provider needs protocol version 6',
          `The provider was asked to speak version 5 of the plugin protocol, which has no nested attributes, and ${nestedPath} is one. Programs that speak version 6 can use this provider: Terraform 1.0 and later, OpenTofu and Terrane.`,
        );
      }
      return { ...wireProviderSchema(schema), diagnostics: wireDiagnostics(diagnostics) };
    },
    GetResourceIdentitySchemas: async () => {
      const { schema } = await answering.load();
      return { identitySchemas: mapMembers(schema.identities ?? {}, wireIdentitySchema) };
    },
    GetFunctions: async () => {
      const { schema } = await answering.load();
      const configured = await answering.provider.configuredFunctions?.();
      return {
        functions: mapMembers({ ...schema.functions, ...configured?.functions }, wireFunction),
        ...diagnosticsOf(configured ?? {}),
      };
    },
  };
}
