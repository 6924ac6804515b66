import type { Value } from '@terrane/cty';
import { type Project, show } from '@terrane/ops';
import { type Secrets, secretsOf, stateJson } from '@terrane/render';

/** Returns the texts of sensitive values in the state, which providers may have copied to other attributes. */
export async function stateSecrets(project: Project): Promise<Secrets> {
  const { shown } = await show(project);
  return secretsOf(shown?.kind === 'state' ? stateJson(shown.file, shown.schemas) : '{}');
}

/** Returns true if a value is sensitive or ephemeral, in whole or in part, or contains a copy of a sensitive one. */
export function isSecretValue(value: Value, secrets: Secrets): boolean {
  const marked = secrets.marked(value);
  return marked.hasMarkDeep('sensitive') || marked.hasMarkDeep('ephemeral');
}
