import {
  asList,
  errorDiagnostic,
  evaluate,
  parseNative,
  Source,
  type Diagnostic,
} from '@terrane/hcl';
import { ProviderSource } from '@terrane/engine';
import { LOCK_FILE } from './lock-file-name.ts';
import type { Project } from './project.ts';

/** What the lock file says of one provider. */
export interface LockedProvider {
  readonly version: string;
  readonly constraints: string;
  readonly hashes: readonly string[];
}

/** Versions chosen for providers; empty when there is no lock file. */
export interface DependencyLock {
  readonly providers: ReadonlyMap<ProviderSource, LockedProvider>;
  readonly diagnostics: readonly Diagnostic[];
}

const NO_LOCK: DependencyLock = { providers: new Map(), diagnostics: [] };

/** Reads the project's lock file. */
export function readDependencyLock(project: Project): DependencyLock {
  const { files } = project.host;
  if (files.statSync(LOCK_FILE) === undefined) return NO_LOCK;
  const source = Source.fromBytes(LOCK_FILE, files.readFileSync(LOCK_FILE));
  const parsed = parseNative(source);
  const diagnostics: Diagnostic[] = [...parsed.diagnostics];
  const providers = new Map<ProviderSource, LockedProvider>();
  const { content } = parsed.body.partialContent({
    attributes: [],
    blocks: [{ type: 'provider', labelNames: ['source_addr'] }],
  });
  for (const block of content.blocks) {
    const address = block.labels[0] ?? '';
    const provider = ProviderSource.parse(address);
    const range = block.labelRanges[0] ?? block.defRange;
    if ('error' in provider) {
      diagnostics.push(
        errorDiagnostic(
          'Invalid provider source address',
          'The provider source address for a provider lock must be a valid, fully-qualified address of the form "hostname/namespace/type".',
          range,
        ),
      );
      continue;
    }
    const { attributes } = block.body.justAttributes();
    const text = (name: string): string => {
      const attribute = attributes.get(name);
      if (attribute === undefined) return '';
      const value = evaluate(attribute.expression, undefined, diagnostics);
      return value.isKnown && !value.isNull && value.type.kind === 'string' ? value.asString() : '';
    };
    const version = text('version');
    if (version === '') {
      diagnostics.push(
        errorDiagnostic(
          'Missing required argument',
          'The argument "version" is required, but no definition was found.',
          block.body.missingItemRange,
        ),
      );
    }
    const list = attributes.get('hashes');
    const hashes = list === undefined ? [] : (asList(list.expression) ?? []);
    providers.set(provider, {
      version,
      constraints: text('constraints'),
      hashes: hashes
        .map((each) => evaluate(each, undefined, diagnostics))
        .flatMap((value) =>
          value.isKnown && value.type.kind === 'string' ? [value.asString()] : [],
        ),
    });
  }
  return { providers, diagnostics };
}
