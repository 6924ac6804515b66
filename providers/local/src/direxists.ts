import { pathsOf } from '@terrane/host';
import { quoteText } from '@terrane/cty';
import type { ProviderPorts } from '@terrane/provider';
import { bool, parameter, providerFunction, string } from '@terrane/provider/sdk';
import type { ProviderFunction } from '@terrane/provider/sdk';
import { systemFailure } from './system-failure.ts';

/** The function `direxists`. */
export function direxists({
  files,
  environment,
}: Pick<ProviderPorts, 'files' | 'environment'>): ProviderFunction {
  return providerFunction({
    summary: 'Determines whether a directory exists at a given path.',
    description:
      "Given a path string, will return true if the directory exists. This function works only with directories. If used with a file, the function will return an error.\n\nThis function behaves similar to the built-in [`fileexists`](https://developer.hashicorp.com/terraform/language/functions/fileexists) function, however, `direxists` will not replace filesystem paths including `~` with the current user's home directory path. This functionality can be achieved by using the built-in [`pathexpand`](https://developer.hashicorp.com/terraform/language/functions/pathexpand) function with `direxists`, see example below.",
    parameters: {
      path: parameter(string, {
        description: 'Relative or absolute path to check for the existence of a directory',
      }),
    },
    returns: bool,
    call: ({ path: configuredPath }, { fail }) => {
      const path = environment
        ? pathsOf(environment).resolve(environment.cwd, configuredPath)
        : configuredPath;
      try {
        const entry = files.statSync(path);
        if (entry === undefined || entry.kind === 'directory') return entry !== undefined;
      } catch (cause) {
        fail(`Error checking for directory: ${systemFailure('stat', path, cause)}`, 'path');
      }
      return fail(
        `Invalid file mode detected: ${quoteText(configuredPath)} was found, but is not a directory`,
        'path',
      );
    },
  });
}
