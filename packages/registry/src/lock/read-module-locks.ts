import { quoteText } from '@terrane/cty';
import {
  type Attribute,
  type Block,
  type Diagnostic,
  errorDiagnostic,
  parseNative,
  type Range,
  Source,
} from '@terrane/hcl';
import type { FileSystem } from '@terrane/host';
import { isModuleVersion, normalModuleVersion } from '../modules/module-version.ts';
import { hashesOf, textOf } from './lock-arguments.ts';
import { type LockedModule, MODULE_LOCK_FILE, type ModuleLocks } from './module-locks.ts';

/** The content of a file with locks of modules, with diagnostics. */
export interface ModuleLockFile {
  readonly modules: ModuleLocks;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the file with the locks of modules in the working directory; undefined if it does not exist. */
export function readModuleLockFile(
  files: Pick<FileSystem, 'statSync' | 'readFileSync'>,
  path: string = MODULE_LOCK_FILE,
): ModuleLockFile | undefined {
  if (files.statSync(path) === undefined) return undefined;
  return parseModuleLockFile(Source.fromBytes(path, files.readFileSync(path)));
}

/** Parses a file with locks of modules. Unknown blocks and arguments are errors. */
export function parseModuleLockFile(source: Source): ModuleLockFile {
  const parsed = parseNative(source);
  const diagnostics: Diagnostic[] = [...parsed.diagnostics];
  const { content, diagnostics: problems } = parsed.body.content({
    attributes: [],
    blocks: [{ type: 'module', labelNames: ['path'] }],
  });
  diagnostics.push(...problems);
  return { modules: moduleLocksOf(content.blocks, diagnostics), diagnostics };
}

/** Returns true if a `module` block has hashes, as Terrane writes them; other programs may define the block otherwise. */
export function isModuleLock(block: Block): boolean {
  const { content } = block.body.partialContent({ attributes: [{ name: 'hashes' }], blocks: [] });
  return content.attributes.has('hashes');
}

/** Decodes `module` blocks of a lock file. */
export function moduleLocksOf(blocks: readonly Block[], diagnostics: Diagnostic[]): ModuleLocks {
  const modules = new Map<string, LockedModule>();
  const seen = new Map<string, Range>();
  for (const block of blocks) {
    const path = block.labels[0] ?? '';
    const previous = seen.get(path);
    if (previous !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Duplicate module lock',
          `This lock file already declared a lock for module ${quoteText(path)} at ${previous.toString()}. Remove one of the two blocks.`,
          block.typeRange,
        ),
      );
      continue;
    }
    seen.set(path, block.defRange);
    modules.set(path, lockOf(path, block, diagnostics));
  }
  return modules;
}

function lockOf(path: string, block: Block, diagnostics: Diagnostic[]): LockedModule {
  const { content, diagnostics: problems } = block.body.content({
    attributes: [
      { name: 'source', required: true },
      { name: 'version' },
      { name: 'commit' },
      { name: 'hashes', required: true },
    ],
    blocks: [],
  });
  diagnostics.push(...problems);
  const text = (name: string): string | undefined =>
    textArgument(content.attributes.get(name), diagnostics);
  const source = text('source') ?? '';
  const version = text('version');
  const commit = text('commit');
  const hashes = hashesOf(content.attributes.get('hashes'), diagnostics, 'module');
  if (version !== undefined && !isModuleVersion(version)) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid module version number',
        `The locked version ${quoteText(version)} of module ${quoteText(path)} is not a version number.`,
        content.attributes.get('version')?.expression.range,
      ),
    );
  }
  return {
    path,
    source,
    ...(version === undefined ? {} : { version: normalModuleVersion(version) }),
    ...(commit === undefined ? {} : { commit }),
    hashes,
  };
}

function textArgument(
  attribute: Attribute | undefined,
  diagnostics: Diagnostic[],
): string | undefined {
  if (attribute === undefined) return undefined;
  return textOf(attribute.expression, diagnostics) ?? undefined;
}
