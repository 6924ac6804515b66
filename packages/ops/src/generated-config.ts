import { quoteText } from '@terrane/cty';
import type { Plan } from '@terrane/engine';
import { errorDiagnostic, type Diagnostic, warningDiagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import type { Project } from './project.ts';

const ALREADY_THERE = errorDiagnostic(
  'Target generated file already exists',
  'Terraform can only write generated config into a new file. Either choose a different target location or move all existing configuration out of the target file, delete it and try again.',
);

/** Returns the errors that prevent writing generated configuration to a file. */
export function generationProblems(
  { host }: Project,
  mode: Plan['mode'],
  path: string,
): readonly Diagnostic[] {
  if (mode !== 'normal') {
    const detail =
      'Config can only be generated during a normal plan operation, and not during a refresh-only or destroy plan.';
    return [errorDiagnostic('Invalid generate-config-out flag', detail)];
  }
  return host.files.statSync(path) === undefined ? [] : [ALREADY_THERE];
}

/** Writes the configuration of imported objects that a plan holds into a new file, if it holds any. */
export async function writeGenerated(
  project: Project,
  plan: Plan,
  path: string,
): Promise<{ readonly wrote: boolean; readonly diagnostics: readonly Diagnostic[] }> {
  const parts = plan.changes.flatMap(({ generatedConfig, importing }) =>
    generatedConfig === undefined ? [] : [{ text: generatedConfig, importId: importing?.id }],
  );
  return await writeGeneratedParts(project, parts, path);
}

/** The generated configuration of one imported object. */
export interface GeneratedPart {
  readonly text: string;
  readonly importId: string | undefined;
}

/** Writes generated configuration that is given as text. */
export async function writeGeneratedParts(
  { host }: Project,
  parts: readonly GeneratedPart[],
  path: string,
): Promise<{ readonly wrote: boolean; readonly diagnostics: readonly Diagnostic[] }> {
  const blocks = parts.map(({ text, importId: id }) => {
    const from = id === undefined || id === '' ? '' : ` from ${quoteText(id)}`;
    return `\n# __generated__ by Terraform${from}\n${text}\n`;
  });
  if (blocks.length === 0) return { wrote: false, diagnostics: [] };
  const header =
    '# __generated__ by Terraform\n# Please review these resources and move them into your main configuration files.\n';
  try {
    const isNew = await host.files.createExclusive(path, header + blocks.join(''), 0o666);
    if (!isNew) return { wrote: false, diagnostics: [ALREADY_THERE] };
  } catch (error) {
    return { wrote: false, diagnostics: [notWritten(path, error)] };
  }
  return { wrote: true, diagnostics: [EXPERIMENTAL] };
}

const EXPERIMENTAL = warningDiagnostic(
  'Config generation is experimental',
  'Generating configuration during import is currently experimental, and the generated configuration format may change in future versions.',
);

function notWritten(path: string, error: unknown): Diagnostic {
  const summary = 'Failed to create target generated file';
  const text = userErrorText(error);
  const isForbidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
  return errorDiagnostic(
    summary,
    isForbidden
      ? `Terraform did not have permission to create the generated file (${path}) in the target directory. Please modify permissions over the target directory, and try again.`
      : `Terraform could not create the generated file (${path}) in the target directory: ${text}. Depending on the error message, this may be a bug in Terraform itself. If so, please report it!`,
  );
}
