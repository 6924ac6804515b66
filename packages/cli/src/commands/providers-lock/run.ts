import { hasErrors } from '@terrane/hcl';
import { lockProjectProviders } from '@terrane/ops';
import type { LockEvent } from '@terrane/registry';
import { authenticationText, thirdPartyKey } from '@terrane/registry/authentication';
import type { CommandContext } from '../../command.ts';
import type { LockFlags } from './flags.ts';
import { paint } from '../../views/paint.ts';
import { commandViewFor, projectFor } from '../../run/views-for.ts';
import { untilInterrupted } from '../../run/until-interrupted.ts';
import { platformText } from '../providers/platform-text.ts';

/** Completes the lock file. */
export async function runProvidersLock(
  parsed: LockFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const { values, rest } = parsed;
  const nonEmpty = (text: string): string | undefined => (text === '' ? undefined : text);
  const { result, diagnostics } = await untilInterrupted(context.world, (signal) =>
    lockProjectProviders(
      projectFor(parsed, context),
      {
        platforms: values.platform,
        filesystemMirror: nonEmpty(values['fs-mirror']),
        networkMirror: nonEmpty(values['net-mirror']),
        ociMirror: nonEmpty(values['oci-mirror']),
        testDirectory: nonEmpty(values['test-directory']),
        usePluginCache: values['enable-plugin-cache'],
        providers: rest,
        signal,
      },
      (event) => {
        const { color } = view.style;
        const message = lockText(event, false).replace(/^- /, '');
        view.line(lockText(event, color), { message });
      },
    ),
  );
  view.separateDiagnostics(diagnostics);
  if (result === undefined || hasErrors(diagnostics)) return 1;
  const { color } = view.style;
  const success = (text: string): string =>
    `\n${paint(color, 'Success!', 'bold', 'green')} ${paint(color, text, 'bold')}`;
  if (result.changed) {
    const review =
      'Review the changes in .terraform.lock.hcl and then commit to your\nversion control system to retain the new checksums.\n';
    view.line(`${success(view.named('Terrane has updated the lock file.'))}\n\n${review}`, {
      message: view.named(
        `Success! Terrane has updated the lock file. ${review.replace('\n', ' ').replace(/\.\n$/, '')}`,
      ),
    });
  } else {
    const text = view.named('Terrane has validated the lock file and found no need for changes.');
    view.line(success(text), { message: `Success! ${text}` });
  }
  return 0;
}

function lockText(event: LockEvent, color: boolean): string {
  const { provider, platform } = event;
  const name = provider.display;
  switch (event.kind) {
    case 'fetching':
      return `- Fetching ${name} ${event.version} for ${platformText(platform)}...`;
    case 'retrieved': {
      const key = thirdPartyKey(event.authentication);
      const signed = key === undefined ? '' : `, key ID ${paint(color, key, 'reset', 'bold')}`;
      return `- Retrieved ${name} ${event.version} for ${platformText(platform)} (${authenticationText(event.authentication)}${signed})`;
    }
    case 'obtained': {
      const obtained = `- Obtained ${name} checksums for ${platformText(platform)};`;
      switch (event.change) {
        case 'new-provider':
          return `${obtained} This was a new provider and the checksums for this platform are now tracked in the lock file`;
        case 'new-hashes':
          return `${obtained} Additional checksums for this platform are now tracked in the lock file`;
        case 'none':
          return `${obtained} All checksums for this platform were already tracked in the lock file`;
      }
    }
  }
}
