import { ProviderSource } from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { TERRAFORM_VERSION } from '@terrane/engine';
import {
  type Attribute,
  type Block,
  type Diagnostic,
  errorDiagnostic,
  parseNative,
  type Range,
  Source,
  warningDiagnostic,
} from '@terrane/hcl';
import type { FileSystem } from '@terrane/host';
import { constraintsText, parseProviderConstraints } from '../versions/provider-constraints.ts';
import { parseVersion } from '../versions/version.ts';
import { isLockable, type LockedProvider, type ProviderLocks } from './dependency-lock.ts';
import { hashesOf, textOf } from './lock-arguments.ts';
import { LOCK_FILE } from './lock-file-name.ts';
import type { ModuleLocks } from './module-locks.ts';
import { isModuleLock, moduleLocksOf } from './read-module-locks.ts';

/** The content of a lock file, with diagnostics. */
export interface DependencyLock {
  readonly providers: ProviderLocks;
  /** the locks of modules in this file, which Terraform does not use; usually they have a file of their own */
  readonly modules: ModuleLocks;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the lock file of the working directory; empty if it does not exist. */
export function readDependencyLock(
  files: Pick<FileSystem, 'statSync' | 'readFileSync'>,
  path: string = LOCK_FILE,
): DependencyLock {
  if (files.statSync(path) === undefined) {
    return { providers: new Map(), modules: new Map(), diagnostics: [] };
  }
  return parseDependencyLock(Source.fromBytes(path, files.readFileSync(path)));
}

/** Parses a lock file as strictly as Terraform does, and the locks of modules, which Terraform does not support. */
export function parseDependencyLock(source: Source): DependencyLock {
  const parsed = parseNative(source);
  const diagnostics: Diagnostic[] = [...parsed.diagnostics];
  const providers = new Map<ProviderSource, LockedProvider>();
  const { content, diagnostics: problems } = parsed.body.content({
    attributes: [],
    blocks: [
      { type: 'provider', labelNames: ['source_addr'] },
      { type: 'module', labelNames: ['path'] },
    ],
  });
  diagnostics.push(...problems);
  const seen = new Map<ProviderSource, Range>();
  const moduleBlocks: Block[] = [];
  let warned = false;
  for (const block of content.blocks) {
    if (block.type === 'module') {
      if (isModuleLock(block)) {
        moduleBlocks.push(block);
        continue;
      }
      if (!warned) diagnostics.push(modulesNotSupported(block));
      warned = true;
      continue;
    }
    const address = addressOf(block);
    if (!(address instanceof ProviderSource)) {
      diagnostics.push(address);
      continue;
    }
    const lock = lockOf(address, block, diagnostics);
    const previous = seen.get(address);
    if (previous !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Duplicate provider lock',
          `This lockfile already declared a lock for provider ${address.text} at ${previous.toString()}.`,
          block.typeRange,
        ),
      );
      continue;
    }
    seen.set(address, block.defRange);
    providers.set(address, lock);
  }
  return { providers, modules: moduleLocksOf(moduleBlocks, diagnostics), diagnostics };
}

/** Warns about a module block without hashes: the format of another program. */
function modulesNotSupported(block: Block): Diagnostic {
  return warningDiagnostic(
    'Dependency locks for modules are not yet supported',
    `Terraform v${TERRAFORM_VERSION} only supports dependency locks for providers, not for modules. This configuration may be intended for a later version of Terraform that also supports dependency locks for modules.`,
    block.typeRange,
  );
}

function addressOf(block: Block): ProviderSource | Diagnostic {
  const raw = block.labels[0] ?? '';
  const range = block.labelRanges[0] ?? block.defRange;
  const source = ProviderSource.parse(raw);
  const invalid = 'Invalid provider source address';
  if ('error' in source) {
    return errorDiagnostic(
      invalid,
      'The provider source address for a provider lock must be a valid, fully-qualified address of the form "hostname/namespace/type".',
      range,
    );
  }
  if (source.isBuiltin) {
    return errorDiagnostic(
      invalid,
      `Cannot lock a version for built-in provider ${source.text}. Built-in providers are bundled inside Terraform itself, so you can't select a version for them independently of the Terraform release you are currently running.`,
      range,
    );
  }
  if (!isLockable(source)) {
    return errorDiagnostic(
      invalid,
      `Provider source address ${source.text} is a special provider that is not eligible for dependency locking.`,
      range,
    );
  }
  if (source.text !== raw) {
    return errorDiagnostic(
      'Non-normalized provider source address',
      `The provider source address for this provider lock must be written as ${quoteText(source.text)}, the fully-qualified and normalized form.`,
      range,
    );
  }
  return source;
}

function lockOf(source: ProviderSource, block: Block, diagnostics: Diagnostic[]): LockedProvider {
  const { content, diagnostics: problems } = block.body.content({
    attributes: [{ name: 'version', required: true }, { name: 'constraints' }, { name: 'hashes' }],
    blocks: [],
  });
  diagnostics.push(...problems);
  return {
    version: versionOf(source, content.attributes.get('version'), diagnostics),
    constraints: constraintsOf(source, content.attributes.get('constraints'), diagnostics),
    hashes: hashesOf(content.attributes.get('hashes'), diagnostics),
  };
}

function versionOf(
  source: ProviderSource,
  attribute: Attribute | undefined,
  diagnostics: Diagnostic[],
): string {
  if (attribute === undefined) return '';
  const { expression } = attribute;
  const raw = textOf(expression, diagnostics);
  if (raw === undefined) return '';
  if (raw === null) {
    diagnostics.push(
      errorDiagnostic(
        'Missing required argument',
        'A provider lock block must contain a "version" argument.',
        expression.range,
      ),
    );
    return '';
  }
  const summary = 'Invalid provider version number';
  const version = parseVersion(raw);
  if ('error' in version) {
    diagnostics.push(
      errorDiagnostic(
        summary,
        `The selected version number for provider ${source.text} is invalid: ${version.error}.`,
        expression.range,
      ),
    );
  }
  const canonical = 'error' in version ? '0.0.0' : version.text;
  if (canonical !== raw) {
    diagnostics.push(
      errorDiagnostic(
        summary,
        `The selected version number for provider ${source.text} must be written in normalized form: ${quoteText(canonical)}.`,
        expression.range,
      ),
    );
  }
  return 'error' in version ? '' : canonical;
}

function constraintsOf(
  source: ProviderSource,
  attribute: Attribute | undefined,
  diagnostics: Diagnostic[],
): string {
  if (attribute === undefined) return '';
  const { expression } = attribute;
  const raw = textOf(expression, diagnostics);
  if (raw === undefined || raw === null) return '';
  const summary = 'Invalid provider version constraints';
  const constraints = parseProviderConstraints(raw);
  if ('error' in constraints) {
    diagnostics.push(
      errorDiagnostic(
        summary,
        `The recorded version constraints for provider ${source.text} are invalid: ${constraints.error}.`,
        expression.range,
      ),
    );
  }
  const canonical = 'error' in constraints ? '' : constraintsText(constraints);
  if (canonical !== raw) {
    diagnostics.push(
      errorDiagnostic(
        summary,
        `The recorded version constraints for provider ${source.text} must be written in normalized form: ${quoteText(canonical)}.`,
        expression.range,
      ),
    );
  }
  return canonical;
}
