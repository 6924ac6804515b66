import type { Value } from '@terrane/cty';
import type { Answer, ConfigureRequest, Provider } from '@terrane/provider';
import { type Asking, answerOf, failed } from './asking.ts';
import { diagnosticsOf } from './from-wire.ts';
import { toDynamic } from './values.ts';

/** Client calls for the provider configuration. */
export function configurationCalls(
  asking: Asking,
): Pick<Provider, 'validateProviderConfig' | 'configure'> {
  return {
    validateProviderConfig(request: {
      readonly config: Value;
    }): Promise<Answer & { readonly prepared?: Value }> {
      return asking.forProvider('ValidateProviderConfig', ({ connection, type, subject }) =>
        asking.call<'ValidateProviderConfig', Answer & { readonly prepared?: Value }>(
          connection,
          subject,
          'ValidateProviderConfig',
          () => ({ config: toDynamic(request.config, type) }),
          // The prepared configuration in the response is ignored, as in Terraform.
          (answer) => ({ diagnostics: diagnosticsOf(answer.diagnostics) }),
          failed,
        ),
      );
    },

    async configure(request: ConfigureRequest): Promise<Answer> {
      asking.claim();
      return await asking.forProvider('ConfigureProvider', ({ connection, type, subject }) =>
        asking.call<'ConfigureProvider', Answer>(
          connection,
          subject,
          'ConfigureProvider',
          () => ({
            terraformVersion: request.terraformVersion,
            config: toDynamic(request.config, type),
            clientCapabilities: request.capabilities,
          }),
          answerOf,
          failed,
        ),
      );
    },
  };
}
