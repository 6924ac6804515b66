import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { lockProjectProviders, mirrorProjectProviders } from '@terrane/ops';
import type { LockEvent, MirrorEvent, Platform } from '@terrane/registry';
import { authenticationText, thirdPartyKey } from '@terrane/registry/authentication';
import type { CommandContext } from '../command.ts';
import type { LockFlags } from '../commands/providers-lock.ts';
import type { MirrorFlags } from '../commands/providers-mirror.ts';
import { paint } from '../views/paint.ts';
import { commandViewFor, projectFor } from './views-for.ts';
import { untilInterrupted } from './until-interrupted.ts';

/** Completes the lock file. */
export async function runProvidersLock(
  parsed: LockFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const { values, rest } = parsed;
  const given = (text: string): string | undefined => (text === '' ? undefined : text);
  const { result, diagnostics } = await untilInterrupted(context.world, (signal) =>
    lockProjectProviders(
      projectFor(parsed, context),
      {
        platforms: values.platform,
        filesystemMirror: given(values['fs-mirror']),
        networkMirror: given(values['net-mirror']),
        ociMirror: given(values['oci-mirror']),
        testDirectory: given(values['test-directory']),
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
    view.line(`${success('Terrane has updated the lock file.')}\n\n${review}`, {
      message: view.named(
        `Success! Terrane has updated the lock file. ${review.replace('\n', ' ').replace(/\.\n$/, '')}`,
      ),
    });
  } else {
    const text = 'Terrane has validated the lock file and found no need for changes.';
    view.line(success(text), { message: view.named(`Success! ${text}`) });
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
      (event) => view.line(mirrorText(event), { message: mirrorMessage(event) }),
    ),
  );
  view.separateDiagnostics(diagnostics);
  return hasErrors(diagnostics) ? 1 : 0;
}

function mirrorText(event: MirrorEvent): string {
  switch (event.kind) {
    case 'skipping':
      return `- Skipping ${event.provider.text} because it is built in to Terrane CLI`;
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

/** The same for programs: each message tells which provider it is about. */
function mirrorMessage(event: MirrorEvent): string {
  const plain = mirrorText(event).replace(/^ *- /, '');
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

function platformText({ os, arch }: Platform): string {
  return `${os}_${arch}`;
}
