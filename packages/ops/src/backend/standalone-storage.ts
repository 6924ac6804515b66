import {
  errorDiagnostic,
  hasErrors,
  parseNative,
  Source,
  type BodySchema,
  type Diagnostic,
} from '@terrane/hcl';
import { userErrorText, type SideStorage } from '@terrane/host';
import type { Project } from '../project.ts';
import { backendOfBlock } from './configured-backend.ts';

const SCHEMA: BodySchema = { attributes: [], blocks: [{ type: 'backend', labelNames: ['type'] }] };
const SUMMARY = 'Invalid storage';

/** A storage of data that belongs to no configuration, or the errors in its settings. */
export interface StandaloneStorage {
  readonly storage?: SideStorage;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Opens the storage that a text with one `backend` block describes, for data of programs other than states. Not every
 * backend stores such data.
 */
export async function openStandaloneStorage(
  project: Project,
  name: string,
  text: string,
): Promise<StandaloneStorage> {
  const { body, diagnostics: syntaxProblems } = parseNative(new Source(name, text));
  const { content, diagnostics: schemaProblems } = body.content(SCHEMA);
  const problems: Diagnostic[] = [...syntaxProblems, ...schemaProblems];
  const [block, ...others] = content.blocks;
  if (hasErrors(problems)) return { diagnostics: problems };
  if (block === undefined || others.length > 0) {
    const detail = `The file ${name} has to contain one "backend" block, as in a configuration.`;
    return { diagnostics: [errorDiagnostic(SUMMARY, detail)] };
  }
  const { configured, diagnostics } = await backendOfBlock({
    type: block.labels[0] ?? '',
    body: block.body,
    range: block.defRange,
    typeRange: block.labelRanges[0] ?? block.defRange,
  });
  if (configured === undefined || hasErrors(diagnostics)) return { diagnostics };
  const { kind, value } = configured;
  const checked = kind.check(value, block.body, project);
  if (hasErrors(checked)) return { diagnostics: checked };
  try {
    const opened = await kind.open(value, project);
    const backend = opened.kind === 'opened' ? opened.backend : undefined;
    const storage = await backend?.sideStorage?.('default');
    if (storage !== undefined) return { storage, diagnostics: checked };
  } catch (error) {
    return { diagnostics: [errorDiagnostic(SUMMARY, userErrorText(error), block.defRange)] };
  }
  const detail = `The backend ${JSON.stringify(kind.type)} stores states only. Use "s3", "gcs", "azurerm", "oss", "cos" or "oci".`;
  return { diagnostics: [errorDiagnostic(SUMMARY, detail, block.defRange)] };
}
