import { transform, type Value } from '@terrane/cty';
import { type Project, show } from '@terrane/ops';
import { type Secrets, secretsOf, stateJson } from '@terrane/render';

/** Returns the texts of sensitive values in the state, which providers may have copied to other attributes. */
export async function stateSecrets(project: Project): Promise<Secrets> {
  const { shown } = await show(project);
  return secretsOf(shown?.kind === 'state' ? stateJson(shown.file, shown.schemas) : '{}');
}

/** Marks the texts of a value that contain a sensitive text as sensitive. Keys are not changed. */
export function withSecretMarks(value: Value, secrets: Secrets): Value {
  return transform(value, (_path, part) => {
    const isText = part.isKnown && !part.isNull && part.type.kind === 'string';
    const isSecret = isText && secrets.includedIn(part.unmark().asString());
    return isSecret ? part.mark('sensitive') : part;
  });
}

/** Returns true if a value is sensitive or ephemeral, in whole or in part, or contains a sensitive text. */
export function isSecretValue(value: Value, secrets: Secrets): boolean {
  const marked = withSecretMarks(value, secrets);
  return marked.hasMarkDeep('sensitive') || marked.hasMarkDeep('ephemeral');
}
