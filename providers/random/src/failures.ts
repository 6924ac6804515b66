import { ProviderError } from '@terrane/provider/sdk';

/** Advice that the published provider adds to unexpected errors. */
export const RETRY =
  'Retry the Terraform operation. If the error still occurs or happens regularly, please contact the provider developer with hardware and operating system information.\n\n';

/** Returns the error for a random value that cannot be generated. */
export function readFailure(problem: string): ProviderError {
  return new ProviderError(
    'Random Read Error',
    `While attempting to generate a random value for this resource, a read error was generated.\n\n${RETRY}Original Error: ${problem}`,
  );
}
