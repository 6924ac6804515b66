import { asKeyword, errorDiagnostic } from '@terrane/hcl';
import type { Block, Body, BodySchema, Diagnostic } from '@terrane/hcl';
import { TERRAFORM_VERSION } from '../lang/version.ts';
import { decodeAction, type DecodedAction } from './decode-action.ts';
import { decodeCheck, type DecodedCheck } from './decode-check.ts';
import { decodeEncryption } from './decode-encryption.ts';
import { decodeLanguage } from './decode-language.ts';
import { decodeModuleCall, type DecodedModuleCall } from './decode-module-call.ts';
import { decodeLocals, decodeOutput, decodeVariable } from './decode-named-values.ts';
import type { DecodedOutput, DecodedVariable } from './decode-named-values.ts';
import { decodeProvider, decodeProviderMeta, decodeRequiredProviders } from './decode-provider.ts';
import type { DecodedProviderMeta, DecodedRequiredProviders } from './decode-provider.ts';
import { decodeImport, decodeMoved, decodeRemoved } from './decode-refactoring.ts';
import type { DecodedImport } from './decode-refactoring.ts';
import { decodeData, decodeEphemeral, decodeManaged } from './decode-resource.ts';
import type { DecodedResource } from './decode-resource.ts';
import { decodeVersionConstraint } from './decode-version.ts';
import type {
  BackendBlock,
  CloudBlock,
  EncryptionBlock,
  Local,
  Moved,
  ProviderBlock,
  Removed,
} from './model.ts';
import type { VersionRequirement } from './model.ts';

/** The declarations of one file, block by block. */
export interface FileContent {
  readonly requiredVersions: VersionRequirement[];
  readonly backends: BackendBlock[];
  readonly clouds: CloudBlock[];
  readonly encryptions: EncryptionBlock[];
  readonly requiredProviders: DecodedRequiredProviders[];
  readonly providerMetas: DecodedProviderMeta[];
  readonly providers: ProviderBlock[];
  readonly variables: DecodedVariable[];
  readonly locals: Local[];
  readonly outputs: DecodedOutput[];
  readonly calls: DecodedModuleCall[];
  readonly resources: DecodedResource[];
  readonly moved: Moved[];
  readonly movedRanges: Block['defRange'][];
  readonly removed: Removed[];
  readonly imports: DecodedImport[];
  readonly importRanges: Block['defRange'][];
  readonly checks: DecodedCheck[];
  readonly actions: DecodedAction[];
}

const FILE_SCHEMA: BodySchema = {
  attributes: [],
  blocks: [
    { type: 'terraform' },
    { type: 'language', unsuggested: true },
    { type: 'required_providers' },
    { type: 'provider', labelNames: ['name'] },
    { type: 'variable', labelNames: ['name'] },
    { type: 'locals' },
    { type: 'output', labelNames: ['name'] },
    { type: 'module', labelNames: ['name'] },
    { type: 'resource', labelNames: ['type', 'name'] },
    { type: 'data', labelNames: ['type', 'name'] },
    { type: 'ephemeral', labelNames: ['type', 'name'] },
    { type: 'moved' },
    { type: 'removed' },
    { type: 'import' },
    { type: 'check', labelNames: ['name'] },
    { type: 'action', labelNames: ['type', 'name'], unsuggested: true },
  ],
};

const TERRAFORM_SCHEMA: BodySchema = {
  attributes: [{ name: 'required_version' }, { name: 'experiments' }, { name: 'language' }],
  blocks: [
    { type: 'backend', labelNames: ['type'] },
    { type: 'cloud' },
    { type: 'encryption', unsuggested: true },
    { type: 'required_providers' },
    { type: 'provider_meta', labelNames: ['provider'] },
  ],
};

const TERRAFORM_ONLY: BodySchema = { attributes: [], blocks: [{ type: 'terraform' }] };
const VERSION_SCHEMA: BodySchema = { attributes: [{ name: 'required_version' }], blocks: [] };
const EXPERIMENTS_SCHEMA: BodySchema = {
  attributes: [{ name: 'experiments' }, { name: 'language' }],
  blocks: [],
};

/** Decodes the body of one configuration file. */
export function decodeFile(body: Body, override: boolean, diagnostics: Diagnostic[]): FileContent {
  const file: FileContent = {
    requiredVersions: [],
    backends: [],
    clouds: [],
    encryptions: [],
    requiredProviders: [],
    providerMetas: [],
    providers: [],
    variables: [],
    locals: [],
    outputs: [],
    calls: [],
    resources: [],
    moved: [],
    movedRanges: [],
    removed: [],
    imports: [],
    importRanges: [],
    checks: [],
    actions: [],
  };
  // Terraform decodes its own block for version constraints and experiments first, and reports structural errors each
  // time.
  for (const schema of [VERSION_SCHEMA, EXPERIMENTS_SCHEMA]) {
    const sniffed = body.partialContent(TERRAFORM_ONLY);
    diagnostics.push(...sniffed.diagnostics);
    if (sniffed.diagnostics.length + sniffed.content.blocks.length === 0) break;
    for (const block of sniffed.content.blocks) {
      diagnostics.push(...block.body.partialContent(schema).diagnostics);
    }
  }
  const { content, diagnostics: schemaProblems } = body.content(FILE_SCHEMA);
  diagnostics.push(...schemaProblems);
  for (const block of content.blocks) decodeBlock(block, override, file, diagnostics);
  return file;
}

function decodeBlock(
  block: Block,
  override: boolean,
  file: FileContent,
  diagnostics: Diagnostic[],
): void {
  switch (block.type) {
    case 'terraform':
      decodeTerraform(block, file, diagnostics);
      break;
    case 'language':
      file.requiredVersions.push(...decodeLanguage(block, override, diagnostics));
      break;
    case 'required_providers':
      diagnostics.push(
        errorDiagnostic(
          'Invalid required_providers block',
          'A "required_providers" block must be nested inside a "terraform" block.',
          block.typeRange,
        ),
      );
      break;
    case 'provider':
      add(file.providers, decodeProvider(block, diagnostics));
      break;
    case 'variable':
      file.variables.push(decodeVariable(block, override, diagnostics));
      break;
    case 'locals':
      for (const local of decodeLocals(block, diagnostics)) file.locals.push(local);
      break;
    case 'output':
      file.outputs.push(decodeOutput(block, override, diagnostics));
      break;
    case 'module':
      file.calls.push(decodeModuleCall(block, override, diagnostics));
      break;
    case 'resource':
      file.resources.push(decodeManaged(block, override, diagnostics));
      break;
    case 'data':
      file.resources.push(decodeData(block, override, undefined, diagnostics));
      break;
    case 'ephemeral':
      file.resources.push(decodeEphemeral(block, override, diagnostics));
      break;
    case 'moved':
      file.movedRanges.push(block.defRange);
      add(file.moved, decodeMoved(block, diagnostics));
      break;
    case 'removed':
      add(file.removed, decodeRemoved(block, diagnostics));
      break;
    case 'import':
      file.importRanges.push(block.defRange);
      add(file.imports, decodeImport(block, diagnostics));
      break;
    case 'action':
      add(file.actions, decodeAction(block, diagnostics));
      break;
    case 'check':
      file.checks.push(decodeCheck(block, override, diagnostics));
      break;
    default:
  }
}

function add<T>(to: T[], item: T | undefined): void {
  if (item !== undefined) to.push(item);
}

function decodeTerraform(block: Block, file: FileContent, diagnostics: Diagnostic[]): void {
  const { content, diagnostics: schemaProblems } = block.body.content(TERRAFORM_SCHEMA);
  const required = content.attributes.get('required_version');
  if (required !== undefined) {
    const text = decodeVersionConstraint(required, diagnostics);
    if (text !== undefined) file.requiredVersions.push({ text, range: required.range });
  }
  const language = content.attributes.get('language');
  if (language !== undefined) checkLanguage(language.expression, diagnostics);
  const experiments = content.attributes.get('experiments');
  if (experiments !== undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Module uses experimental features',
        'Experimental features are intended only for gathering early feedback on new language designs, and so are available only in alpha releases of Terraform.',
        experiments.nameRange,
      ),
    );
  }
  diagnostics.push(...schemaProblems);
  for (const inner of content.blocks) {
    switch (inner.type) {
      case 'backend':
        file.backends.push({
          type: inner.labels[0] ?? '',
          body: inner.body,
          range: inner.defRange,
          typeRange: inner.labelRanges[0] ?? inner.defRange,
        });
        break;
      case 'cloud':
        file.clouds.push({ body: inner.body, range: inner.defRange });
        break;
      case 'encryption':
        add(file.encryptions, decodeEncryption(inner, diagnostics));
        break;
      case 'required_providers':
        add(file.requiredProviders, decodeRequiredProviders(inner, diagnostics));
        break;
      case 'provider_meta':
        add(file.providerMetas, decodeProviderMeta(inner, diagnostics));
        break;
      default:
    }
  }
}

const FIRST_EDITION = 'TF2021';

function checkLanguage(e: Parameters<typeof asKeyword>[0], diagnostics: Diagnostic[]): void {
  const keyword = asKeyword(e);
  if (keyword === FIRST_EDITION) return;
  diagnostics.push(
    keyword === undefined || keyword === ''
      ? errorDiagnostic(
          'Invalid language edition',
          `The language argument expects a bare language edition keyword. Terraform ${TERRAFORM_VERSION} supports only language edition ${FIRST_EDITION}, which is the default.`,
          e.range,
        )
      : errorDiagnostic(
          'Unsupported language edition',
          `Terraform v${TERRAFORM_VERSION} only supports language edition ${FIRST_EDITION}. This module requires a ${keyword > FIRST_EDITION ? 'newer' : 'different'} version of Terraform CLI.`,
          e.range,
        ),
  );
}
