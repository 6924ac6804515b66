import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { mirrorProjectProviders } from '@terrane/ops';
import type { MirrorEvent } from '@terrane/registry';
import { authenticationText } from '@terrane/registry/authentication';
import type { CommandContext } from '../../command.ts';
import type { MirrorFlags } from './flags.ts';
import { commandViewFor, projectFor } from '../../run/views-for.ts';
import { untilInterrupted } from '../../run/until-interrupted.ts';
import { platformText } from '../providers/platform-text.ts';

/** Fills a mirror. */
export async function runProvidersMirror(
  parsed: MirrorFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const { values, rest } = parsed;
  const [directory] = rest;
  if (directory === undefined || rest.length > 1) {
    view.separateDiagnostics([
      errorDiagnostic(
        'No output directory specified',
        'The providers mirror command requires an output directory as a command-line argument.',
      ),
    ]);
    return 1;
  }
  const diagnostics = await untilInterrupted(context.world, (signal) =>
    mirrorProjectProviders(
      projectFor(parsed, context),
      { platforms: values.platform, directory, useLockFile: values['lock-file'], signal },
      (event) => {
        const program = view.named('Terrane');
        view.line(mirrorText(event, program), { message: mirrorMessage(event, program) });
      },
    ),
  );
  view.separateDiagnostics(diagnostics);
  return hasErrors(diagnostics) ? 1 : 0;
}

function mirrorText(event: MirrorEvent, program: string): string {
  switch (event.kind) {
    case 'skipping':
      return `- Skipping ${event.provider.text} because it is built in to ${program} CLI`;
    case 'mirroring':
      return `- Mirroring ${event.provider.display}...`;
    case 'selected': {
      const selected = `  - Selected v${event.version}`;
      if (event.reason === 'lock') return `${selected} to match dependency lock file`;
      return event.reason === 'constraints'
        ? `${selected} to meet constraints ${event.constraints}`
        : `${selected} with no constraints`;
    }
    case 'downloading':
      return `  - Downloading package for ${platformText(event.platform)}...`;
    case 'authenticated':
      return `  - Package authenticated: ${authenticationText(event.result)}`;
  }
}

/** Returns the message for JSON output, which names the provider. */
function mirrorMessage(event: MirrorEvent, program: string): string {
  const plain = mirrorText(event, program).replace(/^ *- /, '');
  const name = event.provider.display;
  switch (event.kind) {
    case 'skipping':
    case 'mirroring':
      return plain;
    case 'selected':
      return plain.replace('Selected ', () => `Selected ${name} `);
    case 'downloading':
      return `Downloading ${name} v${event.version} package for ${platformText(event.platform)}...`;
    case 'authenticated':
      return `Package ${name} v${event.version} for ${platformText(event.platform)} authenticated: ${authenticationText(event.result)}`;
  }
}
