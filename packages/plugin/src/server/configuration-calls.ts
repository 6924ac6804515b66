import { impliedType } from '@terrane/provider';
import { fromDynamic, toDynamic } from '../client/values.ts';
import { capabilitiesOf, diagnosticsOf } from './answering.ts';
import type { Answering, CallHandlers } from './answering.ts';
import { wireDiagnostics } from './to-wire.ts';

/** The calls about the configuration of a provider. */
export function configurationCalls(
  answering: Answering,
): Pick<CallHandlers, 'ValidateProviderConfig' | 'ConfigureProvider'> {
  const { provider } = answering;
  return {
    ValidateProviderConfig: async ({ config }) => {
      const type = impliedType((await answering.load()).schema.provider.block);
      const configValue = fromDynamic(config, type);
      const answer = await provider.validateProviderConfig({ config: configValue });
      return {
        preparedConfig: toDynamic(answer.prepared ?? configValue, type),
        diagnostics: wireDiagnostics(answer.diagnostics),
      };
    },
    ConfigureProvider: async (request) => {
      const type = impliedType((await answering.load()).schema.provider.block);
      return diagnosticsOf(
        await provider.configure({
          terraformVersion: request.terraformVersion,
          config: fromDynamic(request.config, type),
          capabilities: capabilitiesOf(request.clientCapabilities),
        }),
      );
    },
  };
}
